import type { Explanation } from '@guildhall/client/dice'
import { Step, Value } from './step.tsx'
import { text } from './text.ts'

/** The hash of the seed is the commitment. */
export function CommitmentStep({ step, seed }: { step: Explanation['commitment']; seed: string | null }) {
  const words = text.commitment
  const isWrong = step.holds === false
  return (
    <Step number={1} title={words.title} about={words.about} step={step} isWaiting difference={words.differs}>
      <dl class="values">
        <Value name={words.seed}>{seed === null ? <em class="quiet">{words.secret}</em> : <code>{seed}</code>}</Value>
        {step.computed !== null && (
          <Value name={words.computed} isWrong={isWrong}>
            <code>{step.computed}</code>
          </Value>
        )}
        <Value name={words.stated} isWrong={isWrong}>
          <code>{step.stated}</code>
        </Value>
      </dl>
      {step.holds && <p class="hint">{words.compare}</p>}
    </Step>
  )
}
