import type { AuditLog } from '@guildhall/client'
import { text } from './audit-text.ts'

/** Words from a name of the API: `danger_level` becomes “danger level”. */
const plain = (name: string): string => name.replaceAll('_', ' ')

/** A type of resource in words. */
const resourceOf = (type: string): string => text.resources[type]?.[0] ?? plain(type)

/** A kind of change in words. */
export function kindOf(resource: string, kind: string): string {
  return kind === 'deleted' && !text.deletedForGood.includes(resource) ? text.archived : plain(kind)
}

/** An entry in words, such as “User archived”. */
export function headlineOf({ type, resource_type }: Pick<AuditLog, 'type' | 'resource_type'>): string {
  return `${resourceOf(resource_type)} ${kindOf(resource_type, type.split('.')[1] ?? '')}`
}

/** The name of the resource, if the entry has one. */
export function nameIn({ changes }: Pick<AuditLog, 'changes'>): string | undefined {
  for (const field of ['name', 'title', 'label']) {
    const { old, new: value } = changes[field] ?? {}
    const name = value ?? old
    if (typeof name === 'string') return name
  }
  return undefined
}

/** A value as people read it. Objects stay as they are in the API. */
export function shown(value: unknown): string {
  if (isNothing(value)) return text.nothing
  if (typeof value === 'boolean') return value ? text.yes : text.no
  if (typeof value === 'object') return JSON.stringify(value, null, 1)
  return String(value)
}

interface Change {
  field: string
  old: unknown
  new: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The values that changed. Of objects, such as settings and traits, only the parts that differ. */
export function changesOf({ changes }: Pick<AuditLog, 'changes'>): Change[] {
  return Object.entries(changes).flatMap(([field, { old, new: value }]) => {
    if (!isObject(value ?? old) || !isObject(old ?? value)) return [{ field: plain(field), old, new: value }]
    const [before, after] = [(old ?? {}) as Record<string, unknown>, (value ?? {}) as Record<string, unknown>]
    return [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .map((key) => ({ field: `${plain(field)}: ${plain(key)}`, old: before[key], new: after[key] }))
  })
}

/** True if a field has no value. */
export const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''
