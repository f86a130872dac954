import { own } from '../own.ts'
import type { RulesetDocument } from './document.ts'
import type { Roll } from './document-rolls.ts'
import { rangeOf } from './traits.ts'

/** A difference between two versions of a ruleset. */
export interface RulesetChange {
  field: string
  kind: 'ADDED' | 'REMOVED' | 'CHANGED' | 'NARROWED' | 'WIDENED'
  /** True if sheets, or clients that know the version before, may not fit any more. */
  breaking: boolean
}

const PARTS = ['groups', 'traits', 'tables', 'derived', 'choices', 'trackers', 'conditions', 'rolls'] as const
type Part = (typeof PARTS)[number]
/** Parts that neither sheets nor clients refer to: only formulas do. */
const INNER: readonly Part[] = ['groups', 'tables']

const namesIn = (part: object | undefined) => Object.keys(part ?? {})
const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Lists what a version changes. Renamed and dropped names of its upgrade are no loss. */
export function compareRulesets(before: RulesetDocument, after: RulesetDocument): RulesetChange[] {
  const { rename = {}, drop = [] } = after.upgrade ?? {}
  const isCarried = (name: string) => Object.hasOwn(rename, name) || drop.includes(name)
  return PARTS.flatMap((part) => {
    const [old, current] = [before[part], after[part]]
    const removed = namesIn(old)
      .filter((name) => !own(current as object as Record<string, unknown>, name))
      .map((name): RulesetChange => ({ field: `${part}.${name}`, kind: 'REMOVED', breaking: !INNER.includes(part) && !isCarried(name) }))
    const added = namesIn(current)
      .filter((name) => !own(old as object as Record<string, unknown>, name))
      .map((name): RulesetChange => ({ field: `${part}.${name}`, kind: 'ADDED', breaking: part === 'choices' && isRequired(after, name) }))
    const kept = namesIn(current).filter((name) => own(old as object as Record<string, unknown>, name))
    return [...removed, ...added, ...kept.flatMap((name) => compareKept(part, name, before, after))]
  })
}

const isRequired = ({ choices }: RulesetDocument, name: string) => own(choices, name)?.required ?? false

function compareKept(part: Part, name: string, before: RulesetDocument, after: RulesetDocument): RulesetChange[] {
  const field = `${part}.${name}`
  if (part === 'traits') return compareTraits(name, before, after)
  if (part === 'choices') return compareChoices(name, before, after)
  if (part === 'rolls') return compareRolls(field, before.rolls?.[name] as Roll, after.rolls?.[name] as Roll)
  const [old, current] = [before[part]?.[name], after[part]?.[name]]
  if (part === 'conditions') {
    const [most, now] = [before.conditions?.[name]?.most ?? 1, after.conditions?.[name]?.most ?? 1]
    if (now !== most) return [{ field: `${field}.most`, kind: now < most ? 'NARROWED' : 'WIDENED', breaking: now < most }]
  }
  return isEqual(old, current) ? [] : [{ field, kind: 'CHANGED', breaking: false }]
}

function compareTraits(name: string, before: RulesetDocument, after: RulesetDocument): RulesetChange[] {
  const [old, current] = [rangeOf(before, name), rangeOf(after, name)]
  const changes: RulesetChange[] = []
  const add = (key: 'min' | 'max', isNarrower: boolean) =>
    changes.push({ field: `traits.${name}.${key}`, kind: isNarrower ? 'NARROWED' : 'WIDENED', breaking: isNarrower })
  if (old.min !== current.min) add('min', current.min > old.min)
  if (old.max !== current.max) add('max', current.max < old.max)
  if (old.default !== current.default) changes.push({ field: `traits.${name}.default`, kind: 'CHANGED', breaking: false })
  return changes
}

function compareChoices(name: string, before: RulesetDocument, after: RulesetDocument): RulesetChange[] {
  const [old, current] = [own(before.choices, name), own(after.choices, name)]
  const { rename = {} } = after.upgrade ?? {}
  const field = `choices.${name}`
  const lost = namesIn(old?.options)
    .filter((option) => !own(current?.options, option))
    .map(
      (option): RulesetChange => ({
        field: `${field}.options.${option}`,
        kind: 'REMOVED',
        breaking: !Object.hasOwn(rename, `${name}.${option}`),
      }),
    )
  const added = namesIn(current?.options)
    .filter((option) => !own(old?.options, option))
    .map((option): RulesetChange => ({ field: `${field}.options.${option}`, kind: 'ADDED', breaking: false }))
  const isNowRequired = !isRequired(before, name) && isRequired(after, name)
  return [...lost, ...added, ...(isNowRequired ? [{ field: `${field}.required`, kind: 'NARROWED' as const, breaking: true }] : [])]
}

/** True if a request without this input is refused. */
const isAsked = ({ trait, optional, number, choice, default: chosen }: NonNullable<Roll['inputs']>[string]) =>
  trait !== undefined ? !optional : choice ? chosen === undefined : number?.default === undefined

function compareRolls(field: string, before: Roll, after: Roll): RulesetChange[] {
  const changes: RulesetChange[] = []
  for (const name of namesIn(before.inputs))
    if (!own(after.inputs, name)) changes.push({ field: `${field}.inputs.${name}`, kind: 'REMOVED', breaking: true })
  for (const [name, input] of Object.entries(after.inputs ?? {})) {
    const old = own(before.inputs, name)
    if (!old) changes.push({ field: `${field}.inputs.${name}`, kind: 'ADDED', breaking: isAsked(input) })
    else if (!isEqual(old, input))
      changes.push({ field: `${field}.inputs.${name}`, kind: 'CHANGED', breaking: isAsked(input) && !isAsked(old) })
  }
  const codes = new Set(after.outcomes.map(({ code }) => code))
  for (const code of new Set(before.outcomes.map((outcome) => outcome.code)))
    if (!codes.has(code)) changes.push({ field: `${field}.outcomes.${code}`, kind: 'REMOVED', breaking: true })
  const { inputs: _, ...old } = before
  const { inputs: __, ...current } = after
  if (!isEqual(old, current)) changes.push({ field, kind: 'CHANGED', breaking: false })
  return changes
}
