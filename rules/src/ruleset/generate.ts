import { evaluate } from '@guildhall/dice/evaluate'
import { parse } from '@guildhall/dice/notation'
import { own } from '../own.ts'
import type { Ruleset } from './compile.ts'
import type { CompiledMethod } from './compile-creation.ts'
import { faultsOfAnswer, type Random, randomAnswer, type StepAnswer, traitsIn, wholeAnswer } from './creation.ts'
import type { Fault } from './faults.ts'
import { isRefused, priceOf } from './price.ts'
import { deriveSheet, type Sheet, type SheetFault } from './sheet.ts'

/** The most steps that are tried for the experience of a tier. What is left then is not spent. */
const MAX_TIER_TRIES = 2000
/** Steps whose rules leave few answers may need several tries, and so may the checks of a sheet. */
const MAX_ANSWER_TRIES = 20
const MAX_SHEET_TRIES = 20

/** The sheet after an answer, with the values that its rules were checked for. */
export function withAnswer(ruleset: Ruleset, sheet: Sheet, method: CompiledMethod, answer: StepAnswer): Sheet {
  return typeof answer === 'string'
    ? { ...sheet, choices: { ...sheet.choices, [method.method.slot as string]: answer } }
    : { ...sheet, traits: { ...sheet.traits, ...wholeAnswer(ruleset, method, answer) } }
}

/** The steps of computing that one request may take at random, about a second in all. What is left then is not spent, or not tried again. */
const MAX_EFFORT = 8_000_000
/** About the effort of raising a value by points once, and that of a step. */
const RAISE_EFFORT = 100
const STEP_EFFORT = 2000

/** Counts the effort of a request, which other requests wait for. */
export class Effort {
  left = MAX_EFFORT
  spend(amount: number): void {
    this.left -= amount
  }
}

/** A computation that pauses between its parts, so that others get their turn. */
export type InParts<Result> = Generator<undefined, Result>

function atOnce<Result>(parts: InParts<Result>): Result {
  for (let part = parts.next(); ; part = parts.next()) if (part.done) return part.value
}

/** Rolls the values of a step that has dice, one for each trait. */
export const rollValues = (method: CompiledMethod, random: Random): number[] => {
  const { dice } = method.method
  return dice === undefined ? [] : traitsIn(method).map(() => evaluate(parse(dice), random).value)
}

const errorsOf = (ruleset: Ruleset, sheet: Sheet, isPlayer = true): SheetFault[] =>
  deriveSheet(ruleset, sheet, { isPlayer }).faults.filter(({ level }) => level === 'ERROR')

/** Raises a trait by one, if the experience that is left pays for it. Steps that are free or pay have no end, and are not what experience is spent on. */
function raised(ruleset: Ruleset, sheet: Sheet, trait: string): Sheet | null {
  const { earned = 0, spent = 0 } = sheet.xp ?? {}
  const from = own(sheet.traits, trait) ?? ruleset.traits.get(trait)?.default ?? 0
  const price = priceOf(ruleset, sheet, trait, from + 1)
  if (isRefused(price) || price.cost <= 0 || price.cost > earned - spent) return null
  return { ...sheet, traits: { ...sheet.traits, [trait]: from + 1 }, xp: { earned, spent: spent + price.cost } }
}

/** Tries that are made before others get their turn. */
const TRIES_IN_PART = 10

/** Spends experience at random, by the prices of the ruleset, without breaking a rule of the sheet. */
function* spend(ruleset: Ruleset, start: Sheet, budget: number, random: Random, effort: Effort): InParts<Sheet> {
  const all = [...ruleset.traits.keys()].filter((trait) => ruleset.raises.some(({ traits }) => traits.has(trait)))
  let sheet: Sheet = { ...start, xp: { earned: budget, spent: 0 } }
  let errors = errorsOf(ruleset, sheet).length
  let open = [...all]
  for (let tries = 1; tries <= MAX_TIER_TRIES && open.length > 0 && effort.left > 0; tries++) {
    if (tries % TRIES_IN_PART === 0) yield
    effort.spend(effortOf(ruleset))
    const [trait] = open.splice(random(open.length), 1) as [string]
    const next = raised(ruleset, sheet, trait)
    const errorsThen = next ? errorsOf(ruleset, next).length : 0
    if (!next || errorsThen > errors) continue
    sheet = next
    errors = errorsThen
    // A step can make others possible.
    open = [...all]
  }
  return sheet
}

export interface GenerateOptions {
  /** Options that are given, instead of chosen at random. */
  choices?: Readonly<Record<string, string>>
  /** The name of a tier of the ruleset, whose experience is spent. */
  tier?: string
  /** Danger, desperation and trackers of the campaign, which checks may read. */
  campaign?: Readonly<Record<string, number>>
}

/** Answers a step at random. It has faults only if no try kept its rules. */
export function answerAtRandom(ruleset: Ruleset, method: CompiledMethod, sheet: Sheet, random: Random, rolled: readonly number[]) {
  let answer: StepAnswer = ''
  let faults: string[] = []
  for (let tries = 0; tries < MAX_ANSWER_TRIES; tries++) {
    answer = randomAnswer(ruleset, method, sheet, random, rolled)
    faults = faultsOfAnswer(ruleset, method, sheet, answer, rolled)
    if (faults.length === 0) break
  }
  return { answer, faults }
}

/** Spends the experience of a tier of the ruleset, if it has this one. */
export function* withTier(ruleset: Ruleset, sheet: Sheet, tier: string | undefined, random: Random, effort: Effort): InParts<Sheet> {
  const { tiers = {} } = ruleset.document.creation ?? {}
  return tier !== undefined && Object.hasOwn(tiers, tier) ? yield* spend(ruleset, sheet, tiers[tier] as number, random, effort) : sheet
}

/** Chooses options for required choices that have none yet. */
export function withRequired(ruleset: Ruleset, choices: Readonly<Record<string, string>>, random: Random): Record<string, string> {
  const chosen = { ...choices }
  for (const [slot, { required, options }] of Object.entries(ruleset.document.choices ?? {})) {
    const names = Object.keys(options)
    if (required && !Object.hasOwn(chosen, slot)) chosen[slot] = names[random(names.length)] as string
  }
  return chosen
}

/** Answers all steps at random. One that asks for a choice which is given has this answer. */
function* answerSteps(
  ruleset: Ruleset,
  random: Random,
  choices: Readonly<Record<string, string>>,
  effort: Effort,
): InParts<{ sheet: Sheet; faults: Fault[] }> {
  let sheet: Sheet = { choices: { ...choices } }
  const faults: Fault[] = []
  for (const { id, methods } of ruleset.creation) {
    const isGiven = methods.some(({ method: { kind, slot = '' } }) => kind === 'choose' && Object.hasOwn(choices, slot))
    const method = methods[random(methods.length)]
    if (!method || isGiven) continue
    const answered = answerAtRandom(ruleset, method, sheet, random, rollValues(method, random))
    effort.spend(effortOf(ruleset) + STEP_EFFORT + RAISE_EFFORT * raisesIn(answered.answer))
    faults.push(...answered.faults.map((message) => ({ field: `steps.${id}`, message })))
    sheet = withAnswer(ruleset, sheet, method, answered.answer)
    yield
  }
  return { sheet: { ...sheet, choices: withRequired(ruleset, sheet.choices ?? {}, random) }, faults }
}

/** The effort of computing a sheet. */
const effortOf = ({ cost, traits }: Ruleset) => cost + traits.size

/** At least the number of steps in which the values of an answer were raised. */
const raisesIn = (answer: StepAnswer) =>
  typeof answer === 'string' ? 0 : Object.values(answer).reduce((sum, value) => sum + Math.min(Math.abs(value), 1000), 0)

/** Creates a random character by the steps of the ruleset. */
export function generateSheet(ruleset: Ruleset, random: Random, { choices = {}, tier }: GenerateOptions = {}): Sheet {
  const effort = new Effort()
  const { sheet } = atOnce(answerSteps(ruleset, random, choices, effort))
  return atOnce(withTier(ruleset, sheet, tier, random, effort))
}

/**
 * Creates a random character that keeps all rules of its steps and of its sheet as it is stored, without the experience of a tier. It has faults only if no try was
 * without one: chance does not read the checks of a ruleset.
 */
export function* generateFaultless(
  ruleset: Ruleset,
  random: Random,
  { isPlayer, choices = {}, tier, campaign = {} }: GenerateOptions & { isPlayer: boolean },
  effort: Effort,
): InParts<{ sheet: Required<Pick<Sheet, 'traits' | 'choices'>>; faults: Fault[] }> {
  const stored = ({ traits = {}, choices = {} }: Sheet) => ({ traits, choices })
  const faultsOf = (sheet: Sheet) => errorsOf(ruleset, { ...stored(sheet), campaign }, isPlayer)
  for (let tries = 1; ; tries++) {
    const made = yield* answerSteps(ruleset, random, choices, effort)
    const faults = [...made.faults, ...faultsOf(made.sheet)]
    if (faults.length > 0 && (tries === MAX_SHEET_TRIES || effort.left <= 0)) return { sheet: stored(made.sheet), faults }
    if (faults.length > 0) continue
    const sheet = yield* withTier(ruleset, { ...made.sheet, campaign }, tier, random, effort)
    return { sheet: stored(sheet), faults: faultsOf(sheet) }
  }
}
