import { type Static, type TSchema, Type } from '@guildhall/rules/type'
import { alternatives, Enum, Flag, Id, Int, Name, Nullable, stored, Text, Timestamp, WithDefault } from '../../core/fields.ts'
import { modifiable, page } from '../../core/page.ts'
import { Character, MAX_TRAIT, MAX_TRAITS, TraitName } from '../characters/schema.ts'

/** The largest number on a sheet, and its negative the smallest: of trackers, and of the traits that an adjustment leaves. */
export const MAX_VALUE = MAX_TRAIT
export const MAX_TRACKERS = 100

/** Validation messages repeat the description after "must be". */
export const TrackerKey = Type.String({ ...TraitName, examples: ['hit_points'] })

const valueField = (suffix = '') => Int(-MAX_VALUE, MAX_VALUE, `The current value, from \`minimum\` to \`maximum\`${suffix}`, 24)
const startField = (suffix = '') => Int(-MAX_VALUE, MAX_VALUE, `The value that a reset sets${suffix}`, 31)
const moverField = (suffix = '') =>
  Enum(
    'TrackerMover',
    ['STORYTELLER', 'MEMBERS', 'PLAYER'],
    `Users who may move the tracker besides the storytellers of the campaign: no one else, the MEMBERS of the campaign, or the PLAYER of the character. Always STORYTELLER if \`visibility\` is not OPEN${suffix}`,
    'PLAYER',
  )
const minimum = Int(-MAX_VALUE, MAX_VALUE, 'The lowest value', 0)
const maximum = Nullable(
  Int(-MAX_VALUE, MAX_VALUE, 'The highest value, above `minimum`. Null: 1,000,000, which does not count as filled', 31),
)

/** The fields that clients may write. */
const writable = {
  label: Name('The name that people read', 'Hit points'),
  value: valueField(),
  minimum,
  maximum,
  start: startField(),
  style: Enum('TrackerStyle', ['NUMBER', 'CLOCK', 'BOXES'], 'A hint for clients that draw the tracker'),
  visibility: Enum(
    'TrackerVisibility',
    ['OPEN', 'NAME_ONLY', 'STORYTELLER'],
    'OPEN for all users; NAME_ONLY hides `value` and `start` from players; STORYTELLER hides the tracker from players, on campaigns and NPCs only',
  ),
  movable_by: moverField(),
}

const fields = {
  id: Id('Tracker identifier'),
  company_id: Id('Owning company'),
  campaign_id: Id('Campaign of the tracker'),
  character_id: Nullable(Id('Character that has the tracker; null if the campaign has it')),
  key: Type.String({ ...TrackerKey, description: 'The name in paths and bodies, in snake_case' }),
  ...writable,
  by_ruleset: Flag('True if the ruleset of the campaign defines the tracker: its limits follow from the sheet'),
  ...stored,
}

/** A row of the table. `parent_id` is the character or campaign that has the tracker. */
export const TrackerRow = Type.Object({
  ...fields,
  parent_id: Id('Character or campaign that has the tracker'),
  hidden_changes: Int(0, 2_147_483_647, 'Number of changes that only storytellers saw'),
})
export type TrackerRow = Static<typeof TrackerRow>

export const Tracker = Type.Object(
  {
    ...fields,
    value: Nullable(valueField('. Null for players if `visibility` is NAME_ONLY')),
    start: Nullable(startField('. Null where `value` is hidden')),
    date_modified: Timestamp(
      'When the resource last changed. Changes of what NAME_ONLY hides do not count, so that players cannot watch them',
    ),
    version: Int(
      1,
      2_147_483_647,
      'Number of changes, from 1; the first part of the ETag. Players see a number that does not count changes of what is hidden from them',
    ),
  },
  { title: 'Tracker', description: 'A number that moves during play, such as hit points, hunger or a clock' },
)
export type Tracker = Static<typeof Tracker>

export const TrackerPatch = Type.Partial(Type.Object(writable), { title: 'TrackerPatch', examples: [{ label: 'Hit points', maximum: 40 }] })
export type TrackerPatch = Static<typeof TrackerPatch>

/** The mover and the start have no `default` in the schema, because theirs depend on other fields. */
export const TrackerSet = Type.Object(
  {
    label: Type.Optional({ ...writable.label, description: 'The name that people read. Default: the key' }),
    value: valueField(),
    minimum: WithDefault(minimum, 0),
    maximum: WithDefault(maximum, null),
    start: Type.Optional(startField('. Default: `maximum`, or `value` if that is null')),
    style: WithDefault(writable.style, 'NUMBER'),
    visibility: WithDefault(writable.visibility, 'OPEN'),
    movable_by: Type.Optional(moverField('. Default: PLAYER on a character, STORYTELLER on a campaign')),
  },
  {
    title: 'TrackerSet',
    examples: [{ label: 'Hit points', value: 24, maximum: 31 }],
  },
)
export type TrackerSet = Static<typeof TrackerSet>

/** Trackers by key. New ones are created in the order of the keys, which is also that of their lists. */
export const TrackersByKey = Type.Unsafe<Record<string, TrackerSet>>({
  title: 'TrackersByKey',
  type: 'object',
  propertyNames: TrackerKey,
  additionalProperties: { ...TrackerSet, additionalProperties: false },
  maxProperties: MAX_TRACKERS,
  description: 'Trackers by key. New ones are created in this order',
  examples: [{ hit_points: { label: 'Hit points', value: 24, maximum: 31 }, hunger: { value: 1, maximum: 5, start: 1 } }],
})

export const TrackersSet = Type.Object({ trackers: TrackersByKey }, { title: 'TrackersSet' })
export type TrackersSet = Static<typeof TrackersSet>

export const SetTrackers = Type.Object(
  { items: Type.Array(Tracker, { maxItems: MAX_TRACKERS, description: 'The trackers that the request names, in its order' }) },
  { title: 'SetTrackers', description: 'The trackers that were set' },
)

const clamp = WithDefault(Flag('`true` stops at the limit instead of rejecting the request'), false)
const reason = Type.Optional(Text(500, 'The reason, for the audit log', 'Bitten by a ghoul'))

export const TrackerAdjust = Type.Object(
  {
    by: Type.Optional(Int(-MAX_VALUE, MAX_VALUE, 'Amount to add; negative to subtract', -7)),
    to: Type.Optional(Int(-MAX_VALUE, MAX_VALUE, 'The new value', 12)),
    clamp,
    reason,
  },
  {
    ...alternatives({ By: { requires: ['by'] }, To: { requires: ['to'] } }),
    title: 'TrackerAdjust',
    examples: [{ by: -7, clamp: true, reason: 'Bitten by a ghoul' }],
  },
)
export type TrackerAdjust = Static<typeof TrackerAdjust>

export const TrackerReset = Type.Object(
  {
    keys: Type.Optional(
      Type.Array(TrackerKey, {
        minItems: 1,
        maxItems: MAX_TRACKERS,
        uniqueItems: true,
        description: 'The trackers to reset. Default: every tracker that the acting user may move',
        examples: [['hit_points']],
      }),
    ),
    reason: Type.Optional(Text(500, 'The reason, for the audit log', 'A long rest')),
  },
  { title: 'TrackerReset' },
)
export type TrackerReset = Static<typeof TrackerReset>

export const ResetTrackers = Type.Object(
  { items: Type.Array(Tracker, { maxItems: MAX_TRACKERS, description: 'The trackers that were reset, in order of creation' }) },
  { title: 'ResetTrackers', description: 'The trackers that were reset' },
)

export const TrackersQuery = Type.Object({ ...page, ...modifiable })

const deltas = (names: TSchema, maxProperties: number, description: string, sample: object) =>
  Type.Optional(
    Type.Unsafe<Record<string, number>>({
      type: 'object',
      propertyNames: names,
      additionalProperties: { type: 'integer', minimum: -MAX_VALUE, maximum: MAX_VALUE, format: 'int32', examples: [-7] },
      minProperties: 1,
      maxProperties,
      description,
      examples: [sample],
    }),
  )

export const CharacterAdjust = Type.Object(
  {
    traits: deltas(TraitName, MAX_TRAITS, 'Amounts to add to traits, by name. The character must have these traits', { corruption: 1 }),
    trackers: deltas(TrackerKey, MAX_TRACKERS, 'Amounts to add to trackers of the character, by key', { hit_points: -7 }),
    clamp,
    reason,
  },
  {
    ...alternatives({ Traits: { requires: ['traits'], allows: ['trackers'] }, Trackers: { requires: ['trackers'] } }),
    title: 'CharacterAdjust',
    examples: [{ traits: { corruption: 1 }, trackers: { hit_points: -7 }, clamp: true, reason: 'Bitten by a ghoul' }],
  },
)
export type CharacterAdjust = Static<typeof CharacterAdjust>

export const AdjustedCharacter = Type.Object(
  {
    ...Character.properties,
    trackers: Type.Array(Tracker, { maxItems: MAX_TRACKERS, description: 'The trackers that the request names, in order of creation' }),
  },
  { title: 'AdjustedCharacter', description: 'A character, with the trackers that the request names' },
)
