import type { CharacterHandle, SheetRollOddsRequest } from '@guildhall/client'
import { RowBar } from '../charts/rows.tsx'
import { percent } from '../charts/text.ts'
import { labelOf } from '../play/character-words.ts'
import { useOdds } from '../tray/use-odds.ts'
import { text } from './text.ts'

interface RollOddsProps {
  api: CharacterHandle
  name: string
  /** The codes of the outcomes, in the order of the ruleset. */
  codes: readonly string[]
  /** Undefined while a required answer is missing. */
  request: SheetRollOddsRequest | undefined
}

/** The exact chance of each outcome of a roll, as it would be rolled now. */
export function RollOdds({ api, name, codes, request }: RollOddsProps) {
  const { state, isOutdated } = useOdds(request, (sent, options) => api.sheetRolls.odds(name, sent, options))
  if (!state) return null
  // Answers that do not fit are not reported while they are typed. The service explains them when the dice are rolled.
  if (!state.odds) return <p class="quiet">{text.roll.noOdds}</p>
  const { notation } = state.odds
  const outcomes = [...state.odds.outcomes].sort((a, b) => codes.indexOf(a.code) - codes.indexOf(b.code))
  const most = Math.max(...outcomes.map(({ probability }) => probability), Number.MIN_VALUE)
  return (
    <section class={isOutdated ? 'roll-odds outdated' : 'roll-odds'} aria-label={text.roll.odds} aria-busy={isOutdated || undefined}>
      <p class="quiet">
        {text.roll.odds} · <span class="nowrap">{notation}</span>
      </p>
      <ul class="chart-rows">
        {outcomes.map(({ code, label, probability }) => (
          <li key={code}>
            <span class="chart-row-label">{label ?? labelOf(code)}</span>
            <RowBar share={probability / most} />
            <span class="number">{percent(probability)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
