import type { Computation } from '../formula/compute.ts'
import { type Scope, withNumbers } from '../formula/scope.ts'
import type { Compiler } from './compiler.ts'
import type { RulesetDocument } from './document.ts'
import type { Method } from './document-creation.ts'

/** The fields that each kind of method needs. All others belong to other kinds. */
const FIELDS = {
  choose: { required: ['slot'], optional: [] },
  array: { required: ['of', 'values'], optional: [] },
  points: { required: ['of', 'budget'], optional: ['cost', 'min', 'max'] },
  priority: { required: ['of', 'pools'], optional: ['max'] },
  dice: { required: ['of', 'dice'], optional: ['keep_order'] },
} as const satisfies Record<NonNullable<Method['kind']>, { required: (keyof Method)[]; optional: (keyof Method)[] }>

/** A way to answer a step of creating a character. */
export interface CompiledMethod {
  method: Method & { kind: NonNullable<Method['kind']> }
  /** The groups that are set, each with its traits. */
  groups: { name: string; traits: readonly string[] }[]
  /** The price of a value, for each trait that has one. */
  costs: ReadonlyMap<string, Computation>
}

export interface CompiledStep {
  id: string
  label: string | undefined
  methods: CompiledMethod[]
}

const isSet = (method: Method, key: keyof Method) => method[key] !== undefined

/** Compiles the methods of creating a character. */
class CreationCompiler {
  readonly #document: RulesetDocument
  readonly #scope: Scope
  readonly #compiler: Compiler

  constructor(document: RulesetDocument, scope: Scope, compiler: Compiler) {
    this.#document = document
    this.#scope = scope
    this.#compiler = compiler
  }

  method(method: Method, field: string): CompiledMethod | undefined {
    const { kind, slot, of = [], dice } = method
    const { faults } = this.#compiler
    if (kind === undefined) return faults.add(field, 'has no kind')
    const { required, optional } = FIELDS[kind]
    for (const key of required) if (!isSet(method, key)) faults.add(field, `${key} is missing, which ${kind} needs`)
    const known: readonly string[] = ['kind', 'id', 'label', 'any', ...required, ...optional]
    for (const key of Object.keys(method)) if (!known.includes(key)) faults.add(`${field}.${key}`, `does not belong to ${kind}`)
    const choices = Object.keys(this.#document.choices ?? {})
    if (slot !== undefined && !choices.includes(slot))
      faults.add(`${field}.slot`, `there is no choice ${slot}${faults.suggest(slot, choices)}`)
    if (dice !== undefined) this.#compiler.notation(dice, `${field}.dice`)
    const groups = [of].flat().flatMap((name) => {
      const traits = this.#scope.groups.get(name)
      if (traits) return [{ name, traits }]
      faults.add(`${field}.of`, `there is no group or tag ${name}${faults.suggest(name, this.#scope.groups.keys())}`)
      return []
    })
    const compiled = { method: { ...method, kind }, groups, costs: this.#costs(method, groups, field) }
    this.#checkCounts(compiled, field)
    return compiled
  }

  #checkCounts({ method: { values, pools }, groups }: CompiledMethod, field: string): void {
    const traits = new Set(groups.flatMap((group) => group.traits))
    if (values && values.length !== traits.size)
      this.#compiler.faults.add(`${field}.values`, `has ${values.length} values for ${traits.size} traits`)
    if (pools && pools.length !== groups.length)
      this.#compiler.faults.add(`${field}.pools`, `has ${pools.length} numbers for ${groups.length} groups`)
  }

  #costs({ kind, cost = 'value' }: Method, groups: CompiledMethod['groups'], field: string): Map<string, Computation> {
    const costs = new Map<string, Computation>()
    if (kind !== 'points') return costs
    const scope = withNumbers(this.#scope, 'value')
    const add = (traits: readonly string[], text: string | number, at: string) => {
      const formula = this.#compiler.formula(text, at, scope, 'number')
      if (formula) for (const trait of traits) if (!costs.has(trait)) costs.set(trait, formula.compute)
    }
    const all = groups.flatMap(({ traits }) => traits)
    if (!Array.isArray(cost)) add(all, cost, `${field}.cost`)
    else
      for (const [i, { of, cost: text }] of cost.entries()) {
        const traits = Object.hasOwn(this.#document.traits, of) ? [of] : scope.groups.get(of)
        if (!traits) this.#compiler.faults.add(`${field}.cost.${i}.of`, `there is no trait, group or tag ${of}`)
        add(traits ?? [], text, `${field}.cost.${i}.cost`)
      }
    if (all.some((trait) => !costs.has(trait))) add(all, 'value', `${field}.cost`)
    return costs
  }
}

/** Compiles the steps of creating a character. */
export function compileCreation(document: RulesetDocument, scope: Scope, compiler: Compiler): CompiledStep[] {
  const creation = new CreationCompiler(document, scope, compiler)
  const seen = new Set<string>()
  const asked = new Set<string>()
  return (document.creation?.steps ?? []).map(({ id, label, any, ...method }, i) => {
    const field = `creation.steps.${i}`
    if (seen.has(id)) compiler.faults.add(`${field}.id`, `another step is called ${id}, too`)
    seen.add(id)
    if (any && method.kind !== undefined) compiler.faults.add(field, 'has either a kind or any, and not both')
    const methods = any ? any.map((one, j) => creation.method(one, `${field}.any.${j}`)) : [creation.method(method, field)]
    const compiled = methods.filter((one) => one !== undefined)
    for (const { slot } of compiled.map((one) => one.method))
      if (slot !== undefined && asked.has(slot)) compiler.faults.add(field, `another way of answering asks for ${slot}, too`)
      else if (slot !== undefined) asked.add(slot)
    if (compiled.filter((one) => one.method.kind === 'dice').length > 1)
      compiler.faults.add(field, 'has several ways with dice, and may have one')
    return { id, label, methods: compiled }
  })
}
