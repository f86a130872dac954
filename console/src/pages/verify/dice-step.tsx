import type { ComputedRoll, Die, Explanation, ProvenRoll } from '@guildhall/client/dice'
import { text as play } from '../../play/text.ts'
import { Same, Step, Value } from './step.tsx'
import { text } from './text.ts'
import { MAX_ROWS } from './words-step.tsx'

/** The dice follow from the words, and the result from the dice. */
export function DiceStep({ step, proofWords, isRevealed }: { step: Explanation['dice']; proofWords: number; isRevealed: boolean }) {
  const words = text.dice
  const { stated, computed } = step
  const rows = computed && stated ? rowsOf(computed, stated, step.differing) : []
  const wrong = rows.filter(({ isSame }) => !isSame).map(({ number }) => number)
  const results = computed && stated ? resultsOf(computed, stated) : []
  const isResultWrong = results.some(({ isSame }) => !isSame)
  const taken = computed?.drawn.flat().length ?? proofWords
  const difference = [
    wrong.length && words.differs(wrong),
    taken !== proofWords && words.wordsDiffer(taken, proofWords),
    isResultWrong && words.resultDiffers,
  ]
    .filter(Boolean)
    .join(' ')
  return (
    <Step number={3} title={words.title} about={words.about} step={step} difference={difference}>
      {!isRevealed && step.holds !== null && <p>{words.unrevealed}</p>}
      {rows.length > 0 && <DiceTable rows={rows.filter(({ number }) => number <= MAX_ROWS || number === wrong[0])} />}
      {rows.length > MAX_ROWS && <p class="quiet">{text.words.more(rows.length - MAX_ROWS)}</p>}
      {results.length > 0 && (
        <dl class="values results">
          {results.map(({ name, again, given, isSame }) => (
            <Value key={name} name={name} isWrong={!isSame}>
              <strong>{again}</strong> <Same isSame={isSame} />
              {!isSame && ` ${words.statedResult}: ${given}`}
            </Value>
          ))}
        </dl>
      )}
    </Step>
  )
}

interface Row {
  number: number
  sides: number
  formula: string
  discarded: number
  again: string
  given: string
  isSame: boolean
}

/** The face of a die. Its flags are only shown if the faces are the same, and the flags are not. */
const faceOf = (die: Die | undefined, other: Die | undefined, isSame: boolean) =>
  die ? [die.value, ...(isSame || die.value !== other?.value ? [] : die.flags)].join(' ') : text.dice.missing

function rowsOf({ dice, drawn }: ComputedRoll, stated: ProvenRoll, differing: readonly number[]): Row[] {
  return Array.from({ length: Math.max(dice.length, stated.dice.length) }, (_, index): Row => {
    const [again, given, words = []] = [dice[index], stated.dice[index], drawn[index]]
    const word = words.at(-1)
    const isSame = !differing.includes(index)
    const sides = (again ?? given)?.sides ?? 0
    const isFudge = again !== undefined && word !== undefined && (word % sides) - 1 === again.value
    return {
      number: index + 1,
      sides,
      formula: word === undefined ? '' : text.dice.formula(word, sides, isFudge),
      discarded: Math.max(0, words.length - 1),
      again: faceOf(again, given, isSame),
      given: faceOf(given, again, isSame),
      isSame,
    }
  })
}

function DiceTable({ rows }: { rows: readonly Row[] }) {
  const words = text.dice
  return (
    <table class="data step-table">
      <thead>
        <tr>
          <th scope="col">{words.die}</th>
          <th scope="col">{words.sum}</th>
          <th scope="col">{words.computed}</th>
          <th scope="col">{words.stated}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, sides, formula, discarded, again, given, isSame }) => (
          <tr key={number} class={isSame ? undefined : 'wrong'}>
            <th scope="row">
              {number} <span class="quiet">d{sides}</span>
            </th>
            <td>
              {formula}
              {discarded > 0 && <span class="quiet"> ({words.discarded(discarded)})</span>}
            </td>
            <td>{again}</td>
            <td class="verdict-cell">
              {given} <Same isSame={isSame} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function resultsOf(computed: ComputedRoll, stated: ProvenRoll) {
  const words = text.dice
  const outcome = stated.settlement === 'DESPAIR' ? 'FAILURE' : computed.outcome
  const outcomeText = (value: string | null) =>
    value === null ? words.missing : (play.outcomes[value as keyof typeof play.outcomes] ?? value)
  const compare = (name: string, again: string | number | null, given: string | number | null, show = String as (v: never) => string) => ({
    name,
    again: again === null ? words.missing : show(again as never),
    given: given === null ? words.missing : show(given as never),
    isSame: again === given,
  })
  return [
    compare(words.total, computed.total, stated.total),
    compare(words.net, computed.net, stated.net),
    compare(words.outcome, outcome, stated.outcome, outcomeText),
  ].filter(({ again, given }) => again !== words.missing || given !== words.missing)
}
