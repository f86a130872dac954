/** Whose each id is: those that a reply to one company may never tell another. */
export type Known = Map<string, string>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The ids in a text that are known to be another company's. */
export const foreignIds = (known: Known, company_id: string, text: string): string[] =>
  (text.match(UUID) ?? []).filter((id) => known.has(id) && known.get(id) !== company_id)
