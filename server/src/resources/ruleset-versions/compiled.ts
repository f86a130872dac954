import { compileRuleset, type Ruleset } from '@guildhall/rules/ruleset/compile'
import type { RulesetDocument } from '@guildhall/rules/ruleset/document'
import type { Db } from '../../db/client.ts'
import { readText } from './queries.ts'

interface VersionId {
  company_id: string
  id: string
}

/** Compiled documents take about six times their length. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024

/**
 * The published versions that this process has used lately, the last used one at the end. A published version never changes, so nothing has to be invalidated, and other
 * processes need not be asked.
 */
class CompiledVersions {
  readonly #cached = new Map<string, { ruleset: Ruleset; bytes: number }>()
  #bytes = 0

  get(key: string): Ruleset | undefined {
    const found = this.#cached.get(key)
    if (!found) return undefined
    this.#cached.delete(key)
    this.#cached.set(key, found)
    return found.ruleset
  }

  add(key: string, ruleset: Ruleset, bytes: number): void {
    if (this.#cached.has(key)) return
    this.#cached.set(key, { ruleset, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes: length }] of this.#cached) {
      if (this.#bytes <= MAX_CACHED_BYTES) return
      this.#cached.delete(oldest)
      this.#bytes -= length
    }
  }
}

const versions = new CompiledVersions()

function compiled(text: string): Ruleset {
  const { ruleset } = compileRuleset(JSON.parse(text) as RulesetDocument)
  // Every published version passed the check. An upgrade of the service may refuse more than the one that published it.
  if (!ruleset) throw new Error('A published version of a ruleset has a fault. Publishing checks every document: run guildhall doctor.')
  return ruleset
}

/** Returns a published version, ready to be used. Only the first use in a process reads and compiles it. */
export async function publishedRuleset(db: Db, { company_id, id }: VersionId): Promise<Ruleset> {
  const key = `${company_id}/${id}`
  const cached = versions.get(key)
  if (cached) return cached
  const text = await readText(db, { company_id, id })
  const ruleset = compiled(text)
  versions.add(key, ruleset, text.length)
  return ruleset
}
