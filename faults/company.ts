import { connect } from '../server/src/db/client.ts'
import { engineAt } from '../server/src/db/driver/engine.ts'
import { createDeveloper } from '../server/src/resources/developers/queries.ts'
import { issueKey } from '../server/src/resources/keys/queries.ts'
import { type Client, type ConfirmedWrite, newKey, rowsIn, type Write } from './client.ts'
import type { Known } from './known.ts'

export interface Developer {
  id: string
  key: string
}

/** A company with users, a campaign and a character. It is created through the client, so that the client's record is complete. */
export interface Company {
  company_id: string
  base: string
  developer: Developer
  teller: string
  player: string
  campaign: string
  character: string
}

export async function newDevelopers(url: string, count: number, is_global_admin = false): Promise<Developer[]> {
  const db = connect(url, { readers: 1, writers: 1, engine: await engineAt(url) })
  try {
    return await Promise.all(
      Array.from({ length: count }, () =>
        db.transaction(async (tx) => {
          const { id } = (await createDeveloper(tx, { name: 'Faults', is_global_admin })).reply
          return { id, key: (await issueKey(tx, id)).reply.key }
        }),
      ),
    )
  } finally {
    await db.close()
  }
}

const AWARD_AMOUNT = 10_000
const AWARDS = 5

export async function newCompany(client: Client, known: Known, developer: Developer): Promise<Company> {
  // The id of the company is not known before it exists, so its event is recorded under that of the developer.
  const company = idOf(
    await client.send(newWrite({ company_id: developer.id, developer }, null, '/api/v1/companies', 'company', { name: 'Faults' })),
  )
  known.set(company, company)
  const base = `/api/v1/companies/${company}`
  const identity = { company_id: company, developer }
  const make = async (actor: string | null, path: string, kind: string, body: Record<string, unknown>) =>
    idOf(await client.send(newWrite(identity, actor, actor ? `${base}/users/${actor}/${path}` : `${base}/${path}`, kind, body)))
  const teller = await make(null, 'users', 'user', { name: 'Teller', role: 'STORYTELLER' })
  const player = await make(null, 'users', 'user', { name: 'Player', role: 'PLAYER' })
  const campaign = await make(teller, 'campaigns', 'campaign', { name: 'The long night' })
  const traits = { strength: 3, brawl: 2 }
  const character = await make(player, `campaigns/${campaign}/characters`, 'character', { name: 'Crane', traits })
  for (let i = 0; i < AWARDS; i++)
    await make(teller, `campaigns/${campaign}/experience/awards`, 'award', {
      amount: AWARD_AMOUNT,
      reason: `Evening ${i}`,
      user_ids: [player],
    })
  return { ...identity, base, teller, player, campaign, character }
}

export function newWrite(
  { company_id, developer }: Pick<Company, 'company_id' | 'developer'>,
  actor_id: string | null,
  path: string,
  kind: string,
  body: Record<string, unknown>,
): Write {
  return { kind, method: 'POST', path, key: developer.key, company_id, actor_id, body, idempotencyKey: newKey() }
}

function idOf(confirmed: ConfirmedWrite | undefined): string {
  const [row] = confirmed ? rowsIn(confirmed.text) : []
  if (!row) throw new Error('the company could not be created')
  return row.id
}
