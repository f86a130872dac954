import type { Odds as OddsData } from '@guildhall/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { useQuery } from '../../router.ts'
import { Section } from '../../ui/page.tsx'
import { faultsOf, Problem } from '../../ui/problem.tsx'
import { OddsForm } from './odds-form.tsx'
import { FIRST_DRAFT, type OddsDraft, oddsRequestOf } from './odds-request.ts'
import { OddsResult } from './odds-result.tsx'
import type { People } from './people.ts'
import { text } from './text.ts'

const PAUSE_MS = 250

/** Debounces a value: the result follows once the value has not changed for a moment. */
function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

/** The fields that show their faults themselves. */
const SHOWN = /^(notation|target|naturals|character_id|pool(\.(dice|traits(\.0)?|sides|difficulty|needed|modifier|desperation_dice))?)$/

/** The exact odds of a roll, while it is typed in. */
export function Odds({ people }: { people: People }) {
  const { user, companyApi } = useActing()
  const { campaign } = useCampaign()
  const [notation, setNotation] = useQuery('notation')
  const [draft, setDraft] = useState<OddsDraft>({ ...FIRST_DRAFT, ...(notation !== null && { notation }) })
  const change = (changes: Partial<OddsDraft>) => {
    setDraft((before) => ({ ...before, ...changes }))
    if (changes.notation !== undefined) setNotation(changes.notation)
  }
  const request = JSON.stringify(oddsRequestOf(draft, campaign.id))
  const settled = useDebounced(request)
  const loaded = useLoad<OddsData | undefined>(
    async (signal) => (settled ? companyApi.dice.odds(JSON.parse(settled), { onBehalfOf: user.id, signal, retries: 0 }) : undefined),
    [settled, user.id],
  )
  // While the next odds are computed, the last ones stay.
  const shown = useRef<{ odds: OddsData; draft: OddsDraft }>(undefined)
  if (loaded.data && request === settled) shown.current = { odds: loaded.data, draft }
  const isPending = request !== settled || loaded.isLoading
  const faults = isPending ? {} : faultsOf(loaded.error)
  const isUnexplained = !isPending && loaded.error !== undefined && !Object.keys(faults).some((field) => SHOWN.test(field))
  return (
    <Section title={text.odds.title}>
      <div class="odds">
        <div class="card">
          <OddsForm draft={draft} onChange={change} faults={faults} people={people} />
        </div>
        <div class="card odds-result" aria-busy={isPending}>
          {isUnexplained && <Problem error={loaded.error} onRetry={loaded.reload} />}
          {!settled && <p class="quiet">{text.odds.empty}</p>}
          {settled && !loaded.error && shown.current && <OddsResult {...shown.current} />}
          {settled && !loaded.error && !shown.current && <p class="quiet">{text.odds.working}</p>}
        </div>
      </div>
    </Section>
  )
}
