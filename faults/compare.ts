import { canonical } from '../server/src/core/json.ts'
import { idempotencyKeyOf } from '../server/src/http/request/idempotency-key.ts'
import { type ConfirmedWrite, rowsIn } from './client.ts'
import type { Company } from './company.ts'
import type { Deployment } from './deployment.ts'

export interface Differences {
  /** Confirmed rows that are missing or differ. */
  lost: string[]
  /** Rows that exist and were not confirmed. */
  doubled: string[]
}

type Compare = (deployment: Deployment, confirmed: ConfirmedWrite[], companies: Company[]) => Promise<Differences>

/** The table and the event type of each kind of write. */
const KINDS: Record<string, { table: string; event: string }> = {
  company: { table: 'companies', event: 'company.created' },
  user: { table: 'users', event: 'user.created' },
  campaign: { table: 'campaigns', event: 'campaign.created' },
  character: { table: 'characters', event: 'character.created' },
  book: { table: 'books', event: 'book.created' },
  roll: { table: 'dice_rolls', event: 'dice_roll.created' },
  award: { table: 'experience_entries', event: 'experience.awarded' },
  spend: { table: 'experience_entries', event: 'experience.spent' },
}
const kindOf = ({ kind }: ConfirmedWrite) => KINDS[kind] as { table: string; event: string }
const idsOf = (companies: Company[]) => companies.map(({ company_id }) => company_id)

function same(confirmed: unknown, stored: unknown): boolean {
  if (typeof confirmed === 'string' && typeof stored === 'string' && /^\d{4}-\d\d-\d\dT/.test(confirmed))
    return Date.parse(confirmed) === Date.parse(stored)
  return canonical(confirmed) === canonical(stored)
}

/** Checks that every row was confirmed, with the values that were confirmed. */
export const compareRows: Compare = async (deployment, confirmed, companies) => {
  const [lost, doubled]: [string[], string[]] = [[], []]
  for (const table of new Set(Object.values(KINDS).map(({ table }) => table))) {
    const column = table === 'companies' ? 'id' : 'company_id'
    const query = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = ANY($1)`
    const stored = await deployment.query<{ row: Record<string, unknown> }>(query, [idsOf(companies)])
    const rows = new Map(stored.map(({ row }) => [row.id, row]))
    for (const expected of confirmed.filter((one) => kindOf(one).table === table).flatMap(({ text }) => rowsIn(text))) {
      const row = rows.get(expected.id)
      rows.delete(expected.id)
      const different = row && Object.keys(expected).find((field) => field in row && !same(expected[field], row[field]))
      if (!row) lost.push(`${expected.id} is not in ${table}`)
      else if (different)
        lost.push(`${different} of ${expected.id} in ${table} is ${canonical(row[different])}, not ${canonical(expected[different])}`)
    }
    for (const id of rows.keys()) doubled.push(`${id} is in ${table}, but was not confirmed`)
  }
  return { lost, doubled }
}

/** Checks that every used Idempotency-Key is stored with its answer, and no other key is. */
export const compareKeys: Compare = async (deployment, confirmed, companies) => {
  const developers = companies.map(({ developer }) => developer.id)
  const query = `SELECT encode(key_hash, 'hex') AS hash, convert_from(body, 'UTF8') AS text FROM idempotency_keys WHERE developer_id = ANY($1)`
  const stored = await deployment.query<{ hash: string; text: string | null }>(query, [developers])
  const rows = new Map(stored.map(({ hash, text }) => [hash, text]))
  const lost: string[] = []
  for (const { idempotencyKey, actor_id, method, path, text } of confirmed) {
    const hash = idempotencyKeyOf(idempotencyKey, actor_id, method, path.replace('/api/v1', '')).key_hash.toString('hex')
    if (rows.get(hash) !== text) lost.push(`the reply stored for key ${idempotencyKey} of ${path} is ${rows.get(hash)}, not ${text}`)
    rows.delete(hash)
  }
  return { lost, doubled: [...rows.values()].map((text) => `a key is stored whose request was not confirmed: ${text}`) }
}

/** Checks that every write has exactly one event, and that there are no other events. */
export const compareEvents: Compare = async (deployment, confirmed, companies) => {
  const query = `SELECT type, resource_id AS id, count(*)::int AS times FROM events WHERE company_id = ANY($1) GROUP BY 1, 2`
  const stored = await deployment.query<{ type: string; id: string; times: number }>(query, [idsOf(companies)])
  const events = new Map(stored.map(({ type, id, times }) => [`${type} ${id}`, times]))
  const created = confirmed.flatMap((one) => rowsIn(one.text).map(({ id }) => `${kindOf(one).event} ${id}`))
  // The owner of a campaign and the player of a character become members.
  const joined = companies.flatMap(({ teller, player }) => [teller, player].map((id) => `member.added ${id}`))
  const [lost, doubled]: [string[], string[]] = [[], []]
  for (const name of [...created, ...joined]) {
    const times = events.get(name) ?? 0
    if (times === 0) lost.push(`there is no event ${name}`)
    if (times > 1) doubled.push(`the event ${name} exists ${times} times`)
    events.delete(name)
  }
  for (const name of events.keys()) doubled.push(`the event ${name} exists, but its write was not confirmed`)
  return { lost, doubled }
}
