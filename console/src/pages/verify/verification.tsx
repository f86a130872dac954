import type { Explanation, Proof } from '@guildhall/client/dice'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { SealMark } from '../../play/seal.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Show } from '../../ui/page.tsx'
import { CommitmentStep } from './commitment-step.tsx'
import { DiceStep } from './dice-step.tsx'
import { text } from './text.ts'
import { useExplanation } from './use-explanation.ts'
import { WordsStep } from './words-step.tsx'

interface VerificationProps {
  proof: unknown
  roll: unknown
  /** Called once the browser has verified the dice of the roll. */
  onHold?: () => void
  /** Shown below the verdict: a way to go on. */
  children?: ComponentChildren
}

/** The verdict on a roll, and the three steps that lead to it. */
export function Verification({ proof, roll, onHold, children }: VerificationProps) {
  const explanation = useExplanation(proof, roll)
  return (
    <Show of={explanation}>
      {(steps) => (
        <>
          <Verdict steps={steps} onHold={onHold} />
          {children}
          <ol class="steps">
            <CommitmentStep step={steps.commitment} seed={(proof as Proof).server_seed} />
            <WordsStep step={steps.words} proof={proof as Proof} />
            <DiceStep step={steps.dice} proofWords={steps.words.stated.length} isRevealed={steps.commitment.holds !== null} />
          </ol>
        </>
      )}
    </Show>
  )
}

const TITLES = { commitment: text.commitment.title, words: text.words.title, dice: text.dice.title }

function verdictOf({ commitment, words, dice }: Explanation): { tone: 'good' | 'bad' | 'plain'; title: string; detail: string } {
  const { verdict } = text
  const failed = Object.entries({ commitment, words, dice }).filter(([, { holds }]) => holds === false)
  if (failed.length)
    return {
      tone: 'bad',
      title: verdict.fails,
      detail: verdict.failsAt(failed.map(([name]) => `“${TITLES[name as keyof typeof TITLES]}”`)),
    }
  if (commitment.holds === null) return { tone: 'plain', title: verdict.waits, detail: verdict.waitsText }
  if (dice.stated === null) return { tone: 'good', title: verdict.proofHolds, detail: verdict.proofHoldsText }
  if (dice.holds === null) return { tone: 'plain', title: verdict.hidden, detail: dice.faults.join(' ') }
  return { tone: 'good', title: verdict.holds, detail: verdict.holdsText }
}

const ICONS = { bad: 'close', plain: 'clock' } as const

function Verdict({ steps, onHold }: { steps: Explanation; onHold: (() => void) | undefined }) {
  const { tone, title, detail } = verdictOf(steps)
  const holds = tone === 'good' && steps.dice.holds === true
  useEffect(() => {
    if (holds) onHold?.()
  }, [holds])
  return (
    <div class={`verdict ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {tone === 'good' ? <SealMark class="proved" /> : <Icon name={ICONS[tone]} />}
      <div>
        {tone === 'good' && <p class="eyebrow">{text.verdict.where}</p>}
        <h2>{title}</h2>
        <p>{detail}</p>
      </div>
    </div>
  )
}
