import { text } from './text.ts'

export type Mode = 'notation' | 'pool'

/** The part of the tray that decides which dice fall. */
export interface Draft {
  mode: Mode
  notation: string
  /** The total that the dice are to reach. */
  target: string
  pool: string
  difficulty: string
  desperation: number
}

/** A pool as a request has it. */
type Pool = ({ dice: number; traits?: never } | { traits: string[]; dice?: never }) & {
  modifier?: number
  difficulty?: number
  desperation_dice?: number
}

/** The dice of a request, or the reason why there are none yet. */
export type Dice = { notation: string; target?: number; pool?: never } | { pool: Pool; notation?: never }
export type Parsed = { dice: Dice } | { fault: string }

const PART = /([+-]?)\s*([^+-]+)/g

/** The parts of a sum such as `wits + stealth - 1`. */
function partsOf(source: string): { sign: string; value: string }[] {
  return [...source.matchAll(PART)].map(([, sign = '', value = '']) => ({ sign, value: value.trim() })).filter(({ value }) => value)
}

/** The name of a trait as the service has it: in lower case, with underscores. */
const traitName = (value: string) => value.toLowerCase().replace(/\s+/g, '_')

/** The names of traits in the text of a pool. */
export const namesIn = (source: string): string[] =>
  partsOf(source)
    .filter(({ value }) => !/^\d+$/.test(value))
    .map(({ value }) => traitName(value))

/** Reads the text of a pool. Numbers alone are dice; next to traits they add dice or take them away. */
function readPool({ pool, difficulty, desperation }: Draft): Parsed {
  const parts = partsOf(pool)
  if (!parts.length) return { fault: text.nothingInPool }
  let sum = 0
  const traits: string[] = []
  for (const { sign, value } of parts) {
    if (/^\d+$/.test(value)) sum += sign === '-' ? -Number(value) : Number(value)
    else if (sign === '-') return { fault: text.minusName }
    else traits.push(traitName(value))
  }
  const rest = { ...(difficulty.trim() && { difficulty: Number(difficulty) }), ...(desperation > 0 && { desperation_dice: desperation }) }
  if (!traits.length) return { dice: { pool: { dice: sum, ...rest } } }
  return { dice: { pool: { traits, ...(sum && { modifier: sum }), ...rest } } }
}

/** Parses the input of the tray into a request. The service validates it. */
export function readDraft(draft: Draft): Parsed {
  if (draft.mode === 'pool') return readPool(draft)
  const notation = draft.notation.trim()
  const target = draft.target.trim()
  return notation ? { dice: { notation, ...(target && { target: Number(target) }) } } : { fault: text.nothing }
}

/** Adds a die to the notation: one more of the last kind, or another kind. */
export function addDie(draft: Draft, die: string): Draft {
  const notation = draft.notation.trim()
  const last = new RegExp(`(^|[+-])(\\d*)${die}$`).exec(notation)
  if (last) return { ...draft, notation: `${notation.slice(0, last.index)}${last[1]}${Number(last[2] || 1) + 1}${die}` }
  return { ...draft, notation: notation ? `${notation}+1${die}` : `1${die}` }
}

/** Adds a trait to the text of the field, or takes it out of a pool that has it. */
export function toggleTrait(draft: Draft, name: string): Draft {
  if (draft.mode === 'notation') {
    const notation = draft.notation.trim()
    return { ...draft, notation: notation ? `${notation}+{${name}}` : `{${name}}` }
  }
  const parts = partsOf(draft.pool)
  const others = parts.filter(({ value }) => traitName(value) !== name)
  const kept = others.length < parts.length ? others : [...parts, { sign: '+', value: name }]
  const joined = kept.map(({ sign, value }, index) => (index ? ` ${sign || '+'} ${value}` : `${sign === '-' ? '-' : ''}${value}`)).join('')
  return { ...draft, pool: joined }
}

/** Incomplete notation, such as `2d` or `1d6+`. */
const UNFINISHED = /[d+\-*/({[<>=]$|\{\w*$/i

/** False for incomplete notation, for which the service would refuse to compute odds. */
export const isFinished = (dice: Dice): boolean => !UNFINISHED.test(dice.notation ?? '')
