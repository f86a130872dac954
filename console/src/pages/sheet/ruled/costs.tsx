import type { Cost, Costs } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useLiveLoad } from '../../../data/live-load.ts'
import { Button } from '../../../ui/button.tsx'
import { Show } from '../../../ui/page.tsx'
import type { SheetScope } from '../rights.ts'
import { text } from '../text.ts'
import { BuyDialog } from './buy-dialog.tsx'

const words = text.costs

/** Lists the price of the next step of each trait: the steps that the character can afford, and why not the rest. */
export function TraitCosts({ sheet }: { sheet: SheetScope }) {
  const costs = useLiveLoad(
    (signal) => sheet.api.costs.get({}, { signal }),
    ['character', 'experience', 'tracker', 'campaign'],
    [sheet.path],
  )
  return <Show of={costs}>{(loaded) => <Steps sheet={sheet} costs={loaded} />}</Show>
}

function Steps({ sheet, costs: { available, items } }: { sheet: SheetScope; costs: Costs }) {
  const [bought, setBought] = useState<Cost>()
  if (!items.length) return null
  const affordable = items.filter((step) => step.affordable)
  const dear = items.filter((step) => !step.affordable && step.cost !== null)
  const refused = items.filter(({ cost }) => cost === null)
  return (
    <section class="costs" aria-label={words.title}>
      <h3 class="list-title">{words.title}</h3>
      {affordable.length ? (
        <ul class="rows">
          {affordable.map((step) => (
            <li key={step.trait} class="row cost">
              <StepWords step={step} />
              {sheet.rights.mayRaiseTraits && (
                <Button aria-label={words.raiseNamed(step.label)} onClick={() => setBought(step)}>
                  {words.raise}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p class="quiet">{words.nothing}</p>
      )}
      <Others title={words.dear(dear.length)} of={dear} why={({ cost }) => words.missing((cost ?? 0) - available)} />
      <Others title={words.refused(refused.length)} of={refused} why={(step) => step.refused} />
      {bought && <BuyDialog sheet={sheet} step={bought} available={available} onClose={() => setBought(undefined)} />}
    </section>
  )
}

/** The steps that cannot be taken now, each with the reason. */
function Others({ title, of, why }: { title: string; of: readonly Cost[]; why: (step: Cost) => string | null }) {
  if (!of.length) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul class="rows">
        {of.map((step) => (
          <li key={step.trait} class="row cost">
            <StepWords step={step} />
            <span class="quiet small">{why(step)}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}

function StepWords({ step: { label, from, to, cost } }: { step: Cost }) {
  return (
    <>
      <span class="cost-trait">
        {label} {cost !== null && <span class="quiet">{words.step(from, to)}</span>}
      </span>
      {cost !== null && <strong>{words.price(cost)}</strong>}
    </>
  )
}
