import type { Listed } from '../../core/page.ts'
import { conflict, MAX_FAULTS, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { checkDocument, faultsOfCarrying, faultsToPublish } from '../rulesets/check.ts'
import { factsOf, textOf } from '../rulesets/facts.ts'
import { lockRuleset, noteVersions } from '../rulesets/queries.ts'
import { MAX_VERSIONS, type Ruleset } from '../rulesets/schema.ts'
import { RulesetVersion, type VersionsQuery } from './schema.ts'

const versions = table('ruleset_versions', RulesetVersion, { noun: 'Version', partOf: { rulesets: 'ruleset_id' } })
declareTable('ruleset_documents', undefined, { partOf: { rulesets: 'ruleset_id', ruleset_versions: 'id' } })

interface InRuleset {
  company_id: string
  ruleset_id: string
}
type Scope = InRuleset & { id: string }
type Document = Record<string, unknown>

const rulesetOf = ({ company_id, ruleset_id }: InRuleset) => ({ company_id, id: ruleset_id })

export const listVersions = (db: Db, scope: InRuleset, { status, ...listed }: VersionsQuery) =>
  versions.list(db, { ...scope, ...(status && { status }) }, listed as Listed)
export const getVersion = (db: Db, scope: Scope) => versions.get(db, scope)

/** Reads the text of a version, which may be of any ruleset of the company. */
export async function readText(db: Db, { company_id, id }: { company_id: string; id: string }): Promise<string> {
  const [found] = await db.query<{ document: string }>(
    sql`SELECT document FROM ruleset_documents WHERE company_id = ${company_id} AND id = ${id}`,
  )
  return found?.document ?? notFound('Version')
}

/** Reads the document of a version of a ruleset. */
export async function getDocument(db: Db, { company_id, ruleset_id, id }: Scope): Promise<Document> {
  const [found] = await db.query<{ document: string }>(sql`
    SELECT document FROM ruleset_documents WHERE company_id = ${company_id} AND ruleset_id = ${ruleset_id} AND id = ${id}`)
  return found ? JSON.parse(found.document) : notFound('Version')
}

/** The events of a ruleset whose versions changed. */
const noted = ({ before, after }: { before: Ruleset; after: Ruleset }) =>
  before === after ? [] : [{ type: 'ruleset.updated' as const, before, after }]

type State = Pick<RulesetVersion, 'number' | 'status' | 'date_published'>
export const DRAFT: State = { number: null, status: 'DRAFT', date_published: null }

/** Inserts a version with its document. The ruleset is locked, or new. */
export function insertVersion(tx: Tx, { id, ...scope }: InRuleset & { id: string }, document: Document, state: State, before?: string) {
  const text = textOf(document)
  const { company_id, ruleset_id } = scope
  return versions.insert(tx, { ...scope, id, ...factsOf(document, text, before), ...state, used: false }, () => [
    sql`INSERT INTO ruleset_documents (company_id, id, ruleset_id, document) VALUES (${company_id}, ${id}, ${ruleset_id}, ${text})`,
  ])
}

/** Starts the next version of a ruleset. */
export async function createDraft(tx: Tx, scope: InRuleset, document: Document) {
  await lockRuleset(tx, rulesetOf(scope))
  const { draft_version_id, versions: published } = await readRuleset(tx, scope)
  if (draft_version_id) conflict('draft_exists', 'The ruleset already has a draft. Replace or publish that one.', { id: draft_version_id })
  refuseTooManyVersions(published)
  const before = await carriedFrom(tx, scope, document, published)
  const { after } = await insertVersion(tx, { ...scope, id: tx.newId() }, document, DRAFT, before)
  const ruleset = await noteVersions(tx, rulesetOf(scope), () => ({ draft_version_id: after.id }))
  return { before: null, after, sideEvents: noted(ruleset) }
}

async function readRuleset(tx: Tx, { company_id, ruleset_id }: InRuleset) {
  const [found] = await tx.query<Pick<Ruleset, 'draft_version_id' | 'versions'>>(
    sql`SELECT draft_version_id, versions FROM rulesets WHERE company_id = ${company_id} AND id = ${ruleset_id}`,
  )
  return found ?? notFound('Ruleset')
}

const refuseTooManyVersions = (published: number) =>
  published < MAX_VERSIONS ||
  conflict('too_many_versions', `The ruleset already has ${MAX_VERSIONS} versions, which is the maximum. Copy one into a new ruleset.`)

const refusePublished = ({ status }: RulesetVersion) =>
  status === 'DRAFT' || conflict('version_published', 'A published version never changes. Create another version instead.')

/** Replaces the document of a draft. */
export async function replaceDraft(tx: Tx, scope: Scope, document: Document) {
  const text = textOf(document)
  // While there is a draft, no other version can be published: the one before it stays the same.
  const before = document.upgrade ? await carriedFrom(tx, scope, document, (await readRuleset(tx, scope)).versions) : undefined
  const change = await versions.update(tx, scope, factsOf(document, text, before), refusePublished)
  tx.send(sql`UPDATE ruleset_documents SET document = ${text} WHERE company_id = ${scope.company_id} AND id = ${scope.id}`)
  return change
}

export async function removeDraft(tx: Tx, scope: Scope) {
  await lockRuleset(tx, rulesetOf(scope))
  refusePublished(await versions.get(tx, scope))
  tx.send(sql`DELETE FROM ruleset_documents WHERE company_id = ${scope.company_id} AND id = ${scope.id}`)
  const removed = await versions.remove(tx, scope)
  const ruleset = await noteVersions(tx, rulesetOf(scope), () => ({ draft_version_id: null }))
  return { ...removed, sideEvents: noted(ruleset) }
}

async function textOfNumber(tx: Tx, { company_id, ruleset_id }: InRuleset, number: number): Promise<string | undefined> {
  const [found] = await tx.query<{ document: string }>(sql`
    SELECT d.document FROM ruleset_versions v JOIN ruleset_documents d ON d.company_id = ${company_id} AND d.id = v.id
    WHERE v.company_id = ${company_id} AND v.ruleset_id = ${ruleset_id} AND v.number = ${number}`)
  return found?.document
}

/** Reads the version whose sheets a document carries over, if it says how. */
const carriedFrom = (tx: Tx, scope: InRuleset, { upgrade }: Document, published: number) =>
  upgrade && published > 0 ? textOfNumber(tx, scope, published) : undefined

/** Gives a draft its number. From now on it never changes. */
export async function publishVersion(tx: Tx, scope: Scope) {
  await lockRuleset(tx, rulesetOf(scope))
  const { versions: published } = await readRuleset(tx, scope)
  const document = await getDocument(tx, scope)
  const before = published > 0 ? await textOfNumber(tx, scope, published) : undefined
  const change = await versions.update(
    tx,
    scope,
    { number: published + 1, status: 'PUBLISHED', date_published: tx.now().toISOString() },
    (row) => {
      refusePublished(row)
      refuseTooManyVersions(published)
      refuseFaulty(document, before)
    },
  )
  const ruleset = await noteVersions(tx, rulesetOf(scope), () => ({
    published_version_id: scope.id,
    draft_version_id: null,
    versions: published + 1,
  }))
  return { ...change, sideEvents: noted(ruleset) }
}

/** A document is checked again when it is published: the draft may be older than the rules of today. */
function refuseFaulty(document: Document, before: string | undefined): void {
  const checked = checkDocument(document)
  const faults = [...faultsToPublish(checked), ...faultsOfCarrying(before, checked)].slice(0, MAX_FAULTS)
  if (faults.length === 0) return
  const [{ field, message }] = faults as [(typeof faults)[0]]
  const others = faults.length > 1 ? ' `invalid_parameters` has the others, up to 50.' : ''
  conflict('ruleset_faulty', `The document cannot be published, because of ${field} (${message}).${others}`, { invalid_parameters: faults })
}

/** Keeps others from choosing a version. */
export async function retireVersion(tx: Tx, scope: Scope) {
  await lockRuleset(tx, rulesetOf(scope))
  const change = await versions.update(tx, scope, { status: 'RETIRED' }, ({ status }) =>
    status === 'DRAFT' ? conflict('not_published', 'A draft cannot be retired. Delete it instead.') : undefined,
  )
  const [newest] = await tx.query<{ id: string }>(sql`
    SELECT id FROM ruleset_versions WHERE company_id = ${scope.company_id} AND ruleset_id = ${scope.ruleset_id} AND status = 'PUBLISHED'
    ORDER BY number DESC LIMIT 1`)
  const ruleset = await noteVersions(tx, rulesetOf(scope), () => ({ published_version_id: newest?.id ?? null }))
  return { ...change, sideEvents: noted(ruleset) }
}
