import type { Creation, CreationStep } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { labelIn } from '../../rules/document.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { type CreationDocument, type Method, methodsOf } from './document.ts'
import { firstAnswer, firstMethod, type StepDraft } from './draft.ts'
import { answerFaults, inOwnWords } from './faults.ts'
import { sortFaults } from './sort-faults.ts'
import { StepFields } from './step-fields.tsx'
import { text } from './text.ts'

interface StepProps {
  document: CreationDocument
  creation: Creation
  step: CreationStep
  /** The answer that was entered and not sent yet. */
  draft: StepDraft | undefined
  onDraft: (draft: StepDraft | undefined) => void
  /** Takes the reply to a change. */
  onChange: (creation: Creation) => void
  onNext: () => void
  /** Goes to the step before; undefined in the first one. */
  onBack: (() => void) | undefined
}

/** A way to answer, in a few words. */
function wayOf(document: CreationDocument, { kind, slot = '', values = [], budget = 0, dice = '', pools = [] }: Method) {
  const label = kind === 'choose' ? labelIn(document.choices, slot) : text.methods[kind]
  const hint = {
    choose: undefined,
    array: values.join(', '),
    points: text.wayHints.points(budget),
    priority: pools.join(', '),
    dice: text.wayHints.dice(dice),
  }[kind]
  return { label, hint }
}

/** A step: the ways to answer it if there are several, its fields, and what is wrong with the answer. */
export function Step({ document, creation, step, draft, onDraft, onChange, onNext, onBack }: StepProps) {
  const { api } = useCampaign()
  const [problem, setProblem] = useState<unknown>()
  const methods = methodsOf(step)
  const chosen = draft?.method ?? firstMethod(step)
  const method = methods[chosen] as Method
  const answer = draft?.answer ?? firstAnswer(document, step, method)
  const isStored = draft?.answer === undefined && step.done && step.method === method.kind

  const enter = (next: StepDraft | undefined) => {
    setProblem(undefined)
    onDraft(next)
  }
  const { run, busy } = useAction(
    async (work: () => Promise<unknown>) => {
      setProblem(undefined)
      try {
        await work()
      } catch (error) {
        setProblem(inOwnWords(error))
        throw error
      }
    },
    { isShownByForm: true },
  )
  const roll = () =>
    run(async () => {
      onChange(await api.creations.roll(creation.id, step.id))
      onDraft({ method: chosen })
    })
  const surprise = () =>
    run(async () => {
      onChange(await api.creations.random(creation.id, { steps: [step.id] }))
      onDraft(undefined)
    })
  const send = () => {
    if (isStored) return onNext()
    if (method.kind === 'dice' && !step.rolled) return setProblem(new Error(text.dice.missing))
    if (answer === '') return setProblem(new Error(text.choose.missing))
    run(async () => {
      onChange(await api.creations.answer(creation.id, step.id, { method: method.kind, answer }))
      onDraft(undefined)
      onNext()
    })
  }

  const refused = answerFaults(problem)
  // Another answer may have made this one wrong. Its faults are shown until something is entered.
  const faults = sortFaults(refused ?? (draft?.answer === undefined ? step.faults : []), document)
  return (
    <form
      class="step-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {methods.length > 1 && (
        <RadioCards
          label={text.ways}
          value={String(chosen)}
          cards={methods.map((each, index) => ({ value: String(index), ...wayOf(document, each) }))}
          onChange={(index) => enter({ method: Number(index) })}
        />
      )}
      {/* Replies replace the fields: a random answer is not what was entered. */}
      <StepFields
        key={`${chosen} ${creation.version}`}
        document={document}
        method={method}
        rolled={step.rolled}
        answer={answer}
        onAnswer={(next) => enter({ method: chosen, answer: next })}
        onRoll={roll}
        busy={busy}
        faults={faults.byTrait}
      />
      {faults.others.length > 0 && (
        <ul class="step-faults" role="alert">
          {faults.others.map((fault) => (
            <li key={fault} class="error">
              {fault}
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && !refused && <Problem error={problem} />}
      <footer class="step-end">
        {onBack && <Button onClick={onBack}>{text.back}</Button>}
        <Button icon="dice" class="surprise" busy={busy} onClick={surprise}>
          {text.surprise}
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {text.next}
        </Button>
      </footer>
    </form>
  )
}
