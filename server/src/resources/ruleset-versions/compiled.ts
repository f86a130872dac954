import { compileRuleset, type Ruleset } from '@guildhall/rules/ruleset/compile'
import type { RulesetDocument } from '@guildhall/rules/ruleset/document'
import { SharedCache } from '../../core/shares/shared-cache.ts'
import type { Db } from '../../db/client.ts'
import { readText } from './queries.ts'

interface VersionId {
  company_id: string
  id: string
}

/** Compiled documents take about six times their length. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024

/**
 * The published versions that this process has used, shared among companies. A published version never changes, so nothing has to be invalidated, and other
 * processes need not be asked.
 */
const versions = new SharedCache<Ruleset>(MAX_CACHED_BYTES)

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
  versions.set(company_id, key, ruleset, text.length)
  return ruleset
}
