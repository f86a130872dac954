import { type Static, Type } from 'typebox'
import { archivable, Enum, Id, Int, Name, Nullable, Text } from '../../core/fields.ts'

export const STATUSES = ['PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED'] as const
export type Status = (typeof STATUSES)[number]
export const CampaignStatus = (description: string) => Enum('CampaignStatus', STATUSES, description, 'ACTIVE')

/** What storytellers set, and how far it goes. */
export const HIGHEST = 5
const settings = {
  danger: Int(0, HIGHEST, 'How dangerous the world is to the characters, 0 at first; storytellers set it', 2),
  desperation: Int(0, HIGHEST, 'How desperate the characters are, 0 at first; storytellers set it', 1),
}
export type Setting = keyof typeof settings
export const SETTINGS = Object.keys(settings) as Setting[]

/** What a client may write. */
const writable = {
  name: Name('Campaign name', 'Fall of Kingsport'),
  description: Nullable(Text(10_000, 'What the campaign is about', 'A harbour town, and what came out of the sea')),
  status: CampaignStatus('Where the campaign stands; ACTIVE unless said otherwise'),
  ...settings,
  in_game_date: Nullable(Text(100, 'The date in the world of the game, in whatever calendar', '13 October 1921')),
}

const Counts = Type.Object(
  {
    members: Int(0, 2_147_483_647, 'Members', 4),
    player_characters: Int(0, 2_147_483_647, 'Characters of players', 3),
    npcs: Int(0, 2_147_483_647, 'Characters of the storyteller that the acting user may see', 7),
    books: Int(0, 2_147_483_647, 'Books', 1),
  },
  { title: 'CampaignCounts', description: 'What is in the campaign, as far as the acting user may see it' },
)

const stored = {
  id: Id('Campaign identifier'),
  company_id: Id('Owning company'),
  user_id: Id('Owner of the campaign'),
  ...writable,
  ...archivable,
}
/** A campaign as it lies in the table. */
export const CampaignRow = Type.Object(stored)
export type CampaignRow = Static<typeof CampaignRow>

export const Campaign = Type.Object({ ...stored, counts: Counts }, { title: 'Campaign', description: 'A game told over many evenings' })
export type Campaign = Static<typeof Campaign>

export const CampaignPatch = Type.Partial(Type.Object(writable), { title: 'CampaignPatch' })
export type CampaignPatch = Static<typeof CampaignPatch>
export const CampaignCreate = Type.Object({ ...CampaignPatch.properties, name: writable.name }, { title: 'CampaignCreate' })
export type CampaignCreate = Static<typeof CampaignCreate>

const delta = (what: string) => Type.Optional(Int(-HIGHEST, HIGHEST, `How much to add to ${what}; negative to take away`, 1))
export const CampaignAdjust = Type.Object(
  { danger: delta('danger'), desperation: delta('desperation') },
  { title: 'CampaignAdjust', minProperties: 1 },
)
export const CampaignOwner = Type.Object({ user_id: Id('Who owns the campaign from now on') }, { title: 'CampaignOwner' })
