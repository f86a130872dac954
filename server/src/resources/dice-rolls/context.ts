import { NOBODY } from '../../core/ids.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { type CampaignAccess, isReachable, isStoryteller, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import { insertSeeds, type SeedOwner } from '../dice-seeds/insert.ts'
import type { Requested } from './request-rules.ts'
import type { DiceRollCreate } from './request-schema.ts'
import { type NamedTracker, namedValue, sheetNamesOf, trackerKeysOf, unknownNames } from './values.ts'

/** The campaign, the character and the seed of a new roll. */
export interface RollContext extends Pick<CampaignAccess, 'isMember' | 'joining'> {
  /** The campaign, if it exists for the acting user. */
  campaign_id: string | null
  /** The owner of the campaign. */
  owner_id: string
  desperation: number | null
  /** True if the acting user is a storyteller of the campaign. */
  tells: boolean | null
  /** The character, if it is in the campaign and the acting user may see it. */
  character_id: string | null
  character_name: string
  player_id: string | null
  traits: Record<string, number> | null
  /** The trackers that the roll names, as far as the acting user sees their values. Those of the character come first. */
  trackers: NamedTracker[] | null
  hidden: boolean
  /** True if the acting user sees the sheet of the character. */
  seesSheet: boolean
  /** True if the sheet of the character is hidden from some users. */
  isSheetHidden: boolean | null
  /** The seed; null if the owner has none at the moment, or if the dice were rolled at the table. */
  seed_id: string | null
  server_seed: Buffer
  /** The number of the last of the rolls under the seed. */
  nonce: number
}

export const isStorytellerAs = (actor: Actor) => isStoryteller(sql`${actor.role}::text`, sql`${actor.id}::uuid`)

/** The trackers of the row `subject`, and of the row `campaign`, whose values the acting user sees: all, or those with these keys. */
function visibleTrackers(company_id: string, sight: Sight, keys: string[] | undefined): Sql {
  const sees = sql`${seen(sight, sql`t.visibility`)} AND (t.visibility <> 'NAME_ONLY' OR (${sight.all})::boolean OR (${sight.isStoryteller})::boolean)`
  return sql`(SELECT json_agg(json_build_object('key', t.key, 'value', t.value, 'maximum', t.maximum, 'isOpen', t.visibility = 'OPEN')
      ORDER BY t.character_id IS NULL, t.key)
    FROM trackers t WHERE t.company_id = ${company_id} AND t.parent_id IN (subject.id, campaign.id)
      AND (t.character_id IS NULL OR ${seesSheet(sight, sql`subject`)}) AND ${sees}${keys ? sql` AND t.key = ANY (${keys}::text[])` : sql``})`
}

interface Lookup {
  /** The keys of the trackers to read; undefined for all. */
  keys: string[] | undefined
  /** The number of nonces to take. */
  count: number
}

/** Looks up the context of a roll and takes the next nonces, in one statement that locks the seed until the transaction ends. */
async function lookUp(db: Tx, actor: Actor, body: DiceRollCreate, { keys, count }: Lookup): Promise<RollContext> {
  const { company_id } = actor
  const { campaign_id = null, character_id = null } = body
  const secret = body.visibility !== 'PUBLIC'
  const sight = sightAcross({ actor, permission: null })
  // Two different statements: no index could serve one with an OR.
  const isSeedOfRoll =
    campaign_id || character_id
      ? sql`seed.campaign_id = here.campaign_id AND seed.secret = ${secret}`
      : sql`seed.campaign_id IS NULL AND seed.user_id = ${actor.id}`
  const trackers = keys?.length === 0 ? sql`NULL::json` : visibleTrackers(company_id, sight, keys)
  const here = sql`
      SELECT CASE WHEN ${isReachable(sight.all)} THEN campaign.id END AS campaign_id, campaign.desperation, ${isStorytellerAs(actor)} AS tells,
        campaign.user_id AS owner_id, member.user_id IS NOT NULL AS "isMember", campaign.joining,
        CASE WHEN ${isReachable(sight.all)} AND subject.campaign_id = campaign.id AND ${seen(sight, sql`subject.visibility`)} THEN subject.id END AS character_id,
        subject.name AS character_name, subject.user_id AS player_id, subject.traits, ${trackers} AS trackers, subject.visibility <> 'OPEN' AS hidden,
        ${seesSheet(sight, sql`subject`)} AS "seesSheet", subject.sheet_visibility <> 'EVERYONE' AS "isSheetHidden"
      FROM (SELECT 1) one
      LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = ${character_id ?? NOBODY} AND subject.date_archived IS NULL
      LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.date_archived IS NULL
        AND campaign.id = coalesce(${campaign_id}::uuid, subject.campaign_id)
      ${joinMembership(company_id, sql`${actor.id}`)}`
  if (count === 0) {
    const [context] = await db.query<RollContext>(here)
    return { ...(context as RollContext), seed_id: null }
  }
  const [context] = await db.query<RollContext>(sql`
    WITH here AS MATERIALIZED (${here}), taken AS (
      UPDATE dice_seeds seed SET nonce = seed.nonce + ${count}::int FROM here
      WHERE seed.company_id = ${company_id} AND seed.date_revealed IS NULL AND ${isSeedOfRoll}
      RETURNING seed.id AS seed_id, seed.server_seed, seed.nonce
    )
    SELECT * FROM here LEFT JOIN taken ON true`)
  return context as RollContext
}

/** Rejects a roll in a campaign or for a character that the acting user may not roll in or for. */
function refuseContext(actor: Actor, body: DiceRollCreate, context: RollContext, names: string[]): void {
  const { campaign_id, character_id, visibility } = body
  if (campaign_id && !context.campaign_id) notFound('Campaign')
  if (character_id && !context.character_id) notFound('Character')
  if (character_id && !context.tells && context.player_id !== actor.id) forbidden({ reason: 'not_your_character' })
  // The roll, or the 400 for too many dice, would reveal the traits.
  if (character_id && names.length > 0 && !context.seesSheet) forbidden({ reason: 'hidden_sheet' })
  if (context.hidden && visibility === 'PUBLIC')
    invalid([{ field: 'visibility', message: 'must be STORYTELLER or BLIND: this NPC is hidden, and so are its rolls' }])
}

/** Rejects names that stand for nothing that the acting user sees, and public rolls with values that not everybody sees. */
async function refuseNames(db: Tx, actor: Actor, body: DiceRollCreate, requested: Requested, context: RollContext): Promise<void> {
  const known = { inputs: body.values ?? {}, traits: context.traits ?? {}, trackers: context.trackers ?? [] }
  const names = sheetNamesOf(requested, known.inputs)
  const isUnknown = (name: string) => namedValue(known, name) === null
  if (body.missing !== 'ZERO' && names.some(isUnknown)) {
    // Only now are all trackers needed, to suggest what was meant. The transaction is rolled back, with the nonces.
    const { trackers } = await lookUp(db, actor, body, { keys: undefined, count: 0 })
    invalid(unknownNames(requested, { ...known, trackers: trackers ?? [] }))
  }
  const secret =
    body.visibility === 'PUBLIC' && names.find((name) => known.traits[name] === undefined && isHiddenTracker(known.trackers, name))
  if (secret) invalid([{ field: 'visibility', message: `must be STORYTELLER or BLIND: not everybody sees ${secret}, nor rolls with it` }])
}

const isHiddenTracker = (trackers: NamedTracker[], name: string) =>
  trackers.find(({ key }) => key === name.replace(/\.max$/, ''))?.isOpen === false

const MAX_TRIES = 5

/** Checks and locks everything that the rolls of a request depend on, and takes their nonces. */
export async function prepareRolls(db: Tx, actor: Actor, body: DiceRollCreate, requested: Requested): Promise<RollContext> {
  const { company_id, id: user_id } = actor
  const inputs = body.values ?? {}
  const names = sheetNamesOf(requested, inputs)
  const lookup = { keys: names.length ? trackerKeysOf(requested) : [], count: body.manual ? 0 : requested.rolls.length * requested.repeat }
  let context = await lookUp(db, actor, body, lookup)
  refuseContext(actor, body, context, names)
  if (names.length) await refuseNames(db, actor, body, requested, context)
  const owner: SeedOwner = context.campaign_id
    ? { company_id, campaign_id: context.campaign_id, secret: body.visibility !== 'PUBLIC' }
    : { company_id, user_id }
  // During a concurrent rotation, the old seed is revealed and the new one not visible yet. An owner created by an old version has no seed.
  for (let tries = 0; context.seed_id === null && lookup.count > 0; tries++) {
    if (tries === MAX_TRIES) conflict('seed_in_use', 'Other requests are rotating the seed. Roll again.')
    await db.query(insertSeeds(db, [owner]))
    context = await lookUp(db, actor, body, lookup)
  }
  return context
}
