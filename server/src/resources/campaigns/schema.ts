import { type Static, Type } from '@guildhall/rules/type'
import {
  applicationFields,
  applicationPatch,
  archivable,
  Enum,
  Id,
  Int,
  Name,
  Nullable,
  Text,
  Unset,
  WithDefault,
  WithStatedDefault,
} from '../../core/fields.ts'

export const STATUSES = ['PLANNED', 'ACTIVE', 'PAUSED', 'COMPLETED'] as const
export type Status = (typeof STATUSES)[number]
export const CampaignStatus = (description: string) => Enum('CampaignStatus', STATUSES, description, 'ACTIVE')

export const MAX_LEVEL = 5
/** Validation does not fill in the levels of a new campaign, because a PLAYER may create a campaign only if the body does not contain them. */
const levels = {
  danger: Int(0, MAX_LEVEL, 'How dangerous the world is to the characters. Set by storytellers', 2),
  desperation: Int(0, MAX_LEVEL, 'How desperate the characters are. Set by storytellers', 1),
}
export type Level = keyof typeof levels
export const LEVELS = Object.keys(levels) as Level[]

const access = Enum(
  'CampaignAccess',
  ['COMPANY', 'MEMBERS'],
  'The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS)',
)
const joining = Enum(
  'CampaignJoining',
  ['OPEN', 'INVITE'],
  'How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE)',
)
const status = CampaignStatus('Status of the campaign')
const trait_changes = Enum(
  'TraitChanges',
  ['ANYONE', 'STORYTELLER', 'EXPERIENCE'],
  'Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience',
)
const experience_per = Enum(
  'ExperiencePer',
  ['USER', 'CHARACTER'],
  'Owner of the experience in the campaign: each user, or each character. It cannot change after the first award',
)

const levels_display = Enum(
  'LevelsDisplay',
  ['SHOWN', 'HIDDEN'],
  'Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes',
)

/** The version of a ruleset that the campaign is played by. It has a path of its own, because choosing one may change every character. */
const ruleset = {
  ruleset_version_id: Unset(Id('The version of a ruleset that the campaign is played by; null for none')),
  ruleset_mode: Unset(
    Enum(
      'RulesetMode',
      ['STRICT', 'ADVISORY'],
      'STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet. Null without a ruleset',
    ),
  ),
}

/** The fields that a client may write. */
const writable = {
  name: Name('Campaign name', 'Fall of Kingsport'),
  description: Nullable(Text(10_000, 'What the campaign is about', 'A harbor town, and what came out of the sea')),
  status,
  ...levels,
  levels_display,
  trait_changes,
  access,
  joining,
  in_game_date: Nullable(Text(100, 'The current date in the game world, in any calendar', '13 October 1921')),
  experience_per,
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
  ...ruleset,
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
    danger: WithStatedDefault(levels.danger, 0),
    desperation: WithStatedDefault(levels.desperation, 0),
    status: WithDefault(status, 'ACTIVE'),
    access: WithDefault(access, 'COMPANY'),
    joining: WithDefault(joining, 'OPEN'),
    trait_changes: WithDefault(trait_changes, 'ANYONE'),
    experience_per: WithDefault(experience_per, 'USER'),
    levels_display: WithDefault(levels_display, 'SHOWN'),
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
