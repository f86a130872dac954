import { NotationFault, parse } from '@guildhall/dice/notation'
import { type Computation, compile } from '../formula/compute.ts'
import type { NamesRead, ValueType } from '../formula/node.ts'
import { readFormula } from '../formula/read.ts'
import { FormulaFault } from '../formula/scanner.ts'
import type { Scope } from '../formula/scope.ts'
import { Faults } from './faults.ts'

/** A formula of a ruleset that can be computed. */
export interface CompiledFormula {
  compute: Computation
  /** The names of numbers that it reads. */
  names: ReadonlySet<string>
  reads: NamesRead
  cost: number
}

/** Reading a part takes about two microseconds, and a request must not hold up others. */
export const MAX_RULESET_PARTS = 20_000

const positioned = (position: number, message: string) => `at position ${position + 1}: ${message}`

/** Reads the formulas and notations of a document, and collects their faults. */
export class Compiler {
  readonly faults = new Faults()
  /** The number of formulas that were read, and of the parts of all of them. */
  formulas = 0
  #parts = 0
  /** The names of numbers, and the groups, that some formula or roll reads. */
  readonly read = { numbers: new Set<string>(), groups: new Set<string>() }

  formula(text: string | number, field: string, scope: Scope, needs: ValueType): CompiledFormula | undefined {
    this.formulas++
    if (this.faults.isFull || this.#parts > MAX_RULESET_PARTS) return undefined
    try {
      const { node, reads, cost, parts } = readFormula(String(text), scope, { needs, suggest: this.faults.suggest })
      this.#parts += parts
      if (this.#parts > MAX_RULESET_PARTS)
        return this.faults.add(field, `the formulas up to here have more than ${MAX_RULESET_PARTS} parts together`)
      for (const name of reads.numbers) this.read.numbers.add(name)
      for (const name of reads.groups) this.read.groups.add(name)
      return { compute: compile(node), names: reads.numbers, reads, cost }
    } catch (error) {
      if (!(error instanceof FormulaFault)) throw error
      return this.faults.add(field, positioned(error.position, error.message))
    }
  }

  notation(text: string, field: string): void {
    if (this.faults.isFull) return
    try {
      parse(text)
    } catch (error) {
      if (!(error instanceof NotationFault)) throw error
      this.faults.add(field, `${JSON.stringify(text)} is no notation: ${positioned(error.position, error.message)}`)
    }
  }
}
