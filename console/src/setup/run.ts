import type { Campaign, Company, CompanyHandle, Guildhall, UserHandle } from '@guildhall/client'
import type { PersonKey } from './adventure.ts'
import * as adventure from './adventure.ts'
import { makeCharacters } from './characters.ts'
import type { Making, People } from './making.ts'
import { once, onceOptions } from './once.ts'
import { makePlay, makeStory } from './story.ts'

/** The steps of the setup, in order. */
export const STEPS = ['company', 'people', 'campaign', 'characters', 'story', 'play'] as const
export type Step = (typeof STEPS)[number]

/** By this id the company of the sample table is found again. */
const EXTERNAL_ID = 'guildhall-sample-table'
const DONE = 'guildhall_setup_done'

/** The table, as far as it is made. */
export interface SampleTable {
  company: Company
  people: People
  campaign: Campaign
}

/** Finds the company of the sample table. It may be unfinished. */
export async function findSample(gh: Guildhall, signal?: AbortSignal): Promise<Company | undefined> {
  const { items } = await gh.companies.list({ external_id: EXTERNAL_ID, limit: 1 }, { signal })
  return items[0]
}

/** True for the company of a sample table whose setup has not ended. */
export const isUnfinished = ({ external_id, metadata }: Pick<Company, 'external_id' | 'metadata'>): boolean =>
  external_id === EXTERNAL_ID && !metadata[DONE]

/** Makes the sample table, and says which step begins. It can be repeated at any time: existing resources are kept. */
export async function setUpTable(gh: Guildhall, onStep: (step: Step) => void): Promise<SampleTable> {
  onStep('company')
  const company = (await findSample(gh)) ?? (await makeCompany(gh))
  const companyApi = gh.company(company.id)
  onStep('people')
  const people = await makePeople(companyApi)
  const as = (person: PersonKey) => companyApi.as(people[person].id)
  onStep('campaign')
  const campaign = await makeCampaign(as('storyteller'))
  const making: Making = { people, as, campaignId: campaign.id, campaignAs: (person) => as(person).campaign(campaign.id) }
  if (isUnfinished(company)) {
    onStep('characters')
    const characters = await makeCharacters(making)
    onStep('story')
    await makeStory(making)
    onStep('play')
    await makePlay(making, characters)
    await gh.companies.update(company.id, { metadata: { [DONE]: 'true' } })
  }
  return { company, people, campaign }
}

async function makeCompany(gh: Guildhall): Promise<Company> {
  // The Idempotency-Key counts the archived tables. Otherwise the service would replay the reply for one that was archived within the last hour.
  const { total } = await gh.companies.list({ external_id: EXTERNAL_ID, archived: true, limit: 0 })
  return gh.companies.create({ ...adventure.company, external_id: EXTERNAL_ID }, onceOptions(`company ${total}`))
}

async function makePeople(api: CompanyHandle): Promise<People> {
  const made: [PersonKey, { id: string; name: string }][] = []
  for (const { key, name, role } of adventure.people) made.push([key, await api.users.link(`${EXTERNAL_ID}:${key}`, { name, role })])
  return Object.fromEntries(made) as People
}

async function makeCampaign(storyteller: UserHandle): Promise<Campaign> {
  const { items } = await storyteller.campaigns.list({ mine: true, limit: 100 })
  const { total } = await storyteller.campaigns.list({ archived: true, limit: 0 })
  const { id } = await once<{ id: string; metadata: Record<string, string> }>(items, 'campaign', (metadata) =>
    storyteller.campaigns.create({ ...adventure.campaign, metadata }, onceOptions(`campaign ${total}`)),
  )
  return storyteller.campaigns.get(id)
}
