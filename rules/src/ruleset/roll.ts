import type { Die } from '@guildhall/dice/evaluate'
import { resolveNames } from '@guildhall/dice/names'
import { MAX_NOTATION_LENGTH, NotationFault, parse } from '@guildhall/dice/notation'
import type { Values } from '../formula/compute.ts'
import { lookUp } from '../formula/tables.ts'
import { own } from '../own.ts'
import type { Ruleset } from './compile.ts'
import type { CompiledRoll, DiceTemplate } from './compile-roll.ts'
import type { Input, Roll } from './document-rolls.ts'
import type { Fault } from './faults.ts'
import { type Sheet, SheetValues } from './sheet.ts'

/** The answers to the inputs of a roll, and how often each spend is paid. */
export interface RollRequest {
  inputs?: Readonly<Record<string, string | number>>
  spends?: Readonly<Record<string, number>>
}

/** A roll up to the fall of the dice. */
export interface ResolvedRoll {
  /** Plain notation, which any dice engine rolls. */
  notation: string
  /** The group of dice of each term of the notation. */
  groupOfTerm: string[]
  /** The values of the roll, by name. */
  values: Record<string, number>
  /** The answers, with defaults. */
  inputs: Record<string, string | number>
  /** The change of each tracker that is paid with the roll. */
  moves: Record<string, number>
  /** Every value that the formulas read, by name: of the sheet, of the payments, and of the roll itself. The inputs are not among them. */
  read: Record<string, number>
  /** The options of the sheet that the formulas ask about. */
  choices: Record<string, string>
}

/** The values of a sheet that a roll kept: with them it comes to the same result, whatever became of the sheet. */
export class KeptValues implements Values {
  readonly #ruleset: Ruleset
  readonly #numbers: Readonly<Record<string, number>>
  readonly #choices: Readonly<Record<string, string>>

  constructor(ruleset: Ruleset, { read, choices }: Pick<ResolvedRoll, 'read' | 'choices'>) {
    this.#ruleset = ruleset
    this.#numbers = read
    this.#choices = choices
  }

  number(name: string): number {
    return own(this.#numbers, name) ?? 0
  }

  table(name: string, key: number): number {
    return lookUp(this.#ruleset.document.tables?.[name] ?? [], key)
  }

  chosen(slot: string): string | null {
    return own(this.#choices, slot) ?? null
  }
}

/** The result of a roll in the words of its game. */
export interface RollVerdict {
  score: number
  margin: number | null
  code: string
  label: string | null
  outcome: NonNullable<Roll['outcomes'][number]['outcome']> | null
  isStrained: boolean
}

/** The values of the sheet, of the answers, and of the dice when they have fallen. */
class RollValues implements Values {
  readonly #sheet: Values
  readonly #numbers = new Map<string, number>()
  readonly #choices = new Map<string, string>()
  dice: (group: string | null) => readonly number[] = () => []

  constructor(sheet: Values) {
    this.#sheet = sheet
  }

  set(name: string, value: number): void {
    this.#numbers.set(name, value)
  }

  choose(name: string, option: string): void {
    this.#choices.set(name, option)
  }

  number(name: string): number {
    return this.#numbers.get(name) ?? this.#sheet.number(name)
  }

  table(name: string, key: number): number {
    return this.#sheet.table(name, key)
  }

  chosen(slot: string): string | null {
    return this.#choices.get(slot) ?? this.#sheet.chosen(slot)
  }
}

/** The faults of a request for a roll. */
export class RollFault extends Error {
  override readonly name: string = 'RollFault'
  readonly faults: Fault[]
  constructor(faults: Fault[]) {
    super(faults.map(({ field, message }) => `${field}: ${message}`).join('; '))
    this.faults = faults
  }
}

/** A roll of a ruleset for one sheet. */
export class SheetRoll {
  readonly #ruleset: Ruleset
  readonly #roll: CompiledRoll
  readonly #values: RollValues
  readonly #sheet: Values
  readonly #faults: Fault[] = []
  readonly resolved: ResolvedRoll

  /** Throws a RollFault if the request does not fit the roll. */
  constructor(ruleset: Ruleset, roll: CompiledRoll, sheet: Sheet | KeptValues, request: RollRequest = {}) {
    this.#ruleset = ruleset
    this.#roll = roll
    this.#sheet = sheet instanceof KeptValues ? sheet : new SheetValues(ruleset, sheet)
    this.#values = new RollValues(this.#sheet)
    const inputs = this.#answer(request.inputs ?? {})
    const moves = this.#pay(request.spends ?? {})
    if (this.#faults.length) throw new RollFault(this.#faults)
    const values: Record<string, number> = {}
    for (const { name, compute } of roll.values) {
      values[name] = compute(this.#values)
      this.#values.set(name, values[name])
    }
    this.resolved = { ...this.#notation(), values, inputs, moves, ...this.#kept(inputs, values) }
  }

  #kept(inputs: ResolvedRoll['inputs'], values: ResolvedRoll['values']): Pick<ResolvedRoll, 'read' | 'choices'> {
    const { roll, reads } = this.#roll
    const asked = Object.entries(roll.inputs ?? {}).flatMap(([name, { trait }]) => (trait === undefined ? [] : (own(inputs, name) ?? [])))
    const ofSheet = [...reads.numbers, ...asked.map(String)].map((name) => [name, this.#sheet.number(name)])
    const paid = Object.keys(roll.spends ?? {}).map((name) => [name, this.#values.number(name)])
    const chosen = reads.slots.flatMap((slot) => (this.#sheet.chosen(slot) === null ? [] : [[slot, this.#sheet.chosen(slot)]]))
    return { read: { ...Object.fromEntries([...ofSheet, ...paid]), ...values }, choices: Object.fromEntries(chosen) }
  }

  /** Judges dice that have fallen for the notation of the roll. */
  judge(dice: readonly Die[], total: number): RollVerdict {
    const { groupOfTerm } = this.resolved
    const kept = dice.filter(({ flags }) => flags.includes('kept'))
    const valuesIn = (group: string | null) =>
      kept.filter(({ term = 0 }) => group === null || groupOfTerm[term] === group).map(({ value, counts_as = value }) => counts_as)
    this.#values.dice = valuesIn
    this.#values.set('total', total)
    const score = this.#roll.score(this.#values)
    this.#values.set('score', score)
    const margin = this.#roll.margin ? this.#roll.margin(this.#values) : null
    const reached = this.#roll.outcomes.find(({ when }) => !when || when(this.#values))
    const { code = '', label = null, outcome = null, strained = false } = reached?.outcome ?? {}
    return { score, margin, code, label, outcome, isStrained: strained }
  }

  #fault(field: string, message: string): undefined {
    this.#faults.push({ field, message })
    return undefined
  }

  #answer(given: Readonly<Record<string, string | number>>): Record<string, string | number> {
    const { inputs = {} } = this.#roll.roll
    const known = Object.keys(inputs)
    for (const name of Object.keys(given))
      if (!Object.hasOwn(inputs, name)) this.#fault(`inputs.${name}`, known.length ? `is none of ${known.join(', ')}` : 'is not asked for')
    const answers: Record<string, string | number> = {}
    for (const [name, input] of Object.entries(inputs)) {
      const answer = this.#answerTo(name, input, own(given, name))
      if (answer !== undefined) answers[name] = answer
    }
    return answers
  }

  #answerTo(name: string, { trait, number, choice, default: chosen, optional }: Input, given: string | number | undefined) {
    const field = `inputs.${name}`
    if (choice) {
      const option = given ?? chosen
      if (option === undefined) return this.#fault(field, `is required: one of ${Object.keys(choice).join(', ')}`)
      if (!Object.hasOwn(choice, option)) return this.#fault(field, `must be one of ${Object.keys(choice).join(', ')}`)
      this.#values.choose(name, String(option))
      return option
    }
    if (trait !== undefined) {
      const traits = this.#ruleset.groups.get(trait) ?? []
      if (given === undefined && !optional) return this.#fault(field, `is required: a trait of ${trait}`)
      if (given !== undefined && !traits.includes(String(given))) return this.#fault(field, `must be a trait of ${trait}`)
      this.#values.set(name, given === undefined ? 0 : this.#sheet.number(String(given)))
      return given
    }
    const { min = 0, max = 0, default: usual } = number ?? {}
    const value = given ?? usual
    if (value === undefined) return this.#fault(field, `is required: a number from ${min} to ${max}`)
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
      return this.#fault(field, `must be a whole number from ${min} to ${max}`)
    this.#values.set(name, value)
    return value
  }

  #pay(given: Readonly<Record<string, number>>): Record<string, number> {
    const { spends = {} } = this.#roll.roll
    for (const name of Object.keys(given)) if (!Object.hasOwn(spends, name)) this.#fault(`spends.${name}`, 'cannot be paid with this roll')
    const moves: Record<string, number> = {}
    for (const [name, { tracker, amount, most }] of Object.entries(spends)) {
      const times = own(given, name) ?? 0
      if (!Number.isInteger(times) || times < 0 || times > most) this.#fault(`spends.${name}`, `must be a whole number from 0 to ${most}`)
      this.#values.set(name, times)
      const move = -amount * times
      if (move !== 0) moves[tracker] = (own(moves, tracker) ?? 0) + move
    }
    return moves
  }

  /** Fills in the dice of the first case that holds. A group whose count comes to 0 or less falls out. */
  #notation(): Pick<ResolvedRoll, 'notation' | 'groupOfTerm'> {
    const { dice } = this.#roll.cases.find(({ when }) => !when || when(this.#values)) as CompiledRoll['cases'][number]
    const parts: string[] = []
    const groupOfTerm: string[] = []
    for (const template of dice) {
      const text = this.#fill(template)
      if (text === null) continue
      const { addends } = this.#parsed(text, template.group)
      parts.push(text)
      for (const _ of addends) groupOfTerm.push(template.group)
    }
    const notation = parts.join(' + ')
    if (notation === '') throw new RollFault([{ field: 'inputs', message: 'no dice would be rolled' }])
    if (notation.length > MAX_NOTATION_LENGTH) throw new RollFault([{ field: 'inputs', message: 'the notation would be too long' }])
    this.#parsed(notation)
    return { notation, groupOfTerm }
  }

  #fill({ group, template, formulas }: DiceTemplate): string | null {
    const numbers = formulas.map((compute) => compute(this.#values))
    const [first = 1] = numbers
    if (/^\{v0\}d/.test(template) && first < 1) return null
    return this.#guarded(group, () => resolveNames(template, (name) => numbers[Number(name.slice(1))] as number))
  }

  #parsed(notation: string, group?: string) {
    return this.#guarded(group, () => parse(notation))
  }

  /** Numbers that are out of the range of a notation are the fault of the inputs. */
  #guarded<Result>(group: string | undefined, work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof NotationFault)) throw error
      throw new RollFault([
        { field: 'inputs', message: `${group ? `the dice of ${group}` : 'the dice'} cannot be rolled: ${error.message}` },
      ])
    }
  }
}
