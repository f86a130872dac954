import { type Static, Type } from 'typebox'
import { applicationFields, applicationPatch, archivable, Enum, Id, Int, Name, Nullable, Text } from '../../core/fields.ts'

export const STATUSES = ['PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED'] as const
export type Status = (typeof STATUSES)[number]
export const CampaignStatus = (description: string) => Enum('CampaignStatus', STATUSES, description, 'ACTIVE')

export const MAX_LEVEL = 5
/** The levels have no `default` in the schema, because a PLAYER may create a campaign only if the body does not contain them. */
const levels = {
  danger: Int(0, MAX_LEVEL, 'How dangerous the world is to the characters. Set by storytellers. Default: 0', 2),
  desperation: Int(0, MAX_LEVEL, 'How desperate the characters are. Set by storytellers. Default: 0', 1),
}
export type Level = keyof typeof levels
export const LEVELS = Object.keys(levels) as Level[]

const status = CampaignStatus('Status of the campaign')

/** The fields that a client may write. */
const writable = {
  name: Name('Campaign name', 'Fall of Kingsport'),
  description: Nullable(Text(10_000, 'What the campaign is about', 'A harbor town, and what came out of the sea')),
  status,
  ...levels,
  in_game_date: Nullable(Text(100, 'The current date in the game world, in any calendar', '13 October 1921')),
  ...applicationFields('campaign'),
}

const Counts = Type.Object(
  {
    members: Int(0, 2_147_483_647, 'Number of members', 4),
    player_characters: Int(0, 2_147_483_647, 'Number of player characters', 3),
    npcs: Int(0, 2_147_483_647, 'Number of NPCs that the acting user may see', 7),
    books: Int(0, 2_147_483_647, 'Number of books', 1),
  },
  { title: 'CampaignCounts', description: 'Numbers of resources in the campaign that the acting user may see' },
)

const stored = {
  id: Id('Campaign identifier'),
  company_id: Id('Owning company'),
  user_id: Id('Owner of the campaign'),
  ...writable,
  ...archivable,
}
/** A row of the table. The counts are not stored. */
export const CampaignRow = Type.Object(stored)

export const Campaign = Type.Object({ ...stored, counts: Counts }, { title: 'Campaign', description: 'A game played over many sessions' })
export type Campaign = Static<typeof Campaign>

export const CampaignPatch = Type.Partial(Type.Object({ ...writable, ...applicationPatch }), { title: 'CampaignPatch' })
export type CampaignPatch = Static<typeof CampaignPatch>
export const CampaignCreate = Type.Object(
  {
    ...Type.Partial(Type.Object(writable)).properties,
    name: writable.name,
    status: Type.Optional({ ...status, default: 'ACTIVE' as const }),
  },
  { title: 'CampaignCreate' },
)
export type CampaignCreate = Static<typeof CampaignCreate>

const delta = (name: Level) => Type.Optional(Int(-MAX_LEVEL, MAX_LEVEL, `Amount to add to ${name}. A negative amount lowers it`, 1))
export const CampaignAdjust = Type.Object(
  { danger: delta('danger'), desperation: delta('desperation') },
  { title: 'CampaignAdjust', minProperties: 1 },
)
export const CampaignOwner = Type.Object({ user_id: Id('The new owner of the campaign') }, { title: 'CampaignOwner' })
