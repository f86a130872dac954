import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { deriveSheet } from '@guildhall/rules/ruleset/sheet'
import { upgradeSheet } from '@guildhall/rules/ruleset/upgrade'
import { isSameJson } from '../../core/json.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { getCampaign, setRuleset } from '../campaigns/queries.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { sheetOf } from '../characters/ruled-sheet.ts'
import { CharacterRow } from '../characters/schema.ts'
import { type Surroundings, selectSurroundings } from '../characters/surroundings.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { readText } from '../ruleset-versions/queries.ts'
import { RulesetVersion } from '../ruleset-versions/schema.ts'
import { asPlayer } from '../trackers/ruled.ts'
import { type CampaignRulesetSet, MAX_CHARACTERS, MAX_REPORTED, MAX_REPORTED_FAULTS, type Report } from './schema.ts'
import { adoptTrackers, releaseTrackers } from './trackers.ts'

/** A character with what surrounds it, as the storyteller sees it, and as any player does. */
type Row = CharacterRow & { surroundings: Surroundings; open: Surroundings }

const versionOf = (company_id: string, id: string) => sql`
  SELECT ${columnsOf(RulesetVersion, 'v')}, r.date_archived IS NOT NULL AS archived FROM ruleset_versions v
    JOIN rulesets r ON r.company_id = ${company_id} AND r.id = v.ruleset_id
  WHERE v.company_id = ${company_id} AND v.id = ${id}`

export async function getCampaignRuleset(db: Db, { actor: { company_id }, campaign }: InCampaign) {
  if (!campaign.ruleset_version_id) return notFound('Ruleset')
  const [version] = await db.query<RulesetVersion>(versionOf(company_id, campaign.ruleset_version_id))
  return { version: version as RulesetVersion, document: JSON.parse(await readText(db, { company_id, id: campaign.ruleset_version_id })) }
}

/** Reads a version that a campaign may choose, and keeps its ruleset live until the transaction ends. */
async function chosenVersion(tx: Tx, { actor: { company_id }, campaign }: InCampaign, id: string): Promise<RulesetVersion> {
  const [found] = await tx.query<RulesetVersion & { archived: boolean }>(sql`${versionOf(company_id, id)} FOR KEY SHARE OF r`)
  // The version that the campaign has can be confirmed, whatever became of it.
  const isKept = id === campaign.ruleset_version_id
  if (!found || (found.archived && !isKept)) return notFound('Version')
  if (found.status !== 'PUBLISHED' && !isKept)
    conflict(
      'version_not_published',
      found.status === 'DRAFT' ? 'The version is a draft. Publish it first.' : 'The version is retired. Choose another one.',
    )
  return found
}

/** Returns the versions through which sheets are carried over: those after the present one, up to the chosen one, of the same ruleset. */
async function stepsTo(tx: Tx, { actor: { company_id }, campaign }: InCampaign, chosen: RulesetVersion): Promise<Ruleset[]> {
  if (!campaign.ruleset_version_id) return []
  const versions = await tx.query<{ id: string }>(sql`
    SELECT v.id FROM ruleset_versions v
      JOIN ruleset_versions p ON p.company_id = ${company_id} AND p.id = ${campaign.ruleset_version_id} AND p.ruleset_id = v.ruleset_id
    WHERE v.company_id = ${company_id} AND v.ruleset_id = ${chosen.ruleset_id} AND v.number >= p.number AND v.number <= ${chosen.number}
    ORDER BY v.number`)
  return Promise.all(versions.map(({ id }) => publishedRuleset(tx, { company_id, id })))
}

/** Carries a sheet over, one version at a time. */
function carried(steps: Ruleset[], row: Row): Pick<CharacterRow, 'traits' | 'choices' | 'conditions'> {
  let sheet = sheetOf(row, row.surroundings)
  for (const [i, step] of steps.slice(1).entries()) sheet = upgradeSheet(steps[i] as Ruleset, step.document, sheet)
  const { traits = {}, choices = {}, conditions = {} } = sheet
  return { traits, choices, conditions }
}

async function readCharacters(tx: Tx, context: InCampaign): Promise<Row[]> {
  const { actor, campaign } = context
  const rows = await tx.query<Row>(sql`
    SELECT ${columnsOf(CharacterRow, 'x')}, ${selectSurroundings(context, sql`x`)} AS surroundings,
      ${selectSurroundings(asPlayer(context, null), sql`x`)} AS open FROM characters x
    WHERE x.company_id = ${actor.company_id} AND x.campaign_id = ${campaign.id} AND x.date_purged IS NULL
    ORDER BY x.id LIMIT ${sql.number(MAX_CHARACTERS + 1)}`)
  if (rows.length > MAX_CHARACTERS)
    conflict('too_many_characters', `The campaign has more than ${MAX_CHARACTERS} characters, which cannot be changed at once.`)
  return rows
}

/** Writes the sheets that changed, in one statement. Nobody else writes below the campaign at this time. */
function writeSheets(tx: Tx, company_id: string, rows: CharacterRow[]): Promise<CharacterRow[]> {
  const sheets = JSON.stringify(rows.map(({ id, traits, choices, conditions }) => ({ id, traits, choices, conditions })))
  return tx.query<CharacterRow>(sql`
    UPDATE characters x SET traits = n.traits::jsonb, traits_ordered = n.traits, choices = n.choices::jsonb, choices_ordered = n.choices,
      conditions = n.conditions::jsonb, conditions_ordered = n.conditions, version = version + 1, date_modified = ${tx.now()}
    FROM json_to_recordset(${sheets}::json) AS n (id uuid, traits json, choices json, conditions json)
    WHERE x.company_id = ${company_id} AND x.id = n.id RETURNING ${columnsOf(CharacterRow, 'x')}`)
}

/** Chooses the version of a ruleset that a campaign is played by, and carries its sheets over. */
export async function setCampaignRuleset(tx: Tx, context: InCampaign, body: CampaignRulesetSet) {
  const { actor, campaign } = context
  const { company_id } = actor
  const version = await chosenVersion(tx, context, body.version_id)
  const ruleset = await publishedRuleset(tx, { company_id, id: version.id })
  const steps = await stepsTo(tx, context, version)
  const rows = await readCharacters(tx, context)
  const after = rows.map((row) => ({ ...row, ...carried(steps, row) }))
  const changed = after.flatMap((row, i) => (isSameSheet(row, rows[i] as Row) ? [] : [{ before: rows[i] as Row, after: row }]))
  const unfit = after.flatMap((row) => {
    const faults = deriveSheet(ruleset, sheetOf(row, row.surroundings), { isPlayer: row.type === 'PLAYER' }).faults
    const errors = faults.filter(({ level }) => level === 'ERROR')
    return errors.length ? [{ character_id: row.id, name: row.name, faults: errors.slice(0, MAX_REPORTED_FAULTS) }] : []
  })
  const report: Report = { characters: rows.length, changed: changed.length, unfit: unfit.length, faults: unfit.slice(0, MAX_REPORTED) }
  if (body.dry_run) {
    const present = await getCampaign(tx, actor, campaign.id)
    return { before: present, after: present, reply: { campaign: present, report } }
  }
  if (unfit.length && !body.accept_faults)
    conflict(
      'characters_unfit',
      `${unfit.length} of ${rows.length} characters break a rule of the version. \`dry_run\` lists them; \`accept_faults\` chooses it all the same.`,
    )
  const written = changed.length
    ? await writeSheets(
        tx,
        company_id,
        changed.map((one) => one.after),
      )
    : []
  const sheets = after.map((row) => ({ character_id: row.id, sheet: sheetOf(row, row.open) }))
  await adoptTrackers(tx, context, ruleset, steps, sheets)
  tx.send(sql`UPDATE ruleset_versions SET used = true WHERE company_id = ${company_id} AND id = ${version.id} AND NOT used`)
  const change = await setRuleset(tx, company_id, campaign.id, { ruleset_version_id: version.id, ruleset_mode: body.mode })
  const sideEvents = changed.map(({ before: { surroundings, open, ...before } }) => ({
    type: 'character.migrated' as const,
    before,
    after: written.find(({ id }) => id === before.id) as CharacterRow,
  }))
  return { ...change, reply: { campaign: await getCampaign(tx, actor, campaign.id), report }, sideEvents }
}

const isSameSheet = (one: Row, other: Row) =>
  (['traits', 'choices', 'conditions'] as const).every((field) => isSameJson(one[field], other[field]))

/** Goes back to free sheets. Everything that is on them stays. */
export async function removeCampaignRuleset(tx: Tx, context: InCampaign) {
  const {
    actor: { company_id },
    campaign,
  } = context
  if (!campaign.ruleset_version_id) return notFound('Ruleset')
  releaseTrackers(tx, context, [])
  return setRuleset(tx, company_id, campaign.id, { ruleset_version_id: null, ruleset_mode: null })
}
