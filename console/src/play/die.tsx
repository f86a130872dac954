import type { Die as DieData } from '@guildhall/client'
import { text } from './text.ts'

/** The solids that are drawn, as symbols in index.html, and the line on which their numbers stand. */
const SHAPES = [
  [4, 66],
  [6, 60],
  [8, 54],
  [10, 55],
  [12, 63],
  [20, 62],
] as const

/** Dice with sides that no solid has look like the next larger one. Percentile dice look like a d10. */
function shapeOf(sides: number): readonly [sides: number, line: number] {
  if (sides === 100) return [10, 55]
  return SHAPES.find(([each]) => sides <= each) ?? [20, 62]
}

interface SolidProps {
  sides: number
  /** The face that the die shows. Without it the die is blank. */
  face?: string | undefined
  look?: string
  title?: string
}

/** A die as a solid with facets. Screen readers hear the words of the group around it. */
export function Solid({ sides, face, look, title }: SolidProps) {
  const [shape, line] = shapeOf(sides)
  const symbol = { '+': 'plus6', '−': 'minus6', '': undefined }[face ?? ''] ?? (sides === 6 && face ? `pips-${face}` : undefined)
  return (
    <svg class={look ? `die ${look}` : 'die'} viewBox="0 0 100 100" aria-hidden="true">
      {title && <title>{title}</title>}
      <use href={`#d${shape}`} />
      {symbol ? (
        <use href={`#${symbol}`} />
      ) : (
        face && (
          <text class={face.length > 2 ? 'long' : undefined} x="50" y={line}>
            {face}
          </text>
        )
      )}
    </svg>
  )
}

/** One color for each die: what happened to it, or its kind. */
function lookOf({ kind, sides, flags }: DieData): string | undefined {
  const has = (flag: DieData['flags'][number]) => flags.includes(flag)
  if (has('dropped')) return 'dropped'
  if (has('botch') || (sides === 20 && has('natural_min'))) return 'botch'
  if (has('critical') || (sides === 20 && has('natural_max'))) return 'critical'
  if (kind !== 'NORMAL') return kind === 'SPECIAL' ? 'special' : 'desperate'
  return has('success') ? 'hit' : undefined
}

const FUDGE = ['−', '', '+']

function Die({ die, isFudge, hasMarks }: { die: DieData; isFudge: boolean; hasMarks: boolean }) {
  const { value, sides, flags } = die
  const face = isFudge ? FUDGE[value + 1] : String(value)
  const solid = <Solid sides={isFudge ? 6 : sides} face={face} look={lookOf(die)} title={nameOf(die)} />
  if (!hasMarks) return solid
  const hits = flags.includes('dropped') ? 0 : flags.includes('critical') ? 2 : flags.includes('success') ? 1 : 0
  return (
    <span class="die-spot">
      {solid}
      <span class="die-marks">
        {Array.from({ length: hits }, (_, index) => (
          <i key={index} />
        ))}
        {flags.includes('botch') && <i class="minus" />}
      </span>
    </span>
  )
}

const nameOf = (die: DieData) =>
  text.die(die.value, die.sides, text.kinds[die.kind]) + (die.flags.includes('dropped') ? `, ${text.dropped}` : '')

/** More dice than this are counted, and not drawn. */
const MAX_DRAWN = 40
/** With more dice than this, each is smaller. */
const MAX_LARGE = 5

interface DiceProps {
  dice: readonly DieData[]
  /** Successes are counted: they are dots below each die. */
  hasMarks?: boolean
  /** The notation is one of Fudge dice, which have signs. */
  isFudge?: boolean
}

/** The dice of a roll, or of one of its terms. */
export function Dice({ dice, hasMarks = false, isFudge = false }: DiceProps) {
  return (
    <span class={dice.length > MAX_LARGE ? 'dice pool' : 'dice'} role="img" aria-label={dice.map(nameOf).join('; ')}>
      {dice.slice(0, MAX_DRAWN).map((die, index) => (
        <Die key={index} die={die} hasMarks={hasMarks} isFudge={isFudge && die.sides === 3} />
      ))}
      {dice.length > MAX_DRAWN && <span class="term">+{dice.length - MAX_DRAWN}</span>}
    </span>
  )
}
