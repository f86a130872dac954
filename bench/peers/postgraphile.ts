import { freePort, start, waitForAnswer } from '../parts.ts'
import type { Peer } from './peer.ts'
import type { People } from './table.ts'

const PROGRAM = new URL('node_modules/postgraphile/dist/cli-run.js', import.meta.url).pathname
const FIELDS = 'rowId companyId name role email externalId dateCreated dateModified version dateArchived'

/** Starts PostGraphile with its recommended preset. It asks for no credential, and writes no log of changes. */
export async function startPostGraphile(people: People): Promise<Peer> {
  const port = await freePort()
  const options = { connection: people.url, schema: 'public', preset: 'postgraphile/presets/amber', host: '127.0.0.1', port: String(port) }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const child = await start([PROGRAM, ...args], { NODE_ENV: 'production', GRAPHILE_ENV: 'production' })
  await waitForAnswer(port, '/graphql?query={__typename}', 60_000)
  const ask = (query: string, variables: Record<string, unknown>) => ({ method: 'POST', path: '/graphql', body: { query, variables } })
  return {
    name: 'PostGraphile',
    port,
    child,
    requests: {
      list: () =>
        ask(
          `query ($company: UUID!) { allPeople(condition: {companyId: $company}, first: 10, orderBy: PRIMARY_KEY_ASC) { totalCount nodes { ${FIELDS} } } }`,
          { company: people.large },
        ),
      create: (company) =>
        ask(`mutation ($person: PersonInput!) { createPerson(input: {person: $person}) { person { ${FIELDS} } } }`, {
          person: { companyId: company, name: 'Newcomer', role: 'PLAYER' },
        }),
      get: () => ask(`query ($id: UUID!) { personByRowId(rowId: $id) { ${FIELDS} } }`, { id: people.person }),
    },
  }
}
