import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import { lockCompany } from '../companies/queries.ts'
import { refuseUnfit } from './rules.ts'
import { MAX_TERMS, Term, type TermCreate, type TermPatch } from './schema.ts'

const terms = table('terms', Term, {
  noun: 'Term',
  named: 'term',
  texts: ['synonyms', 'definition'],
  conflicts: {
    terms_term: {
      columns: ['name_key'],
      message: 'The company already has this term. Change that one, or choose another term.',
    },
  },
})

interface Scope {
  company_id: string
  id: string
}

export const listTerms = (db: Db, company_id: string, listed: Listed, mayRestore: boolean) =>
  terms.list(db, { company_id }, listed, { restorable: mayRestore, searchesTexts: true })

export const getTerm = (db: Db, scope: Scope) => terms.get(db, scope)

/** Locks the company, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(tx: Tx, company_id: string): Promise<void> {
  await lockCompany(tx, company_id)
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM terms WHERE company_id = ${company_id} AND date_archived IS NULL`)
  if (count >= MAX_TERMS) conflict('too_many_terms', `The company already has ${MAX_TERMS} terms, which is the maximum. Delete one first.`)
}

export async function createTerm(tx: Tx, company_id: string, body: TermCreate) {
  refuseUnfit(body)
  await refuseTooMany(tx, company_id)
  return terms.insert(tx, { ...body, company_id })
}

export async function updateTerm(tx: Tx, scope: Scope, patch: TermPatch) {
  refuseUnfit(patch)
  return terms.update(tx, scope, patch)
}

export const archiveTerm = (tx: Tx, scope: Scope) => terms.archive(tx, scope)

export const restoreTerm = (tx: Tx, scope: Scope) =>
  terms.restore(tx, scope, (row) => row.date_archived && refuseTooMany(tx, scope.company_id))
