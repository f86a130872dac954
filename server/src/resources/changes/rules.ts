import type { Found } from './selection.ts'

/** An event with its position, as far as it decides who is told what. */
export interface FeedEvent {
  position: number
  id: string
  type: string
  resource_type: string
  resource_id: string
  campaign_id: string | null
  version: number | null
  developer_id: string | null
  user_id: string | null
  request_id: string | null
  reason: string | null
  date_created: string
  visibility: string | null
  visibility_before: string | null
  visibility_after: string | null
  author_id: string | null
  sheet_visibility: string | null
  /** The event changed who sees parts of the resource. */
  shifts: boolean
  /** The event changed the role of a user. */
  changesRole: boolean
  /** The owners of a campaign before and after its transfer. */
  oldOwner: string | null
  newOwner: string | null
  /** The access to a campaign before it was changed. */
  oldAccess: string | null
  /** The request adjusted several traits of a character, and this is not the first of them. */
  isFurther: boolean
}

/** The access of a reader to a campaign, which may be archived. */
export interface CampaignRights {
  isStoryteller: boolean
  isMember: boolean
}

/** The reader of a feed: a user, or a key without an acting user. */
export interface ReaderRights {
  company_id: string
  /** Null without an acting user. */
  user_id: string | null
  /** True if the reader may manage the developers of the company. */
  administers: boolean
  seesAll: boolean
  /** The campaigns that exist for the reader, archived ones too. */
  campaigns: Map<string, CampaignRights>
}

export type Change = 'UPSERT' | 'REMOVE' | 'RESYNC'

/** An event as a reader is told of it. */
export interface Told {
  type: string
  change: Change
  resource_type: string
  id: string
  found: Found | undefined
  /** True if the reader may know who did it and what changed: they could see the resource then, and may see it now. */
  showsEvent: boolean
}

/** The type of the item that tells a reader to read again what they see of a campaign or of the company. */
export const SIGHT_CHANGED = 'sight.changed'

const CREATED = /\.(created|added|awarded|spent|reversed|set)$/
const GONE = /\.(deleted|removed|purged)$/
/** Resources of one user that are in no campaign. */
const PERSONAL = ['note', 'quick_roll', 'dice_seed']
/** Entries of the ledger and rolls never go away by themselves: nothing is told about one that the reader does not see. */
const NEVER_REMOVED = ['experience', 'dice_roll']

/** Resources that are hidden with a character or its sheet. After one is deleted, nothing says if the reader would still see it, so only its end is told. */
const ON_SHEETS = ['item', 'tracker', 'note', 'quick_roll']

/** True if a reader could see a resource of this visibility, under the rules of every read. */
function couldSee(rights: ReaderRights, event: FeedEvent, visibility: string | null): boolean {
  const { resource_type, campaign_id, author_id, user_id } = event
  const standing = campaign_id === null ? undefined : rights.campaigns.get(campaign_id)
  if (campaign_id !== null && !standing) return false
  if (resource_type === 'grant' || resource_type === 'webhook') return rights.administers
  if (PERSONAL.includes(resource_type) && campaign_id === null)
    return user_id === rights.user_id || (rights.user_id === null && rights.seesAll)
  if (rights.seesAll) return true
  if (resource_type === 'invite') return standing?.isStoryteller ?? false
  if (visibility === null || visibility === 'OPEN') return true
  if (author_id !== null && author_id === rights.user_id) return true
  return visibility === 'STORYTELLER' && (standing?.isStoryteller ?? false)
}

/** True if the event made a private campaign public for a reader who is not a member. */
const isOpened = ({ resource_type, oldAccess, campaign_id }: FeedEvent, rights: ReaderRights) =>
  resource_type === 'campaign' && oldAccess === 'MEMBERS' && !rights.seesAll && !rights.campaigns.get(campaign_id as string)?.isMember

/** True if the event made a campaign private, and it no longer exists for the reader. */
const isClosed = ({ resource_type, oldAccess, campaign_id }: FeedEvent, rights: ReaderRights) =>
  resource_type === 'campaign' && oldAccess !== null && oldAccess !== 'MEMBERS' && !rights.campaigns.has(campaign_id as string)

/** Tells the reader that what they see has changed as a whole: their role in the company, or their part in a campaign. */
function sightChange(event: FeedEvent, rights: ReaderRights): Told[] {
  const { type, resource_type, resource_id, campaign_id } = event
  if (rights.user_id === null) return []
  const told = { type: SIGHT_CHANGED, found: undefined, showsEvent: false }
  if (type === 'user.updated' && event.changesRole && resource_id === rights.user_id)
    return [{ ...told, change: 'RESYNC', resource_type: 'company', id: rights.company_id }]
  const isPart = resource_type === 'member' && resource_id === rights.user_id
  const isOwner = type === 'campaign.transferred' && [event.oldOwner, event.newOwner].includes(rights.user_id)
  if (!(isPart || isOwner) || campaign_id === null) return []
  return [{ ...told, change: rights.campaigns.has(campaign_id) ? 'RESYNC' : 'REMOVE', resource_type: 'campaign', id: campaign_id }]
}

/** True if other parts of the resource may be visible after the event than before it. A new character with a hidden sheet hides the experience of its player. */
const isResync = ({ type, resource_type, shifts, sheet_visibility }: FeedEvent) =>
  type.endsWith('.restored') ||
  type === 'campaign.ruleset_changed' ||
  (shifts && (!CREATED.test(type) || sheet_visibility !== null) && ['character', 'campaign'].includes(resource_type))

/** Decides what a reader is told about an event. `found` is the resource as they see it now, if they do. */
export function tellOf(event: FeedEvent, rights: ReaderRights, found: Found | undefined): Told[] {
  const { type, resource_type, resource_id: id } = event
  const told = { resource_type, id, found, showsEvent: couldSee(rights, event, event.visibility) && !isOpened(event, rights) }
  const own = (): Told[] => {
    const isCreated = CREATED.test(type)
    const after = couldSee(rights, event, event.visibility_after ?? event.visibility)
    const before = isCreated ? after : couldSee(rights, event, event.visibility_before ?? event.visibility) && !isOpened(event, rights)
    if (isClosed(event, rights)) return [{ ...told, type: `${resource_type}.vanished`, change: 'REMOVE', showsEvent: false }]
    if (!before && !after) return []
    if (found && !before) return [{ ...told, type: `${resource_type}.appeared`, change: 'RESYNC', showsEvent: false }]
    if (found) return [{ ...told, type, change: isResync(event) ? 'RESYNC' : 'UPSERT' }]
    if (!before || isCreated || NEVER_REMOVED.includes(resource_type)) return []
    if (GONE.test(type)) return [{ ...told, type, change: 'REMOVE', showsEvent: told.showsEvent && !ON_SHEETS.includes(resource_type) }]
    return [{ ...told, type: `${resource_type}.vanished`, change: 'REMOVE', showsEvent: false }]
  }
  return [...own(), ...sightChange(event, rights)]
}

/** True if a reader who does not see the sheet has been told of the request already: the number of items would show how many traits it adjusted. */
export const isRepeated = ({ isFurther, type }: FeedEvent, toldType: string): boolean => isFurther && toldType !== type

/** True if the reader of an event may see other things after it than before: a page ends with it, so that the next one is read with new rights. */
export const changesSight = (event: FeedEvent, user_id: string | null): boolean =>
  user_id !== null && event.resource_id === user_id && /^(user|member)\./.test(event.type)
