import { type Static, Type } from 'typebox'
import { archivable, Id, Name } from '../../core/fields.ts'
import { DiceRollCreate, PoolAsked } from '../dice-rolls/schema.ts'

/** What a client may write. */
const writable = {
  name: Name('Name of the quick roll; unique among the user’s own, whatever the case', 'Stealth'),
  pool: PoolAsked,
}

export const QuickRoll = Type.Object(
  { id: Id('Quick roll identifier'), company_id: Id('Owning company'), user_id: Id('Whose it is'), ...writable, ...archivable },
  { title: 'QuickRoll', description: 'A pool that a user rolls often' },
)
export type QuickRoll = Static<typeof QuickRoll>

/** The pool is replaced whole: half of one pool and half of another would be neither. */
export const QuickRollPatch = Type.Partial(Type.Object(writable), { title: 'QuickRollPatch' })
export type QuickRollPatch = Static<typeof QuickRollPatch>
export const QuickRollCreate = Type.Object(writable, { title: 'QuickRollCreate' })
export type QuickRollCreate = Static<typeof QuickRollCreate>

const { modifier, difficulty, desperation_dice } = PoolAsked.properties
const { campaign_id, character_id, comment, visibility, client_seed } = DiceRollCreate.properties
/** Where it is rolled, and what is different this time. */
export const QuickRollRoll = Type.Object(
  { campaign_id, character_id, comment, visibility, client_seed, modifier, difficulty, desperation_dice },
  { title: 'QuickRollRoll', examples: [{ difficulty: 8, comment: 'Past the landlord' }] },
)
export type QuickRollRoll = Static<typeof QuickRollRoll>
