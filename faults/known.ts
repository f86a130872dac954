/** The company of each id. A reply to one company must not contain an id of another. */
export type Known = Map<string, string>

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Returns the ids in a text that belong to another company. */
export const foreignIds = (known: Known, company_id: string, text: string): string[] =>
  (text.match(UUID) ?? []).filter((id) => known.has(id) && known.get(id) !== company_id)
