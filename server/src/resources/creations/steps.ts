import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { CompiledMethod, CompiledStep } from '@guildhall/rules/ruleset/compile-creation'
import { faultsOfAnswer } from '@guildhall/rules/ruleset/creation'
import { withAnswer } from '@guildhall/rules/ruleset/generate'
import type { Sheet, SheetFault } from '@guildhall/rules/ruleset/sheet'
import { invalid, notFound } from '../../core/problem.ts'
import { ruledSheet } from '../characters/ruled-sheet.ts'
import type { Surroundings } from '../characters/surroundings.ts'
import type { Answered, Creation, CreationRow, Step, StepAnswer } from './schema.ts'

const MAX_SHOWN_FAULTS = 20
const MAX_FAULT_LENGTH = 500

/** A step with its answer, and the sheet before it. */
interface AnsweredStep {
  step: CompiledStep
  before: Sheet
  answered: Answered | undefined
  method: CompiledMethod | undefined
  faults: string[]
}

type Answers = Pick<CreationRow, 'choices' | 'answers' | 'rolled' | 'raised'>

const own = <Value>(values: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

const rolledIn = ({ rolled }: Pick<CreationRow, 'rolled'>, step: string) => own(rolled, step)?.values

/** Returns the faults of an answer. Dice are rolled before they are given to traits. */
function faultsIn(
  ruleset: Ruleset,
  row: Answers,
  step: string,
  method: CompiledMethod,
  before: Sheet,
  answer: Answered['answer'],
): string[] {
  const rolled = rolledIn(row, step)
  if (method.method.kind === 'dice' && !rolled) return ['has no dice yet: roll them first']
  return faultsOfAnswer(ruleset, method, before, answer, rolled)
}

/** Goes through the steps in their order: what an earlier one answered is on the sheet of a later one. */
export function goThrough(ruleset: Ruleset, row: Answers): { steps: AnsweredStep[]; sheet: Sheet } {
  let sheet: Sheet = { choices: row.choices }
  const steps = ruleset.creation.map((step): AnsweredStep => {
    const before = sheet
    const answered = own(row.answers, step.id)
    const method = answered && step.methods[answered.method]
    if (!answered || !method) return { step, before, answered: undefined, method: undefined, faults: [] }
    sheet = withAnswer(ruleset, sheet, method, answered.answer)
    return { step, before, answered, method, faults: faultsIn(ruleset, row, step.id, method, before, answered.answer) }
  })
  return { steps, sheet: { ...sheet, traits: { ...sheet.traits, ...row.raised } } }
}

export const isDone = ({ answered, faults }: AnsweredStep) => answered !== undefined && faults.length === 0

export const stepOf = (ruleset: Ruleset, row: Answers, id: string): AnsweredStep =>
  goThrough(ruleset, row).steps.find(({ step }) => step.id === id) ?? notFound('Step')

/** Finds the method that an answer follows, or rejects the answer with the faults of the first method that it could follow. */
export function checkAnswer(ruleset: Ruleset, row: Answers, id: string, { method: kind, answer }: StepAnswer): Answered {
  const { step, before } = stepOf(ruleset, row, id)
  const possible = [...step.methods.entries()].filter(([, { method }]) => kind === undefined || method.kind === kind)
  const checked = possible.map(([number, method]) => ({ number, method, faults: faultsIn(ruleset, row, id, method, before, answer) }))
  const followed = checked.find(({ faults }) => faults.length === 0)
  if (followed) return { method: followed.number, answer }
  if (checked.length === 0)
    return invalid([{ field: 'method', message: `must be one of ${step.methods.map(({ method }) => method.kind).join(', ')}` }])
  const named = checked.length > 1
  return invalid(
    checked
      .flatMap(({ method, faults }) => faults.map((message) => (named ? `${message} (${method.method.kind})` : message)))
      .slice(0, MAX_SHOWN_FAULTS)
      .map((message) => ({ field: 'answer', message })),
  )
}

const shortened = (text: string) => [...text].slice(0, MAX_FAULT_LENGTH).join('')

function shownStep(row: CreationRow, { step, answered, method, faults }: AnsweredStep): Step {
  return {
    id: step.id,
    label: step.label ?? step.id,
    done: answered !== undefined && faults.length === 0,
    methods: step.methods.map((one) => {
      const { id: _, label: __, ...shown } = one.method as CompiledMethod['method'] & { id?: string; label?: string }
      return shown
    }),
    rolled: own(row.rolled, step.id) ?? null,
    answer: answered?.answer ?? null,
    method: method?.method.kind ?? null,
    faults: faults.slice(0, MAX_SHOWN_FAULTS).map(shortened),
  }
}

/** A check of the whole sheet is a sentence already. */
const sentenceOf = ({ field, message }: SheetFault) => (field === 'sheet' ? message : `${field} ${message}`)

/** A row as it is replied, with its steps and its sheet. */
export function shownCreation(ruleset: Ruleset, row: CreationRow, around: Surroundings): Creation {
  const { choices: _, answers: __, rolled: ___, raised: ____, ...fields } = row
  const { steps, sheet } = goThrough(ruleset, row)
  const { traits = {}, choices = {} } = sheet
  const ruled = ruledSheet(
    ruleset,
    row.version_id,
    { type: row.type, traits: { ...traits }, choices: { ...choices }, conditions: {} },
    around,
  )
  const errors = ruled.faults.filter(({ level }) => level === 'ERROR')
  return {
    ...fields,
    steps: steps.map((step) => shownStep(row, step)),
    sheet: ruled,
    faults: errors.map(sentenceOf),
  }
}
