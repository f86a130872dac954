import type { Odds as OddsData, OddsRequest } from '@guildhall/client'
import { type Bar, Bars } from '../charts/bars.tsx'
import { percent } from '../charts/text.ts'
import { useActing } from '../data/acting.ts'
import { chanceInWords } from './chance.ts'
import { text } from './text.ts'
import { useOdds } from './use-odds.ts'

/** The maximum number of bars. Beyond it, a bar stands for several results. */
const MAX_BARS = 60

/** The odds of the roll in the tray: a sentence, and a low chart. */
export function Odds({ request }: { request: OddsRequest | undefined }) {
  const { companyApi, user } = useActing()
  const { state, isOutdated } = useOdds(request, (sent, options) => companyApi.dice.odds(sent, { ...options, onBehalfOf: user.id }))
  if (!state) return null
  // Incomplete input is not reported while typing. The service explains the problem when the dice are rolled.
  if (!state.odds) return isOutdated ? null : <p class="odds quiet">{text.odds.none}</p>
  const { odds } = state
  const summary = describe(odds)
  const target = request && 'target' in request ? request.target : undefined
  return (
    <div class={isOutdated ? 'odds outdated' : 'odds'} aria-busy={isOutdated || undefined}>
      <p class="odds-say">
        {odds.success !== null && <b>{percent(odds.success)}</b>}
        <span>{summary}</span>
      </p>
      <Bars title={text.odds.title} summary={summary} bars={barsOf(odds, target)} format={percent} isThin />
    </div>
  )
}

/** The bars, with those that succeed in green. */
function barsOf({ results, success, of }: OddsData, target: number | undefined): Bar[] {
  const size = Math.ceil(results.length / MAX_BARS)
  const bars: Bar[] = []
  for (let index = 0; index < results.length; index += size) {
    const group = results.slice(index, index + size)
    const [first, last] = [group[0]?.value ?? 0, group.at(-1)?.value ?? 0]
    bars.push({
      label: first === last ? String(first) : `${first}–${last}`,
      value: group.reduce((sum, { probability }) => sum + probability, 0),
      tone: success === null ? 'accent' : of === 'NET' ? toneOfNet(first) : target !== undefined && first >= target ? 'good' : 'plain',
    })
  }
  return bars
}

const toneOfNet = (net: number) => (net > 0 ? 'good' : net < 0 ? 'bad' : 'plain')

/** The odds as sentences. */
function describe({ success, outcomes, mean, deviation, results }: OddsData): string {
  if (success === null) {
    const [lowest, highest] = [results[0]?.value ?? 0, results.at(-1)?.value ?? 0]
    const low = Math.max(lowest, Math.round(mean - deviation))
    return text.odds.total(String(Math.round(mean * 10) / 10), low, Math.min(highest, Math.round(mean + deviation)))
  }
  const botch = outcomes.find(({ outcome }) => outcome === 'BOTCH')?.probability ?? 0
  const sentences = [text.odds.success(chanceInWords(success)), ...(botch >= 0.0005 ? [text.odds.botch(percent(botch))] : [])]
  return sentences.join(' ')
}
