import { type DiceSlice, type Die, evaluate, sameDraw } from '@guildhall/dice/evaluate'
import { parseStored } from '@guildhall/dice/notation'
import { diceAtStart, type Outcome, outcomeOf } from '@guildhall/dice/pool'
import { enginePool } from '@guildhall/dice/stored-pool'
import { escapeInline, escapeMarkdown } from '../../core/escape-markdown.ts'
import { oneLine } from '../../core/text.ts'
import type { Result } from './result.ts'
import { withoutSheetValues } from './ruleset-schema.ts'
import type { DiceRollRow } from './schema.ts'
import { usesSheet } from './values.ts'

const isStruckOut = ({ flags }: Die) => flags.includes('dropped') || flags.includes('rerolled')
const faceText = (die: Die) => {
  const face = die.counts_as === undefined ? String(die.value) : `${die.value}→${die.counts_as}`
  return isStruckOut(die) ? `~~${face}~~` : face
}

/** The text of a longer roll states the number of dice instead of their faces. */
const MAX_TEXT_DICE = 100

const facesText = (dice: Die[]) => (dice.length > MAX_TEXT_DICE ? `${dice.length} dice` : dice.map(faceText).join(' '))

/** How many dice a pool had, and why: `3d10 (5 - 2)`. A modifier changes the number of dice, and must not look like a part of a sum. */
function poolText({
  traits,
  dice,
  sides,
  modifier,
  special,
  desperation_dice,
  difficulty,
  needed,
  chance,
}: NonNullable<DiceRollRow['pool']>): string {
  const base = traits.length ? traits.map(({ name, value }) => `${name} ${value}`).join(' + ') : String(dice)
  const modified = modifier ? ` ${modifier > 0 ? '+' : '-'} ${Math.abs(modifier)}` : ''
  const why = traits.length || modifier ? ` (${base}${modified})` : ''
  const count = chance ? 'a chance die' : `${dice + modifier}d${sides}`
  const among = special?.count ? `, ${special.count} ${special.label ?? 'special'}` : ''
  const desperate = desperation_dice ? `, ${desperation_dice} more for desperation` : ''
  const against = difficulty ? ` against ${difficulty}` : ''
  return `${count}${why}${among}${desperate}${against}${needed && needed > 1 ? `, ${needed} needed` : ''}`
}

/** Without the brackets of labels, which here are those of dice. */
const unlabelled = (notation: string) => notation.replace(/\s*\[([^\]]*)\]/g, ' $1')

/** A notation with the faces in the place of the dice, so that it reads as the sum that it is: `[17 ~~4~~]+5`. */
function sumText(notation: string, slices: DiceSlice[], dice: Die[]): string {
  const [only] = slices
  if (only && slices.length === 1 && only.end - only.start === notation.trim().length) return facesText(only.dice)
  if (dice.length > MAX_TEXT_DICE) return `${dice.length} dice`
  let text = ''
  let end = 0
  for (const slice of slices) {
    text += `${unlabelled(notation.slice(end, slice.start))}[${facesText(slice.dice)}]`
    end = slice.end
  }
  return text + unlabelled(notation.slice(end))
}

type Results = Pick<Result, 'net' | 'total' | 'outcome' | 'target' | 'compare'> & Partial<Pick<Result, 'ruleset'>>

/** How the parts of a result are written: what matters, and the words of a ruleset. */
interface Style {
  strong: (part: unknown) => string
  words: (part: string | null) => string
}
const PLAIN: Style = { strong: String, words: String }
const MARKDOWN: Style = { strong: (part) => `**${part}**`, words: (part) => escapeInline(oneLine(String(part))) }

/** The result. Successes are not the sum of the faces, and so are not introduced by an equals sign. */
function resultText({ net, total, outcome, target, compare, ruleset }: Results, { strong, words }: Style = PLAIN): string {
  const fell = net === null ? ` = ${strong(total)}` : `: net ${strong(net)}`
  if (ruleset)
    return `${fell}${ruleset.score === (net ?? total) ? '' : `, score ${ruleset.score}`}, ${words(ruleset.label ?? ruleset.code)}`
  const against = target === null ? '' : compare === 'AT_MOST' ? `, at most ${target}` : ` against ${target}`
  return `${fell}${against}${outcome ? `, ${strong(outcome)}` : ''}`
}

/** The notation or the pool, between the name of the roller and the faces. */
const requestText = ({ pool, notation }: Pick<Result, 'pool' | 'notation'>) => (pool ? poolText(pool) : (notation as string))

interface Named {
  label?: string | null | undefined
  comment?: string | null | undefined
}

/** The parts of a roll that its text shows. */
type TextParts = Results & Pick<Result, 'notation' | 'pool' | 'dice'>

/** The roll on one line. Names and comments are written by users, and must not be able to begin another line. */
export function textOf(roller: string, roll: TextParts & { slices: DiceSlice[] }, { label, comment }: Named = {}): string {
  const { notation, pool, dice, slices } = roll
  const why = [comment, label].filter(Boolean).join(', ')
  const faces = pool ? facesText(dice) : sumText(notation as string, slices, dice)
  const isPlainNumber = !pool && slices.length === 0
  const result = isPlainNumber && faces === String(roll.total) ? resultText(roll).replace(/^ = [^,\s]+/, '') : resultText(roll)
  return oneLine(`${roller}${why ? ` (${why})` : ''}: ${requestText(roll)}: ${faces}${result}`)
}

type RollText = Pick<DiceRollRow, 'notation' | 'formula' | 'values' | 'pool' | 'dice' | 'terms' | 'text'> & Partial<Voidable> & Results

/** Rolls that were never voided may lack the reason. */
type Voidable = Pick<DiceRollRow, 'void_reason'>

const voidPrefix = (reason: string) => oneLine(`VOID (${reason}): `)

/** The text of a voided roll. */
export const voidedText = (text: string, reason: string) => `${voidPrefix(reason)}${text}`

/** The text of a roll as it was before the roll was voided. */
export const unvoidedText = ({ text, void_reason }: Pick<DiceRollRow, 'text'> & Partial<Voidable>) =>
  void_reason == null ? text : text.slice(voidPrefix(void_reason).length)

/** The part of the text of a roll that shows what was asked for. A text without the values of the sheet does not have it. */
export const requestIn = (roll: Pick<Result, 'pool' | 'notation'>) => `: ${requestText(roll)}: `

/**
 * A roll without the values of the sheet, for users who do not see the sheet of the character. The dice fell in public, with their number and
 * the result.
 */
export function withoutTraits<Roll extends RollText>(roll: Roll): Roll {
  if (!usesSheet(roll)) return roll
  if (roll.void_reason != null) {
    const { text, ...rest } = withoutTraits({ ...roll, text: unvoidedText(roll), void_reason: null })
    return { ...rest, void_reason: roll.void_reason, text: voidedText(text, roll.void_reason) } as Roll
  }
  const named = requestIn(roll)
  // The last one, because the comment before it may contain the same text. A text that was cut in the middle of it says only the result.
  const start = roll.text.lastIndexOf(named)
  const roller = start < 0 ? '' : `${roll.text.slice(0, start)}: `
  if (roll.pool) {
    const pool = { ...roll.pool, traits: [] }
    const rest = start < 0 ? resultText(roll).replace(/^ = |^: /, '') : roll.text.slice(start + named.length)
    return { ...roll, values: [], pool, text: `${roller}${poolText(pool)}: ${rest}` }
  }
  // The constant terms are values of the sheet, so no term is shown, and no die refers to one.
  const dice = roll.dice.map(({ term: _, ...die }) => die)
  const faces = dice.length ? `${facesText(dice)} …` : '…'
  const text = `${roller}${faces}${resultText(roll)}`
  const ruleset = roll.ruleset && { ruleset: withoutSheetValues(roll.ruleset) }
  return { ...roll, notation: null, formula: null, values: [], terms: [], ...ruleset, dice, text }
}

/** The text of a roll with its settlement appended. */
export const settledText = (text: string, choice: 'OVERREACH' | 'DESPAIR') =>
  `${text}; ${choice === 'DESPAIR' ? 'DESPAIR makes it a FAILURE' : 'OVERREACH'}`

export const settledOutcome = (outcome: Outcome | null, choice: 'OVERREACH' | 'DESPAIR'): Outcome | null =>
  choice === 'DESPAIR' ? 'FAILURE' : outcome

type StoredRoll = TextParts & Pick<DiceRollRow, 'comment' | 'label' | 'settlement' | 'void_reason'>

/** The outcome before a settlement changed it: it follows from the dice. */
const firstOutcome = ({ pool, net, outcome, settlement }: Pick<StoredRoll, 'pool' | 'net' | 'outcome' | 'settlement'>): Outcome | null =>
  settlement && pool && net !== null ? outcomeOf(net, diceAtStart(enginePool(pool)), pool.needed ?? 1) : outcome

/** The texts that a stored roll had in turn, with another name of the roller: as it was rolled, after its settlement, and after it was voided. */
export function textsFor(roller: string, roll: StoredRoll): { rolled: string; settled: string; text: string } {
  const slices = roll.notation === null ? [] : evaluate(parseStored(roll.notation), sameDraw(roll.dice)).slices
  const rolled = textOf(roller, { ...roll, outcome: firstOutcome(roll), slices }, roll)
  const settled = roll.settlement ? settledText(rolled, roll.settlement) : rolled
  return { rolled, settled, text: roll.void_reason === null ? settled : voidedText(settled, roll.void_reason) }
}

const STRUCK = /~~(-?\d+(?:→-?\d+)?)~~/

/** The faces of dice in Markdown. No text of a person is among them. */
const facesInMarkdown = (faces: string) =>
  faces
    .split(STRUCK)
    .map((part, i) => (i % 2 ? `~~${part}~~` : escapeInline(part)))
    .join('')

/** A notation with faces, in Markdown. Only dice are in brackets, because labels cannot contain any. */
function sumInMarkdown(sum: string, dice: Die[]): string {
  const parts = sum.split(/(\[[^\]]*\])/)
  if (parts.length === 1) return dice.length ? facesInMarkdown(sum) : escapeInline(sum)
  return parts.map((part, i) => (i % 2 ? facesInMarkdown(part) : escapeInline(part))).join('')
}

type ShownRoll = Pick<DiceRollRow, 'text' | 'notation' | 'pool' | 'dice' | 'settlement'> & Results

/** Where the faces begin in the text of a roll, which end at `end`; -1 if they are not found, as in a text that a list has cut. */
function startOfFaces({ text, notation, pool, dice }: ShownRoll, end: number): number {
  if (pool || notation !== null) {
    const named = requestIn({ pool, notation })
    const start = text.lastIndexOf(named, end)
    return start < 0 || start + named.length > end ? -1 : start + named.length
  }
  const faces = facesText(dice)
  return text.startsWith(faces, end - faces.length - ' …'.length) ? end - faces.length - ' …'.length : -1
}

/**
 * The text of a roll in Markdown: struck dice are struck through, and the result is strong. It follows from the fields of the roll as its reader sees them.
 * Everything else is escaped, because people chose names, comments, labels and the words of rulesets.
 */
export function markdownOf(roll: ShownRoll): string {
  const { text, dice, settlement } = roll
  const fell = (style: Style) =>
    resultText({ ...roll, outcome: firstOutcome(roll) }, style) + (settlement ? settledText('', settlement) : '')
  const result = oneLine(fell(PLAIN))
  if (!text.endsWith(result)) return escapeMarkdown(text)
  const end = text.length - result.length
  const start = startOfFaces(roll, end)
  const shown =
    start < 0 ? escapeMarkdown(text.slice(0, end)) : escapeMarkdown(text.slice(0, start)) + sumInMarkdown(text.slice(start, end), dice)
  return shown + fell(MARKDOWN)
}

/** Adds the text in Markdown to a roll that is shown. */
export const withMarkdown = <Roll extends DiceRollRow>(roll: Roll): Roll & { text_markdown: string } => ({
  ...roll,
  text_markdown: markdownOf(roll),
})
