import type { Step as StepData } from '@guildhall/client/dice'
import type { ComponentChildren } from 'preact'
import { Icon } from '../../ui/icon.tsx'
import { Badge } from '../../ui/marks.tsx'
import { text } from './text.ts'

interface StepProps {
  number: number
  title: string
  about: string
  step: StepData
  /** True if the step waits for the seed. */
  isWaiting?: boolean
  /** The difference, if the step fails. */
  difference?: string | undefined
  children: ComponentChildren
}

const LOOKS = {
  holds: { icon: 'check', tone: 'good' },
  fails: { icon: 'close', tone: 'bad' },
  waits: { icon: 'clock', tone: 'plain' },
  skipped: { icon: 'minus', tone: 'plain' },
} as const

/** One step of a verification: its state, what it means, and its values. */
export function Step({ number, title, about, step: { holds, faults }, isWaiting = false, difference, children }: StepProps) {
  const state = holds === null ? (isWaiting ? 'waits' : 'skipped') : holds ? 'holds' : 'fails'
  const { icon, tone } = LOOKS[state]
  return (
    <li class={`step ${state}`}>
      <header>
        <span class="step-mark">
          <Icon name={icon} />
        </span>
        <h3>
          {number}. {title}
        </h3>
        <Badge tone={tone}>{text.states[state]}</Badge>
      </header>
      <p class="quiet">{about}</p>
      {holds === false && (
        <p class="step-fault">
          <strong>{faults.join(' ')}</strong> {difference}
        </p>
      )}
      {state === 'skipped' && <p>{faults.join(' ')}</p>}
      {children}
    </li>
  )
}

/** A value of a step with its name. */
export function Value({ name, children, isWrong = false }: { name: string; children: ComponentChildren; isWrong?: boolean }) {
  return (
    <div class={isWrong ? 'value wrong' : 'value'}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Says in a cell whether two values are the same, in words and as a sign. */
export function Same({ isSame }: { isSame: boolean }) {
  return (
    <span class={isSame ? 'same' : 'different'}>
      <Icon name={isSame ? 'check' : 'close'} />
      <span class="visually-hidden">{isSame ? text.same : text.different}</span>
    </span>
  )
}
