import type { archivable } from '../../core/fields.ts'
import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { Page } from '../../db/list.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import './invariants.ts'
import { type ListedRuleset, MAX_RULESETS, Ruleset, type RulesetPatch } from './schema.ts'

const rulesets = table('rulesets', Ruleset, {
  noun: 'Ruleset',
  texts: ['description'],
  indexesAcrossCompanies: ['rulesets_to_purge'],
  kept: sql`EXISTS (SELECT FROM ruleset_versions v WHERE v.company_id = t.company_id AND v.ruleset_id = t.id AND v.used)`,
  conflicts: {
    rulesets_name: {
      columns: ['name_key'],
      message: 'The company already has a ruleset with this name. Add a version to that one, or choose another name.',
    },
  },
})

interface Scope {
  company_id: string
  id: string
}

/** A column of the version that a list shows: the published one, else the draft. */
const ofVersion = (company_id: string, column: 'number' | 'game' | 'license') => sql`(SELECT v.${sql.id(column)} FROM ruleset_versions v
  WHERE v.company_id = ${company_id} AND v.id = coalesce(rulesets.published_version_id, rulesets.draft_version_id)) AS ${sql.id(column)}`

export function listRulesets(db: Db, company_id: string, listed: Listed, mayRestore: boolean): Promise<Page<ListedRuleset>> {
  const facts = (['number', 'game', 'license'] as const).map((column) => ofVersion(company_id, column))
  const withFacts = rulesets.with(sql.join(facts, ', '))
  return withFacts.list(db, { company_id }, listed, { restorable: mayRestore }) as Promise<Page<ListedRuleset>>
}
export const getRuleset = (db: Db, scope: Scope) => rulesets.get(db, scope)
export const updateRuleset = (tx: Tx, scope: Scope, patch: RulesetPatch) => rulesets.update(tx, scope, patch)

/** Rejects to archive a ruleset that live campaigns are played by. The row is locked, so that none can choose it in between. */
async function refuseInUse(tx: Tx, { company_id, id }: Scope): Promise<void> {
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM campaigns c
      JOIN ruleset_versions v ON v.company_id = ${company_id} AND v.id = c.ruleset_version_id AND v.ruleset_id = ${id}
    WHERE c.company_id = ${company_id} AND c.ruleset_version_id IS NOT NULL AND c.date_archived IS NULL`)
  if (count > 0)
    conflict(
      'ruleset_in_use',
      `${count === 1 ? 'A campaign is' : `${count} campaigns are`} played by this ruleset. Choose another one there first.`,
    )
}

export const archiveRuleset = (tx: Tx, scope: Scope) =>
  rulesets.archive(tx, scope, (row) => (row.date_archived ? undefined : refuseInUse(tx, scope)))

/** Locks the company, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(tx: Tx, company_id: string): Promise<void> {
  await tx.query(sql`SELECT id FROM companies WHERE id = ${company_id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await tx.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM rulesets WHERE company_id = ${company_id} AND date_archived IS NULL`)
  if (count >= MAX_RULESETS)
    conflict('too_many_rulesets', `The company already has ${MAX_RULESETS} rulesets, which is the maximum. Delete one first.`)
}

export async function insertRuleset(tx: Tx, values: Omit<Ruleset, 'id' | keyof typeof archivable>) {
  await refuseTooMany(tx, values.company_id)
  return rulesets.insert(tx, values)
}

export const restoreRuleset = (tx: Tx, scope: Scope) =>
  rulesets.restore(tx, scope, (row) => row.date_archived && refuseTooMany(tx, scope.company_id))

/** Notes in a ruleset which versions it has, after `next` has seen the locked row. */
export const noteVersions = (
  tx: Tx,
  scope: Scope,
  next: (row: Ruleset) => Partial<Pick<Ruleset, 'published_version_id' | 'draft_version_id' | 'versions'>>,
) => rulesets.update(tx, scope, next)

/** Locks a ruleset, so that its versions change one after the other. */
export const lockRuleset = (tx: Tx, { company_id, id }: Scope) =>
  tx.query(sql`SELECT id FROM rulesets WHERE company_id = ${company_id} AND id = ${id} FOR NO KEY UPDATE`)
