import { type Static, Type } from 'typebox'
import { archivable, Id, Name } from '../../core/fields.ts'
import { DiceRollCreate, SavedPool } from '../dice-rolls/request-schema.ts'

/** The fields that clients may write. */
const writable = {
  name: Name('Name of the quick roll; unique among the quick rolls of the user, ignoring case', 'Stealth'),
  pool: SavedPool,
}

export const QuickRoll = Type.Object(
  {
    id: Id('Quick roll identifier'),
    company_id: Id('Owning company'),
    user_id: Id('User who saved the quick roll'),
    ...writable,
    ...archivable,
  },
  { title: 'QuickRoll', description: 'A pool that a user saved to roll it often' },
)
export type QuickRoll = Static<typeof QuickRoll>

export const QuickRollPatch = Type.Partial(Type.Object(writable), { title: 'QuickRollPatch' })
export type QuickRollPatch = Static<typeof QuickRollPatch>
export const QuickRollCreate = Type.Object(writable, { title: 'QuickRollCreate' })
export type QuickRollCreate = Static<typeof QuickRollCreate>

const { modifier, difficulty, desperation_dice } = SavedPool.properties
const { campaign_id, character_id, comment, visibility, client_seed, metadata } = DiceRollCreate.properties
/** The context of the roll, and the values of the pool to override. */
export const QuickRollRoll = Type.Object(
  { campaign_id, character_id, comment, visibility, client_seed, metadata, modifier, difficulty, desperation_dice },
  { title: 'QuickRollRoll', examples: [{ difficulty: 8, comment: 'Past the landlord' }] },
)
export type QuickRollRoll = Static<typeof QuickRollRoll>
