import type { Die as DieData } from '@guildhall/client'
import { text } from './text.ts'

/** The CSS classes of a die: its kind and its flags. */
function classOf({ kind, flags }: DieData): string {
  const shown = flags.filter((flag) => ['dropped', 'success', 'critical', 'botch', 'natural_max', 'natural_min'].includes(flag))
  return ['die', kind.toLowerCase(), ...shown].join(' ')
}

/** One die as a small square, with its kind as the color of its edge. */
export function Die({ die }: { die: DieData }) {
  const label = text.die(die.value, die.sides, text.kinds[die.kind]) + (die.flags.includes('dropped') ? `, ${text.dropped}` : '')
  return (
    <span class={classOf(die)} role="img" aria-label={label} title={label}>
      {die.value}
    </span>
  )
}

/** More dice than this are counted, and not drawn. */
const MAX_DRAWN = 40

/** The dice of a roll. */
export function Dice({ dice }: { dice: readonly DieData[] }) {
  return (
    <span class="dice">
      {dice.slice(0, MAX_DRAWN).map((die, index) => (
        <Die key={index} die={die} />
      ))}
      {dice.length > MAX_DRAWN && <span class="quiet">+{dice.length - MAX_DRAWN}</span>}
    </span>
  )
}
