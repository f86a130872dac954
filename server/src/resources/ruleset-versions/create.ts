import { invalid } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { findPack } from '../packs/library.ts'
import { insertRuleset } from '../rulesets/queries.ts'
import type { RulesetCreate } from '../rulesets/schema.ts'
import { DRAFT, insertVersion, readText } from './queries.ts'

const WAYS = ['pack', 'document', 'copy_of'] as const

/** Rejects a body that names no game, or several. */
function refuseUnclear(body: RulesetCreate): void {
  const given = WAYS.filter((way) => body[way] !== undefined)
  if (given.length === 0) invalid([{ field: 'body', message: 'must have one of pack, document and copy_of' }])
  if (given.length > 1) invalid(given.slice(1).map((field) => ({ field, message: `cannot be combined with ${given[0]}` })))
}

async function documentFor(tx: Tx, company_id: string, { pack, document, copy_of }: RulesetCreate): Promise<Record<string, unknown>> {
  if (document) return document
  if (copy_of) return JSON.parse(await readText(tx, { company_id, id: copy_of }))
  const found = findPack(pack ?? '')?.document
  return (found as Record<string, unknown> | undefined) ?? invalid([{ field: 'pack', message: 'is no pack. GET .../packs lists them' }])
}

/** Names a ruleset after its document. */
function nameIn(document: Record<string, unknown>): string {
  const { name } = document
  if (typeof name !== 'string' || name.trim() === '' || [...name.trim()].length > 100)
    return invalid([{ field: 'name', message: 'is required, because the document has no name of 1 to 100 characters' }])
  return name.trim()
}

/** Creates a ruleset with its first version: a draft, or from a pack a published one. */
export async function createRuleset(tx: Tx, company_id: string, body: RulesetCreate) {
  refuseUnclear(body)
  const document = await documentFor(tx, company_id, body)
  const { name = nameIn(document), description = null } = body
  const isPublished = body.pack !== undefined
  const id = tx.newId()
  const { after } = await insertRuleset(tx, {
    company_id,
    name,
    description,
    published_version_id: isPublished ? id : null,
    draft_version_id: isPublished ? null : id,
    versions: isPublished ? 1 : 0,
  })
  const state = isPublished ? { number: 1, status: 'PUBLISHED' as const, date_published: tx.now().toISOString() } : DRAFT
  const version = await insertVersion(tx, { company_id, ruleset_id: after.id, id }, document, state)
  const type = isPublished ? ('ruleset_version.published' as const) : ('ruleset_version.created' as const)
  return { before: null, after, sideEvents: [{ type, ...version }] }
}
