import type { CampaignHandle, UserHandle } from '@guildhall/client'
import type { PersonKey } from './adventure.ts'

export type People = Record<PersonKey, { id: string; name: string }>

/** The people and the campaign, as the parts of the setup use them. */
export interface Making {
  people: People
  /** The operations of one of the people. */
  as: (person: PersonKey) => UserHandle
  /** The operations of one of the people in the campaign. */
  campaignAs: (person: PersonKey) => CampaignHandle
  campaignId: string
}
