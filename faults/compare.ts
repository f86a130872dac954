import { canonical } from '../server/src/core/json.ts'
import { onceOf } from '../server/src/http/request/idempotency.ts'
import { type Told, thingsIn } from './client.ts'
import type { Company } from './company.ts'
import type { House } from './house.ts'

export interface Differences {
  /** The client was told of it, and it is not there, or not as told. */
  lost: string[]
  /** It is there once more than the client was told. */
  doubled: string[]
}

type Compare = (house: House, told: Told[], companies: Company[]) => Promise<Differences>

/** Where a kind of thing lies, and what tells that it was made. */
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
const kindOf = ({ kind }: Told) => KINDS[kind] as { table: string; event: string }
const idsOf = (companies: Company[]) => companies.map(({ company_id }) => company_id)

function same(told: unknown, stored: unknown): boolean {
  if (typeof told === 'string' && typeof stored === 'string' && /^\d{4}-\d\d-\d\dT/.test(told))
    return Date.parse(told) === Date.parse(stored)
  return canonical(told) === canonical(stored)
}

/** Every row is one that the client was told of, and says what it was told. */
export const compareRows: Compare = async (house, told, companies) => {
  const [lost, doubled]: [string[], string[]] = [[], []]
  for (const table of new Set(Object.values(KINDS).map(({ table }) => table))) {
    const column = table === 'companies' ? 'id' : 'company_id'
    const query = `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${column} = ANY($1)`
    const stored = await house.query<{ row: Record<string, unknown> }>(query, [idsOf(companies)])
    const rows = new Map(stored.map(({ row }) => [row.id, row]))
    for (const thing of told.filter((one) => kindOf(one).table === table).flatMap(({ text }) => thingsIn(text))) {
      const row = rows.get(thing.id)
      rows.delete(thing.id)
      const wrong = row && Object.keys(thing).find((field) => field in row && !same(thing[field], row[field]))
      if (!row) lost.push(`${thing.id} is not in ${table}`)
      else if (wrong) lost.push(`${wrong} of ${thing.id} in ${table} is ${canonical(row[wrong])}, not ${canonical(thing[wrong])}`)
    }
    for (const id of rows.keys()) doubled.push(`${id} is in ${table}, and nobody was told`)
  }
  return { lost, doubled }
}

/** Every key that was answered is kept with just that answer, and no other key is there. */
export const compareKeys: Compare = async (house, told, companies) => {
  const developers = companies.map(({ developer }) => developer.id)
  const query = `SELECT encode(key_hash, 'hex') AS hash, convert_from(body, 'UTF8') AS text FROM idempotency_keys WHERE developer_id = ANY($1)`
  const stored = await house.query<{ hash: string; text: string | null }>(query, [developers])
  const rows = new Map(stored.map(({ hash, text }) => [hash, text]))
  const lost: string[] = []
  for (const { once, actor_id, method, path, text } of told) {
    const hash = onceOf(once, actor_id, method, path.replace('/api/v1', '')).key_hash.toString('hex')
    if (rows.get(hash) !== text) lost.push(`the reply kept for key ${once} of ${path} is ${rows.get(hash)}, not ${text}`)
    rows.delete(hash)
  }
  return { lost, doubled: [...rows.values()].map((text) => `a key was used that nobody was answered for: ${text}`) }
}

/** Every change has its event, and only one; nothing else happened. */
export const compareEvents: Compare = async (house, told, companies) => {
  const query = `SELECT type, resource_id AS id, count(*)::int AS times FROM events WHERE company_id = ANY($1) GROUP BY 1, 2`
  const stored = await house.query<{ type: string; id: string; times: number }>(query, [idsOf(companies)])
  const events = new Map(stored.map(({ type, id, times }) => [`${type} ${id}`, times]))
  const made = told.flatMap((one) => thingsIn(one.text).map(({ id }) => `${kindOf(one).event} ${id}`))
  // Who owns a campaign joins it, and who plays a character there.
  const joined = companies.flatMap(({ teller, player }) => [teller, player].map((id) => `member.added ${id}`))
  const [lost, doubled]: [string[], string[]] = [[], []]
  for (const name of [...made, ...joined]) {
    const times = events.get(name) ?? 0
    if (times === 0) lost.push(`there is no event ${name}`)
    if (times > 1) doubled.push(`the event ${name} is there ${times} times`)
    events.delete(name)
  }
  for (const name of events.keys()) doubled.push(`there is an event ${name}, of which nobody was told`)
  return { lost, doubled }
}
