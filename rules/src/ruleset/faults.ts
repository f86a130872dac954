import { suggestNearest } from '../formula/read.ts'
import type { Suggest } from '../formula/scope.ts'

/** An error in a part of a ruleset or of a sheet. `field` is its path, such as `derived.armor_class.formula`. */
export interface Fault {
  field: string
  message: string
}

export const MAX_FAULTS = 50
/** A suggestion compares an unknown name with all known ones: for every name of a hostile document this would take seconds. */
const MAX_SUGGESTED = 10

/** The faults of a document, as many as somebody may want to read at once. */
export class Faults {
  readonly list: Fault[] = []

  get isFull(): boolean {
    return this.list.length >= MAX_FAULTS
  }

  /** Adds a fault. Returns undefined, for parts that cannot be used because of it. */
  add(field: string, message: string): undefined {
    if (!this.isFull) this.list.push({ field, message })
    return undefined
  }

  readonly suggest: Suggest = (name, known) => (this.list.length < MAX_SUGGESTED ? suggestNearest(name, known) : '')
}
