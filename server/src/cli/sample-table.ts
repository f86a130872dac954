import { ApiError, ConnectionError, Guildhall, type UserHandle } from '../../../client/src/index.ts'
import { heroes, type PlayerKey } from '../../../console/src/setup/adventure.ts'
import { setUpTable } from '../../../console/src/setup/run.ts'
import { refuse } from './database.ts'

// The sample table that the console sets up, made from the command line by the same requests.

const LINK_SECONDS = 86_400

interface Person {
  user_id: string
  name: string
  /** The character of a player. */
  plays: string | null
  /** A link that signs the person in to the console. */
  url: string | null
}

export interface SampleTable extends Record<string, unknown> {
  company_id: string
  company: string
  campaign_id: string
  campaign: string
  people: Person[]
}

/** Creates a sign-in link. A service without a console has none. */
async function linkFor(user: UserHandle): Promise<string | null> {
  const link = await user.signInLinks.create({ expires_in: LINK_SECONDS }).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  return link?.url ?? null
}

/** Makes the table, or completes it, on the service at an address, and makes new links for its people. */
export async function makeSampleTable(address: string, apiKey: string): Promise<SampleTable> {
  const gh = new Guildhall({ baseUrl: address, apiKey })
  try {
    const { company, people, campaign } = await setUpTable(gh, () => {})
    const table: Person[] = []
    for (const [key, { id, name }] of Object.entries(people)) {
      const plays = heroes[key as PlayerKey]?.name ?? null
      table.push({ user_id: id, name, plays, url: await linkFor(gh.company(company.id).as(id)) })
    }
    return { company_id: company.id, company: company.name, campaign_id: campaign.id, campaign: campaign.name, people: table }
  } catch (error) {
    if (error instanceof ConnectionError)
      refuse(`No service answers at ${address}. Start it with npm start, or name another one with --service.`)
    if (error instanceof ApiError) refuse(`The service at ${address} refuses to set up a table: ${error.message}`)
    throw error
  }
}
