import { bounded, type Computation } from '../formula/compute.ts'
import { type Scope, withNumbers } from '../formula/scope.ts'
import { checkCreation, warningsOfCreation } from './check-creation.ts'
import { compileCreation } from './compile-creation.ts'
import { type CompiledRoll, compileRoll } from './compile-roll.ts'
import { type CompiledFormula, Compiler } from './compiler.ts'
import type { RulesetDocument } from './document.ts'
import type { Fault } from './faults.ts'
import { checkNames, OUTER_NAMES } from './names.ts'
import { orderByNeeds } from './order.ts'
import { checkGroups, checkTraits, membersOf, type TraitRange, warningsOfTraits } from './traits.ts'

export const MAX_DERIVATION_COST = 20_000
export const MAX_ROLL_COST = 50_000

export interface CompiledTracker {
  ofCampaign: boolean
  min: Computation
}

export interface CompiledRaise {
  traits: ReadonlySet<string>
  cost: Computation
  needs: Computation | undefined
}

export interface CompiledCheck {
  holds: Computation
  message: string
  level: 'ERROR' | 'WARNING'
}

/** A ruleset that was checked, ready to be used. It never changes. */
export interface Ruleset {
  document: RulesetDocument
  traits: ReadonlyMap<string, TraitRange>
  /** The place of each number of a sheet in an array. An array is copied in a fraction of the time of a map. */
  places: ReadonlyMap<string, number>
  /** The numbers of a sheet on which nothing was set, by their places. Those that are computed are 0. */
  defaults: readonly number[]
  /** The traits in each group and with each tag. */
  groups: ReadonlyMap<string, readonly string[]>
  /** Everything that has to be computed for a sheet, in an order in which everything is there when it is needed. */
  computed: readonly { name: string; compute: Computation }[]
  /** The most steps that it takes to compute a sheet. */
  cost: number
  /** The numbers that formulas name. */
  read: ReadonlySet<string>
  /** The numbers that may change without the sheet. */
  moving: ReadonlySet<string>
  trackers: ReadonlyMap<string, CompiledTracker>
  raises: readonly CompiledRaise[]
  /** The conditions before a trait is raised, by its name. */
  needs: ReadonlyMap<string, Computation>
  checks: readonly CompiledCheck[]
  rolls: ReadonlyMap<string, CompiledRoll>
  creation: ReturnType<typeof compileCreation>
}

export interface Compilation {
  /** The ruleset, if it has no fault. */
  ruleset: Ruleset | undefined
  faults: Fault[]
  warnings: Fault[]
  /** The most steps that a sheet takes. */
  cost: number
  formulas: number
}

/** The numbers of a sheet on which nothing was set. */
function defaultsOf(
  { conditions = {}, choices = {}, trackers = {} }: RulesetDocument,
  traits: ReadonlyMap<string, TraitRange>,
  computed: Ruleset['computed'],
): Map<string, number> {
  const defaults = new Map<string, number>()
  for (const [name, range] of traits) defaults.set(name, bounded(range.default))
  for (const name of Object.keys(conditions)) defaults.set(name, 0)
  for (const [slot, { values = {} }] of Object.entries(choices))
    for (const [name, value] of Object.entries(values)) defaults.set(`${slot}.${name}`, bounded(value))
  for (const name of OUTER_NAMES) defaults.set(name, 0)
  for (const { name } of computed) defaults.set(name, 0)
  for (const [name, { scope }] of Object.entries(trackers)) if (scope === 'campaign') defaults.set(`campaign.${name}`, 0)
  return defaults
}

/** Everything that formulas about a sheet may name. */
export function scopeOf(document: RulesetDocument, groups: ReadonlyMap<string, readonly string[]>): Scope {
  const { traits, derived = {}, trackers = {}, conditions = {}, choices = {}, tables = {} } = document
  const names = [...Object.keys(traits), ...Object.keys(derived), ...Object.keys(conditions), ...OUTER_NAMES]
  const ofTrackers = Object.entries(trackers).flatMap(([name, { scope }]) => [
    name,
    `${name}.max`,
    ...(scope === 'campaign' ? [`campaign.${name}`] : []),
  ])
  const ofChoices = Object.entries(choices).flatMap(([slot, { values = {} }]) => Object.keys(values).map((value) => `${slot}.${value}`))
  return {
    numbers: new Set([...names, ...ofTrackers, ...ofChoices]),
    tables: new Set(Object.keys(tables)),
    groups,
    choices: new Map(Object.entries(choices).map(([slot, { options }]) => [slot, new Set(Object.keys(options))])),
  }
}

/** A long circle is shown with its ends. */
const shortened = (circle: string[]) => (circle.length > 8 ? [...circle.slice(0, 6), '…', ...circle.slice(-1)] : circle)

/** Compiles derived values, and the limits and starts of trackers, in the order of their needs. */
function compileComputed({ derived = {}, trackers = {} }: RulesetDocument, scope: Scope, compiler: Compiler) {
  const fields = new Map<string, string>()
  const formulas = new Map<string, CompiledFormula>()
  let cost = 0
  const add = (name: string, field: string, text: string | number) => {
    const formula = cost > MAX_DERIVATION_COST ? undefined : compiler.formula(text, field, scope, 'number')
    cost += formula?.cost ?? 0
    fields.set(name, field)
    if (formula) formulas.set(name, formula)
  }
  for (const [name, { formula }] of Object.entries(derived)) add(name, `derived.${name}.formula`, formula)
  const compiled = new Map<string, CompiledTracker>()
  for (const [name, { scope: owner, min = 0, max, start }] of Object.entries(trackers)) {
    const field = `trackers.${name}`
    add(`${name}.max`, `${field}.max`, max)
    add(name, `${field}.start`, start ?? `${name}.max`)
    const lowest = compiler.formula(min, `${field}.min`, scope, 'number')
    if (lowest) compiled.set(name, { ofCampaign: owner === 'campaign', min: lowest.compute })
  }
  const needsOf = (names: ReadonlySet<string>) => new Set([...names].map((name) => name.replace(/^campaign\.(?!danger$|desperation$)/, '')))
  const sorted = orderByNeeds(new Map([...formulas].map(([name, { names }]) => [name, needsOf(names)])))
  if ('circle' in sorted) {
    const [first = ''] = sorted.circle
    compiler.faults.add(fields.get(first) ?? first, `it needs itself: ${shortened(sorted.circle).join(' needs ')}`)
    return { computed: [], trackers: compiled, cost, moving: new Set<string>() }
  }
  const computed = sorted.order.map((name) => ({ name, compute: (formulas.get(name) as CompiledFormula).compute }))
  return { computed, trackers: compiled, cost, moving: movingOf(trackers, sorted.order, formulas) }
}

/** Finds the numbers that follow from trackers, experience or the campaign, directly or through others. */
function movingOf(
  trackers: NonNullable<RulesetDocument['trackers']>,
  order: readonly string[],
  formulas: ReadonlyMap<string, CompiledFormula>,
): Set<string> {
  const ofTrackers = Object.keys(trackers).flatMap((name) => [name, `campaign.${name}`])
  const moving = new Set(['xp.earned', 'xp.spent', 'xp.available', 'campaign.danger', 'campaign.desperation', ...ofTrackers])
  for (const name of order) if ([...(formulas.get(name)?.names ?? [])].some((needed) => moving.has(needed))) moving.add(name)
  return moving
}

function compileRaises({ experience, traits }: RulesetDocument, scope: Scope, compiler: Compiler): CompiledRaise[] {
  const ofStep = withNumbers(scope, 'new', 'current')
  return (experience?.raise ?? []).flatMap(({ of, cost, needs }, i) => {
    const field = `experience.raise.${i}`
    const raised = Object.hasOwn(traits, of) ? [of] : scope.groups.get(of)
    const known = [...Object.keys(traits), ...scope.groups.keys()]
    if (!raised) compiler.faults.add(`${field}.of`, `there is no trait, group or tag ${of}${compiler.faults.suggest(of, known)}`)
    const price = compiler.formula(cost, `${field}.cost`, ofStep, 'number')
    const needed = needs === undefined ? undefined : compiler.formula(needs, `${field}.needs`, ofStep, 'truth')
    return raised && price ? [{ traits: new Set(raised), cost: price.compute, needs: needed?.compute }] : []
  })
}

function compileNeeds({ traits }: RulesetDocument, scope: Scope, compiler: Compiler): Map<string, Computation> {
  const needs = new Map<string, Computation>()
  for (const [name, { needs: text }] of Object.entries(traits)) {
    const formula =
      text === undefined ? undefined : compiler.formula(text, `traits.${name}.needs`, withNumbers(scope, 'new', 'current'), 'truth')
    if (formula) needs.set(name, formula.compute)
  }
  return needs
}

function checkSource({ source: { license, attribution } }: RulesetDocument, compiler: Compiler): void {
  const isFree = license === 'CC0-1.0' || license === 'LicenseRef-private'
  if (!isFree && !attribution?.trim()) compiler.faults.add('source.attribution', `is required, because the license is ${license}`)
}

/** Things that are allowed, and that nobody wants. */
function warningsOf(
  { traits, choices = {} }: RulesetDocument,
  scope: Scope,
  raises: readonly CompiledRaise[],
  { read }: Compiler,
): Fault[] {
  const used = new Set([
    ...read.numbers,
    ...[...read.groups].flatMap((group) => scope.groups.get(group) ?? []),
    ...raises.flatMap((raise) => [...raise.traits]),
  ])
  const unused = Object.keys(traits)
    .filter((name) => !used.has(name))
    .map((name) => ({ field: `traits.${name}`, message: 'no formula, roll or price uses it' }))
  const unread = Object.entries(choices).flatMap(([slot, { values = {} }]) =>
    Object.keys(values)
      .filter((value) => !read.numbers.has(`${slot}.${value}`))
      .map((value) => ({ field: `choices.${slot}.values.${value}`, message: 'no formula reads it' })),
  )
  return [...unused, ...unread]
}

/** Checks a document, and compiles it if it has no fault. Its shape must be that of RulesetDocument. */
export function compileRuleset(document: RulesetDocument): Compilation {
  const compiler = new Compiler()
  const { faults } = compiler
  checkSource(document, compiler)
  checkNames(document, faults)
  checkGroups(document.groups, faults)
  const traits = checkTraits(document, faults)
  const groups = membersOf(document)
  const scope = scopeOf(document, groups)
  const { computed, trackers, cost, moving } = compileComputed(document, scope, compiler)
  if (cost > MAX_DERIVATION_COST) faults.add('derived', `a sheet takes ${cost} steps or more, and may take ${MAX_DERIVATION_COST}`)
  const raises = compileRaises(document, scope, compiler)
  const needs = compileNeeds(document, scope, compiler)
  const checks = (document.checks ?? []).flatMap(({ that, message, level = 'ERROR' }, i): CompiledCheck[] => {
    const formula = compiler.formula(that, `checks.${i}.that`, scope, 'truth')
    return formula ? [{ holds: formula.compute, message, level }] : []
  })
  const rolls = new Map<string, CompiledRoll>()
  for (const [name, roll] of Object.entries(document.rolls ?? {})) {
    const compiled = compileRoll(name, roll, document, scope, compiler)
    if (!compiled) continue
    if (compiled.cost > MAX_ROLL_COST)
      faults.add(`rolls.${name}`, `the roll takes up to ${compiled.cost} steps, and may take ${MAX_ROLL_COST}`)
    rolls.set(name, compiled)
  }
  const creation = compileCreation(document, scope, compiler)
  const numbers = defaultsOf(document, traits, computed)
  const places = new Map([...numbers.keys()].map((name, place) => [name, place]))
  const defaults = [...numbers.values()]
  const ruleset: Ruleset = {
    document,
    traits,
    places,
    defaults,
    groups,
    computed,
    cost,
    read: compiler.read.numbers,
    moving,
    trackers,
    raises,
    needs,
    checks,
    rolls,
    creation,
  }
  if (faults.list.length === 0) checkCreation(ruleset, faults)
  const ofCreation = faults.list.length === 0 ? warningsOfCreation(ruleset) : []
  const warnings = [...warningsOfTraits(traits), ...warningsOf(document, scope, raises, compiler), ...ofCreation].slice(0, 50)
  return { ruleset: faults.list.length === 0 ? ruleset : undefined, faults: faults.list, warnings, cost, formulas: compiler.formulas }
}
