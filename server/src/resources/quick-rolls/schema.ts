import { type Static, Type } from '@guildhall/rules/type'
import { archivable, Id, Name, Nullable, Unset } from '../../core/fields.ts'
import {
  DiceRollCreate,
  groupFields,
  MAX_ROLLS,
  Missing,
  Notation,
  RollLabel,
  rollFields,
  rollRules,
  rollsRules,
  SavedPool,
  valueFields,
} from '../dice-rolls/request-schema.ts'

const { notation, target, compare, naturals } = rollFields

const SavedRoll = Type.Object(
  { label: Type.Optional(RollLabel), ...rollFields, pool: Type.Optional(SavedPool) },
  {
    ...rollRules,
    title: 'SavedRoll',
    additionalProperties: false,
    description: 'One of several rolls that are saved together',
    examples: [{ label: 'Hit', notation: '1d20+5' }],
  },
)

/** The fields that say what is rolled: the same as those of a roll. */
const content = {
  notation: Unset(notation),
  pool: Nullable(SavedPool),
  target: Unset(target),
  compare: Unset(compare),
  naturals: Unset(naturals),
  rolls: Unset(
    Type.Array(SavedRoll, {
      minItems: 1,
      maxItems: MAX_ROLLS,
      description: `Several rolls at once, such as hit and damage, instead of notation or a pool. At most ${MAX_ROLLS}`,
    }),
  ),
  repeat: Unset(groupFields.repeat),
  values: Unset(valueFields.values),
  missing: Unset(Missing),
}

/** The fields that clients may write. */
const writable = {
  name: Name('Name of the quick roll; unique among those of its user, character or campaign, ignoring case', 'Stealth'),
  ...content,
}

export const QuickRoll = Type.Object(
  {
    id: Id('Quick roll identifier'),
    company_id: Id('Owning company'),
    user_id: Nullable(Id('User who has the quick roll; null if a character or a campaign has it')),
    campaign_id: Unset(Id('Campaign that has the quick roll, or that its character is in; null if a user has it')),
    character_id: Unset(Id('Character that has the quick roll; null if a user or a campaign has it')),
    ...writable,
    ...archivable,
  },
  { title: 'QuickRoll', description: 'A roll that was saved under a name' },
)
export type QuickRoll = Static<typeof QuickRoll>
export type Content = Pick<QuickRoll, keyof typeof content>
export const CONTENT_FIELDS = Object.keys(content) as (keyof Content)[]

export const QuickRollPatch = Type.Partial(Type.Object(writable), {
  title: 'QuickRollPatch',
  examples: [{ name: 'Stealth', pool: { dice: 5, difficulty: 7 } }],
})
export type QuickRollPatch = Static<typeof QuickRollPatch>
export const QuickRollCreate = Type.Object(
  { name: writable.name, ...Type.Partial(Type.Object(content)).properties, notation: Type.Optional(Nullable(Notation)) },
  { ...rollsRules, title: 'QuickRollCreate', examples: [{ name: 'Stealth', pool: { dice: 5, difficulty: 7 } }] },
)
export type QuickRollCreate = Static<typeof QuickRollCreate>

const { modifier, difficulty, desperation_dice } = SavedPool.properties
const { campaign_id, character_id, comment, visibility, client_seed, metadata } = DiceRollCreate.properties
/** The context of the roll without its campaign and character, and what it overrides. */
const rolling = {
  comment,
  visibility,
  client_seed,
  metadata,
  modifier,
  difficulty,
  desperation_dice,
  target,
  values: valueFields.values,
  missing: valueFields.missing,
}
const examples = [{ difficulty: 8, comment: 'Past the landlord' }]

export const QuickRollRoll = Type.Object({ campaign_id, character_id, ...rolling }, { title: 'QuickRollRoll', examples })
export type QuickRollRoll = Static<typeof QuickRollRoll>
export const CampaignQuickRollRoll = Type.Object({ character_id, ...rolling }, { title: 'CampaignQuickRollRoll', examples })
export const CharacterQuickRollRoll = Type.Object(rolling, { title: 'CharacterQuickRollRoll', examples })

export const QuickRollByName = Type.Object(
  { name: Name('Name of the quick roll, ignoring case', 'Stealth'), campaign_id, character_id, ...rolling },
  { title: 'QuickRollByName', examples: [{ name: 'Stealth', difficulty: 8 }] },
)
export type QuickRollByName = Static<typeof QuickRollByName>
