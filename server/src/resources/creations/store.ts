import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { readNewSurroundings } from '../characters/surroundings.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { mayStart } from './rules.ts'
import { type Answered, CreationRow } from './schema.ts'
import { shownCreation } from './steps.ts'

export const creations = table('creations', CreationRow, {
  noun: 'Creation',
  references: { users: 'user_id', characters: 'character_id', ruleset_versions: 'version_id' },
  partOf: { campaigns: 'campaign_id' },
  indexesAcrossCompanies: ['creations_by_expiry'],
})

/** Users see the creations of their own characters, and storytellers all of the campaign. One that has expired counts as deleted. */
export const isSeen = (db: Db, { actor, campaign }: InCampaign) =>
  sql`date_expires > ${db.now()} AND ((user_id = ${actor.id} AND type = 'PLAYER') OR ${campaign.isStoryteller}::boolean)`

export const scopeOf = ({ actor, campaign }: InCampaign) => ({ company_id: actor.company_id, campaign_id: campaign.id })

export const rulesetOf = (db: Db, { company_id, version_id }: CreationRow) => publishedRuleset(db, { company_id, id: version_id })

/** A creation as the acting user sees it, with the campaign around it. */
export const shown = async (db: Db, context: InCampaign, ruleset: Ruleset, row: CreationRow) =>
  shownCreation(ruleset, row, await readNewSurroundings(db, context))

/** The events of a creation are for those who see it. */
export const secretOf = ({ user_id, type }: CreationRow) => ({ visibility: 'STORYTELLER', author_id: type === 'NPC' ? null : user_id })

/** Locks a creation that the acting user sees and that is still open. */
export async function lockOpen(db: Tx, context: InCampaign, id: string): Promise<CreationRow> {
  const { company_id, campaign_id } = scopeOf(context)
  const [row] = await db.query<CreationRow>(sql`
    SELECT ${columnsOf(CreationRow, 'x')} FROM creations x
    WHERE x.company_id = ${company_id} AND x.campaign_id = ${campaign_id} AND x.id = ${id} AND ${isSeen(db, context)} FOR NO KEY UPDATE`)
  // Below one that was abandoned there is nothing any more.
  if (!row || row.status === 'ABANDONED') return notFound('Creation')
  if (row.status === 'FINISHED') conflict('creation_finished', 'The creation is finished. Start another one.')
  return row
}

/** Locks a creation that can go on: the rules that allowed it still do, and are still those of the campaign. */
export async function lockToWrite(db: Tx, context: InCampaign, id: string): Promise<{ row: CreationRow; ruleset: Ruleset }> {
  const row = await lockOpen(db, context, id)
  if (!mayStart(context, row)) forbidden(mayStart.why(context, row))
  if (row.version_id !== context.campaign.ruleset_version_id)
    conflict('ruleset_changed', 'The campaign is played by another version of its ruleset, or by none. Start another creation.')
  return { row, ruleset: await rulesetOf(db, row) }
}

type Changes = Partial<Pick<CreationRow, 'choices' | 'answers' | 'rolled' | 'raised' | 'status' | 'character_id'>>

export async function write(db: Tx, before: CreationRow, changes: Changes) {
  const { choices, answers, rolled, raised, status, character_id } = { ...before, ...changes }
  const [after] = await db.query<CreationRow>(sql`
    UPDATE creations x SET choices = ${JSON.stringify(choices)}::jsonb, answers = ${JSON.stringify(answers)}::jsonb, rolled = ${JSON.stringify(rolled)}::jsonb, raised = ${JSON.stringify(raised)}::jsonb,
      status = ${status}, character_id = ${character_id}, version = version + 1, date_modified = ${db.now()}
    WHERE x.company_id = ${before.company_id} AND x.id = ${before.id} RETURNING ${columnsOf(CreationRow, 'x')}`)
  return { before, after: after as CreationRow, partOf: secretOf(before) }
}

/** Another answer takes back what the experience of a tier raised, because it was spent on other values. */
export const answering = ({ answers }: CreationRow, step: string, answered: Answered): Changes => ({
  answers: { ...answers, [step]: answered },
  raised: {},
})
