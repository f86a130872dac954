import { type Sql, sql } from '../db/sql.ts'

interface Table {
  name: string
  /** Its primary key. */
  key: string[]
  /** What of it belongs to a campaign; absent where nothing does. */
  ofCampaign?: (id: string) => Sql
}

const inCampaign = (id: string) => sql`campaign_id = ${id}`
const ofItsCharacters = (id: string) =>
  sql`character_id IN (SELECT c.id FROM characters c WHERE c.company_id = t.company_id AND c.campaign_id = ${id})`

/**
 * Every table of a company, children before what they refer to: the order in which a purge can delete them. Statistics are
 * not here for a campaign: its part in those of the company is taken out first.
 */
export const TABLES: Table[] = [
  { name: 'idempotency_keys', key: ['company_id', 'developer_id', 'key_hash'] },
  // That it was purged stays, also where another process still looks for what is left.
  { name: 'events', key: ['company_id', 'id'], ofCampaign: (id) => sql`campaign_id = ${id} AND type <> 'campaign.purged'` },
  { name: 'dice_days', key: ['company_id', 'tally_id', 'day'] },
  { name: 'dice_faces', key: ['company_id', 'tally_id', 'sides'] },
  { name: 'dice_traits', key: ['company_id', 'tally_id', 'trait'] },
  { name: 'dice_tallies', key: ['company_id', 'id'] },
  { name: 'dice_rolls', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'dice_seeds', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'quick_rolls', key: ['company_id', 'id'] },
  { name: 'experience_entries', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'experience_balances', key: ['company_id', 'campaign_id', 'user_id'], ofCampaign: inCampaign },
  { name: 'notes', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'inventory', key: ['company_id', 'id'], ofCampaign: ofItsCharacters },
  { name: 'chapters', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'books', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'characters', key: ['company_id', 'id'], ofCampaign: inCampaign },
  { name: 'members', key: ['company_id', 'campaign_id', 'user_id'], ofCampaign: inCampaign },
  { name: 'counters', key: ['company_id', 'collection', 'shard'] },
  { name: 'campaigns', key: ['company_id', 'id'] },
  { name: 'users', key: ['company_id', 'id'] },
  { name: 'grants', key: ['company_id', 'id'] },
]
