import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Sheet } from '@guildhall/rules/ruleset/sheet'
import { NOBODY } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import type { EventDraft } from '../../events/record.ts'
import { type InCampaign, type SecretCharacter, secretPartOf } from '../characters/hidden-sheets.ts'
import { readSurroundings, sheetOf } from '../characters/ruled-sheet.ts'
import type { CharacterRow } from '../characters/schema.ts'
import type { Surroundings } from '../characters/surroundings.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { insertTrackers } from './insert.ts'
import { type Limits, plannedChanges, ruledTrackers } from './ruled-plan.ts'
import { TrackerRow } from './schema.ts'

type Stored = Pick<CharacterRow, 'id' | 'user_id' | 'type' | 'traits' | 'choices' | 'conditions'>
type Followed = Stored & SecretCharacter
type TrackerEvent = EventDraft<'tracker.created' | 'tracker.updated'>

/** Makes a context that sees as much as a player, or with null as everybody who sees the sheet. Limits are stored for all readers, and must not reveal more. */
export const asPlayer = ({ actor, campaign }: InCampaign, user_id: string | null): InCampaign => ({
  actor: { ...actor, id: user_id ?? NOBODY, role: 'PLAYER' },
  campaign: { ...campaign, isStoryteller: false },
})

/** Returns the ruleset of a campaign, if it has one. */
const rulesetOf = async (db: Db, { actor, campaign }: InCampaign): Promise<Ruleset | undefined> =>
  campaign.ruleset_version_id ? publishedRuleset(db, { company_id: actor.company_id, id: campaign.ruleset_version_id }) : undefined

const columns = columnsOf(TrackerRow)

type Added = ReturnType<typeof ruledTrackers>[number] & { character_id: string | null }

/** Inserts trackers and sets limits. */
export async function writeRuled(tx: Tx, context: InCampaign, added: Added[], changed: (Limits & { id: string })[]): Promise<TrackerRow[]> {
  const { company_id } = context.actor
  const now = tx.now()
  const inserted = insertTrackers(
    tx,
    context,
    added.map((one) => ({ ...one, visibility: 'OPEN', by_ruleset: true })),
  )
  // Players do not see the start of a NAME_ONLY tracker, and nothing of a STORYTELLER one.
  const isStartAlone = sql`(visibility = 'NAME_ONLY' AND by_ruleset AND x.minimum = n.minimum AND x.maximum IS NOT DISTINCT FROM n.maximum)`
  const updated = changed.length
    ? await tx.query<TrackerRow>(sql`
        UPDATE trackers x SET minimum = n.minimum, maximum = n.maximum, start = n.start, by_ruleset = true, version = version + 1,
          date_modified = CASE WHEN ${isStartAlone} THEN date_modified ELSE ${now} END,
          hidden_changes = hidden_changes + CASE WHEN visibility = 'STORYTELLER' OR ${isStartAlone} THEN 1 ELSE 0 END
        FROM json_to_recordset(${JSON.stringify(changed)}::json) AS n (id uuid, minimum integer, maximum integer, start integer)
        WHERE x.company_id = ${company_id} AND x.id = n.id RETURNING ${columnsOf(TrackerRow, 'x')}`)
    : []
  return [...inserted, ...updated]
}

/** Makes the trackers of a character those that its ruleset defines for its sheet. Called after every change of the sheet, in its transaction. */
export async function followSheet(tx: Tx, context: InCampaign, row: Followed): Promise<TrackerEvent[]> {
  const ruleset = await rulesetOf(tx, context)
  if (!ruleset) return []
  const { company_id } = context.actor
  const [surroundings, existing] = await Promise.all([
    readSurroundings(tx, asPlayer(context, null), row.id),
    tx.query<TrackerRow>(sql`
      SELECT ${columns} FROM trackers WHERE company_id = ${company_id} AND parent_id = ${row.id} ORDER BY id FOR NO KEY UPDATE`),
  ])
  const { added, changed } = plannedChanges(ruledTrackers(ruleset, sheetOf(row, surroundings), 'character'), existing)
  const written = await writeRuled(
    tx,
    context,
    added.map((one) => ({ ...one, character_id: row.id })),
    changed,
  )
  // The path need not name the character, or its sheet: a new character, or a raise of a trait.
  const partOf = secretPartOf(row)
  return written.map((after) => {
    const before = existing.find(({ id }) => id === after.id) ?? null
    return { type: before ? 'tracker.updated' : 'tracker.created', before, after, partOf }
  })
}

/** The limits of trackers as they are now. What they depend on may have changed since they were stored: experience, danger, or another tracker. */
export async function presentLimits(db: Db, context: InCampaign & { character?: { id: string } }): Promise<Map<string, Limits>> {
  const ruleset = await rulesetOf(db, context)
  if (!ruleset) return new Map()
  const sheet = context.character ? await readSheet(db, context, context.character.id) : await campaignSheet(db, context)
  const ruled = ruledTrackers(ruleset, sheet, context.character ? 'character' : 'campaign')
  return new Map(ruled.map(({ key, minimum, maximum, start }) => [key, { minimum, maximum, start }]))
}

/** The sheet of a campaign, by which its own trackers are computed: it has danger and desperation alone. */
export async function campaignSheet(db: Db, { actor, campaign }: InCampaign): Promise<Sheet> {
  const [levels] = await db.query<Surroundings['levels']>(
    sql`SELECT danger, desperation FROM campaigns WHERE company_id = ${actor.company_id} AND id = ${campaign.id}`,
  )
  return { campaign: { ...levels } as Record<string, number> }
}

async function readSheet(db: Db, context: InCampaign, id: string) {
  const [row] = await db.query<Stored>(sql`
    SELECT id, user_id, type, traits, choices, conditions FROM characters WHERE company_id = ${context.actor.company_id} AND id = ${id}`)
  const { user_id } = row as Stored
  return sheetOf(row as Stored, await readSurroundings(db, asPlayer(context, user_id), id))
}
