import { after } from 'node:test'
import { connect } from '../src/db/client.ts'
import { type Answer, app, call, db, engine, newApp, newCompany, pooler, url } from './harness.ts'

const second = connect(url, { readers: 2, writers: 8, pooler, engine })
after(() => second.close())
/** Two apps with separate connections, which behave like two processes. */
export const twoApps = [app, await newApp({}, undefined, second)] as const

export type Person = ReturnType<typeof personIn>

/** Sends requests of an acting user, with paths below the user's own path. */
function personIn(base: string, key: string, id: string) {
  const send =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') =>
    (path: string, body?: unknown, headers: Record<string, string> = {}, on?: typeof app): Promise<Answer> =>
      call(method, `${base}/users/${id}${path}`, { key, headers, ...(on && { on }), ...(body !== undefined && { body }) })
  const post = send('POST')
  /** Creates a resource and returns its id. */
  const make = async (path: string, body: unknown): Promise<string> => {
    const created = await post(path, body)
    if (created.status !== 201) throw new Error(created.text)
    return created.body.id
  }
  return { id, get: send('GET'), post, put: send('PUT'), patch: send('PATCH'), delete: send('DELETE'), make }
}

/**
 * Creates a company with a storyteller (`teller`) and their campaign, two players, an admin, and a storyteller (`stranger`) who is not a member of
 * the campaign. `C` is the path of the campaign below the path of a user.
 */
export async function newGameTable() {
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
