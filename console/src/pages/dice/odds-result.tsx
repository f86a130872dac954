import type { Odds } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { Bars } from '../../charts/bars.tsx'
import { percent } from '../../charts/chance.ts'
import { text as play } from '../../play/text.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { chanceOfAtLeast, chartOf, likeliestOf } from './distribution.ts'
import type { OddsDraft } from './odds-request.ts'
import { text } from './text.ts'

type Kind = keyof typeof text.odds.shows
const KINDS = Object.entries(text.odds.shows) as [Kind, string][]
const SWATCHES = { BOTCH: 'bad', FAILURE: 'plain', SUCCESS: 'good', CRITICAL: 'good' } as const

/** The odds of a roll as a chart, as a few figures, and in words. */
export function OddsResult({ odds, draft }: { odds: Odds; draft: OddsDraft }) {
  const words = text.odds
  const [kind, setKind] = useState<Kind>('exactly')
  const { of, results, mean, deviation } = odds
  const isCumulative = kind === 'atLeast'
  const { bars, width, meanAt } = chartOf(odds, draft, isCumulative)
  const [low, high] = [results[0]?.value ?? 0, results.at(-1)?.value ?? 0]
  const likeliest = likeliestOf(results)
  const summary = words.summary(of, low, high, mean, likeliest)
  return (
    <>
      <Bars
        title={(isCumulative ? words.atLeastChartOf : words.chartOf)[of]}
        summary={summary}
        bars={bars}
        format={percent}
        isLarge
        columns={[words.columns[of], words.chance]}
        mark={{ at: meanAt, label: words.meanMark(mean) }}
      />
      {width > 1 && <p class="hint">{words.binned(width)}</p>}
      <dl class="facts">
        <Fact name={words.mean} value={words.number(mean)} />
        <Fact name={words.deviation} value={words.number(deviation)} />
        <Fact name={words.likeliest} value={words.number(likeliest)} />
        <Fact name={words.range} value={words.rangeOf(low, high)} />
      </dl>
      <Outcomes odds={odds} />
      <div class="odds-questions">
        <AtLeast odds={odds} first={Math.round(mean)} />
        <Select label={words.show} value={kind} options={KINDS} onChange={setKind} />
      </div>
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Outcomes({ odds: { outcomes, success } }: { odds: Odds }) {
  if (success === null) return null
  return (
    <div class="outcomes">
      <h3>{text.odds.outcomes}</h3>
      <p role="status">{text.odds.success(success)}</p>
      <ul>
        {outcomes.map(({ outcome, probability }) => (
          <li key={outcome}>
            <span class={`swatch ${SWATCHES[outcome]}`} aria-hidden="true" />
            <strong>{play.outcomes[outcome]}</strong> {text.odds.outcome(probability)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Answers how likely a number or more is. Until one is typed in, it is the mean. */
function AtLeast({ odds, first }: { odds: Odds; first: number }) {
  const [typed, setTyped] = useState<string>()
  const value = typed === undefined || typed.trim() === '' ? first : Number(typed)
  return (
    <TextField
      label={text.odds.atLeast}
      value={typed ?? String(first)}
      inputmode="numeric"
      onInput={setTyped}
      hint={<span role="status">{Number.isFinite(value) ? text.odds.atLeastAnswer(value, chanceOfAtLeast(odds.results, value)) : ''}</span>}
    />
  )
}
