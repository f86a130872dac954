import { timeOf } from '../core/ids.ts'
import { same } from '../core/json.ts'
import type { Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Change } from '../db/table.ts'

type Row = Record<string, unknown>
export type Changes = Record<string, { old: unknown; new: unknown }>

interface Place {
  id?: string
  visibility?: string
}

/** Who did it, where, and in which request. */
export interface Origin {
  company_id: string
  /** What it was done under: a thing is as secret as the most secret of those. */
  places?: Record<string, Place>
  developer_id: string | null
  user_id: string | null
  request_id: string | null
}

/** Bookkeeping that every change moves; it would say nothing in a history. */
const QUIET = new Set(['id', 'company_id', 'date_created', 'date_modified', 'version', 'parent_id'])

/** What is different after a change, field by field. */
function differences(before: Row | null, after: Row | null): Changes {
  const changes: Changes = {}
  for (const field of Object.keys({ ...before, ...after })) {
    const [old, now] = [before?.[field] ?? null, after?.[field] ?? null]
    if (!QUIET.has(field) && !same(old, now)) changes[field] = { old, new: now }
  }
  return changes
}

/** Least secret first; each resource has its own word for what is open. */
const SECRECY = ['STORYTELLER', 'AUTHOR']

/** Whom the event is for, null being everybody: never more people than saw the thing before, or see it after. */
function secrecy(rows: (Place | null)[]): string | null {
  const most = Math.max(...rows.map((row) => SECRECY.indexOf(row?.visibility === 'BLIND' ? 'STORYTELLER' : (row?.visibility ?? ''))))
  return SECRECY[most] ?? null
}

/** A change, and what kind of thing it was. */
export interface EventDraft<Type extends string = string> extends Change<unknown> {
  type: Type
  /** Whose history it is, if not that of the others in the request. */
  company_id?: string
  /** Why, in the words of who did it. */
  reason?: string
}

function row(tx: Tx, { type, before, after, reason, company_id }: EventDraft, origin: Origin): Sql {
  const subject = (after ?? before) as { id: string; campaign_id?: string; author_id?: string; user_id?: string; visibility?: string }
  const changes = differences(before as Row | null, after as Row | null)
  const [resource_type] = type.split('.')
  const campaign_id = subject.campaign_id ?? (resource_type === 'campaign' ? subject.id : (origin.places?.campaign?.id ?? null))
  const visibility = secrecy([before as Place | null, after as Place | null, ...Object.values(origin.places ?? {})])
  // Whoever made a secret thing may see it, unless it was to be hidden from them too.
  const author = visibility && subject.visibility !== 'BLIND' ? (subject.author_id ?? subject.user_id ?? null) : null
  const id = tx.newId()
  return sql`(${company_id ?? origin.company_id}, ${id}, ${type}, ${resource_type}, ${subject.id}, ${origin.developer_id}, ${origin.user_id},
    ${origin.request_id}, ${JSON.stringify(changes)}, ${reason ?? null}, ${timeOf(id)}, ${campaign_id}, ${visibility}, ${author})`
}

/** Writes what happened, in the transaction that made it happen. A change that changed nothing is no event. */
export function record(tx: Tx, drafts: EventDraft[], origin: Origin): void {
  const rows = drafts.filter(({ before, after }) => before !== after).map((draft) => row(tx, draft, origin))
  if (rows.length === 0) return
  tx.send(sql`
    INSERT INTO events (company_id, id, type, resource_type, resource_id, developer_id, user_id, request_id, changes, reason, date_created,
                        campaign_id, visibility, author_id)
    VALUES ${sql.join(rows, ', ')}`)
}
