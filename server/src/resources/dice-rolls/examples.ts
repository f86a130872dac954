import { Id } from '../../core/fields.ts'
import { example } from '../../http/reference/example.ts'

/** The ids that all examples of the reference use; the page of the reference replaces them with those of the reader. */
const character_id = example(Id('Character identifier')) as string
const campaign_id = example(Id('Campaign identifier')) as string

/** One example for each way of rolling. */
export const ROLL_EXAMPLES = {
  pool: { summary: 'A pool of dice', value: { pool: { dice: 5, difficulty: 7 }, comment: 'Climbing the lighthouse' } },
  notation: { summary: 'Notation', value: { notation: '4d6kh3+2', comment: 'Strength' } },
  target: { summary: 'Notation with a target', value: { notation: '1d20+5', target: 15, naturals: true, comment: 'To hit' } },
  traits: {
    summary: 'A pool from the traits of a character',
    value: { pool: { traits: ['wits', 'stealth'], difficulty: 7 }, character_id, comment: 'Past the guard' },
  },
  blind: {
    summary: 'A roll whose result only the storytellers see (BLIND)',
    value: { notation: '1d20', campaign_id, visibility: 'BLIND', comment: 'Is he lying?' },
  },
  desperation: {
    summary: 'A pool with desperation dice',
    value: { pool: { dice: 4, difficulty: 6, desperation_dice: 2 }, campaign_id, comment: 'All or nothing' },
  },
  several: {
    summary: 'Several rolls at once',
    value: {
      rolls: [
        { label: 'Hit', notation: '1d20+5', target: 15 },
        { label: 'Damage', notation: '2d6+3' },
      ],
    },
  },
}
