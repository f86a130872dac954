import type { DocPage } from './library.ts'

/** The index of the documentation for language models (llmstxt.org): a summary, and links to the pages as Markdown. */
export function llmsText(pages: DocPage[]): string {
  const groups = Map.groupBy(
    pages.filter(({ path }) => path !== '/docs'),
    ({ group }) => group,
  )
  const line = ({ path, title, answers }: DocPage) => `- [${title}](${path}.md): ${answers}`
  const lists = [...groups].map(([group, listed]) => {
    const reference = group === 'Look it up' ? ['- [OpenAPI document](/openapi.json): Every operation, field, status and error'] : []
    // By convention, a reader who needs a short text may skip the section Optional.
    return [`## ${group === 'Operate' ? 'Optional' : group}`, '', ...reference, ...listed.map(line), ''].join('\n')
  })
  return [
    '# Guildhall',
    '',
    '> A multi-tenant REST API for applications for role-playing games: users, campaigns, characters, verifiable dice, experience and live updates.',
    '',
    'Send the API key of a developer as `X-API-KEY`, or the token of a user as `Authorization: Bearer glu_...`. Everything is below `/api/v1`; everything of a company is below',
    '`/api/v1/companies/{company_id}`, and below `.../users/{user_id}/` that user acts. Bodies and replies are JSON. Errors are problem details (RFC 9457) with a stable `code`;',
    '`/docs/errors/<code>.md` explains each. Send an `Idempotency-Key` with every POST, PUT and PATCH that you may have to repeat.',
    '',
    '- [Start](/docs.md): The first calls, and the path of an application developer',
    '',
    ...lists,
  ].join('\n')
}
