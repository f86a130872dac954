import type { Static } from '@guildhall/rules/type'
import type { Database } from '../../db/client.ts'
import { watchOf } from '../../events/watch.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { WITHOUT_USER } from '../campaigns/across.ts'
import { type ChangesPage, listChanges } from './queries.ts'
import { ChangesQuery, ChangesReply, type ChangesQuery as ReadQuery } from './schema.ts'

const FOLLOWING =
  'Returns what has changed since the cursor `after`, oldest first, within a fraction of a second after each change. To keep a copy: get a cursor without `after`, read the lists, then follow the cursor. Every item has the resource as you may see it now. Changes are kept for 30 days; an older cursor, or one from before a restore, gets one `feed.reset`.'

/** A reader who was woken in vain is woken again only after this time, and not together with others: what is hidden from many must not keep the process busy. */
const quietMs = () => 200 + Math.random() * 200

/** Waits for the next change in the company, if there is none for the reader. It may be one that they do not see: then they wait again. */
function untilNext({ db, params: { company_id }, query, reply, elapsedMs, isRepeated, signal }: Waiting): Promise<void> | undefined {
  const { position, items, more } = reply as ChangesPage
  const left = (query.wait ?? 0) * 1000 - elapsedMs
  if (query.after === undefined || items.length > 0 || more || left <= 0) return undefined
  return watchOf(db).next(company_id, position, { milliseconds: left, quietMs: isRepeated ? quietMs() : 0, signal })
}

/** A read that is repeated goes on after the changes that were hidden from the reader, as if they had asked again with the cursor of the reply without items. */
const resumed = (query: Static<typeof ChangesQuery>, earlier: ChangesReply | undefined) =>
  ({ ...query, ...(earlier && { after: earlier.cursor }) }) as ReadQuery

interface Waiting {
  db: Database
  params: { company_id: string }
  query: Static<typeof ChangesQuery>
  reply: ChangesReply
  elapsedMs: number
  isRepeated: boolean
  signal: AbortSignal
}

export const changes = resource(
  {
    Changes: 'The feed of everything that changes in a company, as far as you may see it',
  },
  [
    operation({
      id: 'changes.list',
      method: 'GET',
      path: below(USER, 'changes'),
      needs: { key: 'USER' },
      summary: 'Follow the changes that a user may see',
      description: FOLLOWING,
      query: ChangesQuery,
      reply: [200, ChangesReply],
      wait: untilNext,
      run: ({ db, params: { company_id }, developer, permission, actor, query, earlier }) =>
        listChanges(db, { company_id, developer, permission, actor }, resumed(query, earlier)),
    }),
    operation({
      id: 'changes.listInCompany',
      method: 'GET',
      path: below(COMPANY, 'changes'),
      needs: { key: 'USER' },
      summary: 'Follow the changes of the company without a user in the path',
      description: `${FOLLOWING} ${WITHOUT_USER}`,
      query: ChangesQuery,
      reply: [200, ChangesReply],
      wait: untilNext,
      run: ({ db, params: { company_id }, developer, permission, actor, query, earlier }) =>
        listChanges(db, { company_id, developer, permission, actor }, resumed(query, earlier)),
    }),
  ],
)
