import { resolveNames } from '@guildhall/dice/names'
import { NotationFault } from '@guildhall/dice/notation'
import type { Computation } from '../formula/compute.ts'
import type { NamesRead } from '../formula/node.ts'
import { type Scope, withNumbers } from '../formula/scope.ts'
import type { Compiler } from './compiler.ts'
import type { RulesetDocument } from './document.ts'
import type { Input, Roll } from './document-rolls.ts'

/** The dice of a group: a notation with a placeholder for each formula. */
export interface DiceTemplate {
  group: string
  /** The notation with `{v0}`, `{v1}` and so on in place of its formulas. */
  template: string
  formulas: Computation[]
}

export interface CompiledRoll {
  roll: Roll
  values: readonly { name: string; compute: Computation }[]
  cases: readonly { when: Computation | undefined; dice: DiceTemplate[] }[]
  score: Computation
  margin: Computation | undefined
  outcomes: readonly { when: Computation | undefined; outcome: Roll['outcomes'][number] }[]
  /** The names of the sheet that its formulas read, besides the trait of an input. */
  reads: { numbers: readonly string[]; slots: readonly string[] }
  /** The most steps that it takes. */
  cost: number
}

/** A roll keeps every value that its formulas read, so that its outcome can be checked for good. */
export const MAX_VALUES_READ = 48

const BRACES = /\{([^{}]*)\}/g

/** Compiles the formulas of one roll, and adds up their cost. */
class RollCompiler {
  readonly #name: string
  readonly #compiler: Compiler
  cost = 0
  /** Everything that the formulas of the roll read. */
  readonly reads = { numbers: new Set<string>(), slots: new Set<string>() }

  constructor(name: string, compiler: Compiler) {
    this.#name = name
    this.#compiler = compiler
  }

  field(rest: string): string {
    return `rolls.${this.#name}.${rest}`
  }

  fault(rest: string, message: string): undefined {
    return this.#compiler.faults.add(this.field(rest), message)
  }

  /** Notes that the roll may read any trait of a group. */
  read(group: string): void {
    this.#compiler.read.groups.add(group)
  }

  number(text: string | number, rest: string, scope: Scope): Computation | undefined {
    return this.#compute(text, rest, scope, 'number')
  }

  truth(text: string | undefined, rest: string, scope: Scope): Computation | undefined {
    return text === undefined ? undefined : this.#compute(text, rest, scope, 'truth')
  }

  template(group: string, text: string, scope: Scope): DiceTemplate {
    const formulas: (Computation | undefined)[] = []
    const rest = `dice.${group}`
    const template = text.replace(BRACES, (_, formula: string) => {
      formulas.push(this.number(formula, rest, scope))
      return `{v${formulas.length - 1}}`
    })
    if (formulas.every((formula) => formula !== undefined)) this.#check(template, rest)
    return { group, template, formulas: formulas.filter((formula) => formula !== undefined) }
  }

  #check(template: string, rest: string): void {
    try {
      this.#compiler.notation(
        resolveNames(template, () => TRIED),
        this.field(rest),
      )
    } catch (error) {
      if (!(error instanceof NotationFault)) throw error
      this.fault(rest, error.message)
    }
  }

  #compute(text: string | number, rest: string, scope: Scope, needs: 'number' | 'truth'): Computation | undefined {
    const formula = this.#compiler.formula(text, this.field(rest), scope, needs)
    this.cost += formula?.cost ?? 0
    if (formula) this.#note(formula.reads, scope)
    return formula?.compute
  }

  #note({ numbers, groups, slots }: NamesRead, scope: Scope): void {
    for (const name of numbers) this.reads.numbers.add(name)
    for (const group of groups) for (const trait of scope.groups.get(group) ?? []) this.reads.numbers.add(trait)
    for (const slot of slots) this.reads.slots.add(slot)
  }
}

/** The number that stands in for formulas when a notation is checked. */
const TRIED = 4

function checkInput(compiler: RollCompiler, name: string, input: Input, scope: Scope): void {
  const { trait, number, choice, default: chosen, optional } = input
  const rest = `inputs.${name}`
  if ([trait, number, choice].filter((one) => one !== undefined).length !== 1)
    return void compiler.fault(rest, 'has exactly one of trait, number and choice')
  if (optional !== undefined && trait === undefined) compiler.fault(`${rest}.optional`, 'belongs to an input that is a trait')
  if (chosen !== undefined && choice === undefined) compiler.fault(`${rest}.default`, 'belongs to an input that is a choice')
  const traits = scope.groups.get(trait ?? '') ?? []
  if (trait !== undefined) compiler.read(trait)
  if (trait !== undefined && traits.length === 0) compiler.fault(`${rest}.trait`, `there is no group or tag ${trait} with traits`)
  if (number && number.min > number.max) compiler.fault(`${rest}.number`, `has a range from ${number.min} to ${number.max}`)
  if (number?.default !== undefined && (number.default < number.min || number.default > number.max))
    compiler.fault(`${rest}.number.default`, `is not in the range of ${number.min} to ${number.max}`)
  if (choice && Object.keys(choice).length === 0) compiler.fault(`${rest}.choice`, 'has no option')
  if (choice && chosen !== undefined && !Object.hasOwn(choice, chosen))
    compiler.fault(`${rest}.default`, `${chosen} is none of the options`)
}

function checkLast(compiler: RollCompiler, rest: string, cases: readonly { when?: string }[]): void {
  if (cases.at(-1)?.when !== undefined) compiler.fault(rest, 'the last one has no when, so that there is always one')
  else if (cases.slice(0, -1).some(({ when }) => when === undefined))
    compiler.fault(rest, 'only the last one has no when: those after it would never be reached')
}

export function compileRoll(name: string, roll: Roll, document: RulesetDocument, scope: Scope, shared: Compiler): CompiledRoll | undefined {
  const compiler = new RollCompiler(name, shared)
  const { inputs = {}, spends = {}, values = {}, dice, outcomes } = roll
  for (const [input, asked] of Object.entries(inputs)) checkInput(compiler, input, asked, scope)
  for (const [spend, { tracker }] of Object.entries(spends))
    if (!Object.hasOwn(document.trackers ?? {}, tracker)) compiler.fault(`spends.${spend}.tracker`, `there is no tracker ${tracker}`)
  checkOwnNames(compiler, scope, { inputs, spends, values })
  const chosen = Object.entries(inputs).flatMap(([input, { choice }]) => (choice ? [[input, new Set(Object.keys(choice))] as const] : []))
  const numbers = [...Object.keys(inputs).filter((input) => !inputs[input]?.choice), ...Object.keys(spends)]
  let before: Scope = { ...withNumbers(scope, ...numbers), choices: new Map([...scope.choices, ...chosen]) }
  const compiledValues: { name: string; compute: Computation | undefined }[] = []
  for (const [value, text] of Object.entries(values)) {
    compiledValues.push({ name: value, compute: compiler.number(text, `values.${value}`, before) })
    before = withNumbers(before, value)
  }
  const cases = Array.isArray(dice) ? dice : [{ dice }]
  checkLast(compiler, 'dice', cases)
  const compiledCases = cases.map(({ when, dice: groups }, i) => ({
    when: compiler.truth(when, `dice.${i}.when`, before),
    dice: Object.entries(groups).map(([group, text]) => compiler.template(group, text, before)),
  }))
  const after: Scope = { ...withNumbers(before, 'total'), dice: new Set(cases.flatMap(({ dice: groups }) => Object.keys(groups))) }
  const score = compiler.number(roll.score ?? 'total', 'score', after)
  const last = withNumbers(after, 'score')
  const margin = roll.margin === undefined ? undefined : compiler.number(roll.margin, 'margin', last)
  checkLast(compiler, 'outcomes', outcomes)
  const compiledOutcomes = outcomes.map((outcome, i) => ({ outcome, when: compiler.truth(outcome.when, `outcomes.${i}.when`, last) }))
  if (!score) return undefined
  const computed = compiledValues.flatMap(({ name: value, compute }) => (compute ? [{ name: value, compute }] : []))
  const reads = readsOfSheet(compiler, scope, Object.keys(inputs).length + Object.keys(spends).length + Object.keys(values).length)
  return { roll, values: computed, cases: compiledCases, score, margin, outcomes: compiledOutcomes, reads, cost: compiler.cost }
}

/** The names that belong to the sheet, not to the roll itself. `own` is the number of those. */
function readsOfSheet(compiler: RollCompiler, scope: Scope, own: number): CompiledRoll['reads'] {
  const numbers = [...compiler.reads.numbers].filter((name) => scope.numbers.has(name))
  const slots = [...compiler.reads.slots].filter((slot) => scope.choices.has(slot))
  if (numbers.length + own > MAX_VALUES_READ)
    compiler.fault('values', `the roll uses ${numbers.length + own} values, and may use ${MAX_VALUES_READ}: derive sums of groups instead`)
  return { numbers, slots }
}

/** Inputs, spends and values of a roll have names that nothing else has. */
function checkOwnNames(compiler: RollCompiler, scope: Scope, parts: Record<string, object>): void {
  const taken = new Set(['total', 'score'])
  for (const [part, named] of Object.entries(parts))
    for (const name of Object.keys(named)) {
      if (taken.has(name) || scope.numbers.has(name) || scope.choices.has(name))
        compiler.fault(`${part}.${name}`, `${name} is the name of something else: formulas could not tell them apart`)
      taken.add(name)
    }
}
