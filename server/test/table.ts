import { after } from 'node:test'
import { connect } from '../src/db/client.ts'
import { type Answer, app, call, db, newApp, newCompany, pooler, url } from './harness.ts'

const second = connect(url, { readers: 2, writers: 8, pooler })
after(() => second.close())
/** Two apps with connections of their own: what two processes have. */
export const twoApps = [app, await newApp({}, undefined, second)] as const

export type Person = ReturnType<typeof personIn>

/** A user of a company, acting: what they ask is asked below their own path. */
function personIn(base: string, key: string, id: string) {
  const ask =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    (path: string, body?: unknown, headers: Record<string, string> = {}, on?: typeof app): Promise<Answer> =>
      call(method, `${base}/users/${id}${path}`, { key, headers, ...(on && { on }), ...(body !== undefined && { body }) })
  const post = ask('POST')
  /** Makes something, and gives its id. */
  const make = async (path: string, body: unknown): Promise<string> => {
    const made = await post(path, body)
    if (made.status !== 201) throw new Error(made.text)
    return made.body.id
  }
  return { id, get: ask('GET'), post, put: ask('PUT'), patch: ask('PATCH'), delete: ask('DELETE'), make }
}

/** A company at play: a storyteller with a campaign, two players, an admin, and a storyteller of something else. */
export async function newTable() {
  const company = await newCompany(db)
  const { base, key, user } = company
  const person = async (role: 'PLAYER' | 'STORYTELLER' | 'ADMIN', name?: string) => personIn(base, key, await user(role, name))
  const teller = await person('STORYTELLER', 'Teller')
  const player = await person('PLAYER', 'Player')
  const other = await person('PLAYER', 'Other player')
  const stranger = await person('STORYTELLER', 'Stranger')
  const admin = await person('ADMIN', 'Admin')
  const campaign_id = await teller.make('/campaigns', { name: 'Fall of Kingsport' })
  return { ...company, person, teller, player, other, stranger, admin, campaign_id, C: `/campaigns/${campaign_id}` }
}
