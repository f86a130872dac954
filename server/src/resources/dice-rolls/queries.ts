import { NOBODY, timeOf } from '../../core/ids.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { commitmentOf, drawFrom, wordsOf } from '../../dice/draw.ts'
import type { Actor } from '../../http/caller.ts'
import { type Viewer, viewerOf } from '../campaigns/across.ts'
import { enter } from '../campaigns/membership.ts'
import { type CampaignAccess, isReachable, isStoryteller, joinMembership, sightAcross } from '../campaigns/path-resource.ts'
import { raiseDanger } from '../campaigns/queries.ts'
import { insertSeeds, type SeedOwner } from '../dice-seeds/insert.ts'
import { rollDice, settledOutcome, settledText, textOf, validateRoll, withoutTraits } from './rules.ts'
import { DiceRoll, type DiceRollCreate, type DiceRollsQuery, type ListedRoll, MAX_LISTED_DICE } from './schema.ts'
import { joinVisibility, showsTraits, visibleRolls, visibleTallies, visibleTalliesWhere } from './seen.ts'
import { tally, tallySettlement } from './tally.ts'

declareTable('dice_rolls', DiceRoll, {
  references: { users: 'user_id', characters: 'character_id', dice_seeds: 'seed_id' },
  partOf: { campaigns: 'campaign_id' },
})

const columns = columnsOf(DiceRoll, 'x')
const hasManyDice = sql`jsonb_array_length(page.dice) > ${sql.number(MAX_LISTED_DICE)}`
const excerpt = excerptColumnsOf(DiceRoll, 'page', {
  dice: { value: sql`CASE WHEN ${hasManyDice} THEN '[]' ELSE page.dice END`, isCut: hasManyDice },
})
const isStorytellerAs = (actor: Actor) => isStoryteller(sql`${actor.role}::text`, sql`${actor.id}::uuid`)

const rollsFor = (viewer: Viewer) => sql`dice_rolls x ${joinVisibility(viewer)}`

/** The total of a list of rolls, read from the tallies. Undefined with a filter by outcome or time, which tallies cannot answer. */
function talliedTotal(viewer: Viewer, { campaign_id, character_id, user_id, outcome, from, to }: DiceRollsQuery): Sql | undefined {
  if (outcome ?? from ?? to) return undefined
  const conditions = Object.entries({ campaign_id, character_id, user_id }).flatMap(([name, id]) =>
    id === undefined ? [] : [sql`x.${sql.id(name)} = ${id}`],
  )
  const tallies = conditions.length ? visibleTalliesWhere(viewer, sql.join(conditions, ' AND ')) : visibleTallies(viewer)
  return sql`(SELECT coalesce(sum(sign * rolls), 0)::bigint FROM (${tallies}) tally)`
}

/** The column that decides if the viewer sees the traits of a roll; `asSeen` applies it. */
const traitsColumn = (viewer: Viewer) => sql`${showsTraits(viewer)} AS "showsTraits"`
const asSeen = <Row extends Pick<DiceRoll, 'pool' | 'net' | 'total' | 'outcome' | 'text'>>({
  showsTraits,
  ...roll
}: Row & { showsTraits: boolean }) => (showsTraits ? roll : withoutTraits(roll))

export async function listRolls(db: Db, viewer: Viewer, query: DiceRollsQuery) {
  const { campaign_id, character_id, user_id, outcome, from, to } = query
  const where = [sql`x.company_id = ${viewer.company_id}`, visibleRolls(viewer)]
  for (const [name, value] of Object.entries({ campaign_id, character_id, user_id, outcome }))
    if (value !== undefined) where.push(sql`x.${sql.id(name)} = ${value}`)
  where.push(...between(sql`x.id`, from, to))
  const source = {
    columns: sql`${columns}, ${traitsColumn(viewer)}`,
    shown: sql`${excerpt}, page."showsTraits"`,
    from: rollsFor(viewer),
    where,
    id: sql`x.id`,
    modified: sql`x.date_modified`,
    isOrderedByChange: !(character_id ?? user_id),
    total: talliedTotal(viewer, query),
  }
  const { items, ...page } = await list<ListedRoll & { showsTraits: boolean }>(db, source, query)
  return { ...page, items: items.map((roll) => asSeen(roll) as ListedRoll) }
}

const findRoll = async <Row = DiceRoll>(db: Db, actor: Actor, id: string, selected: Sql, lock = sql``): Promise<Row> => {
  const viewer = viewerOf(actor)
  const [row] = await db.query<Row>(sql`
    SELECT ${selected} FROM ${rollsFor(viewer)}
    WHERE x.company_id = ${viewer.company_id} AND x.id = ${id} AND ${visibleRolls(viewer)} ${lock}`)
  return row ?? notFound('Roll')
}

export const getRoll = async (db: Db, actor: Actor, id: string): Promise<DiceRoll> =>
  asSeen(await findRoll<DiceRoll & { showsTraits: boolean }>(db, actor, id, sql`${columns}, ${traitsColumn(viewerOf(actor))}`))

/** The campaign, the character and the seed of a new roll. */
interface RollContext extends Pick<CampaignAccess, 'isMember' | 'joining'> {
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
  traits: Record<string, number>
  hidden: boolean
  /** True if the acting user sees the sheet of the character. */
  seesSheet: boolean
  /** True if the sheet of the character is hidden from some users. */
  isSheetHidden: boolean | null
  /** The seed; null if the owner has none at the moment. */
  seed_id: string | null
  server_seed: Buffer
  nonce: number
}

/** Looks up the context of a roll and takes the next nonce, in one statement that locks the seed until the transaction ends. */
async function takeNonce(db: Tx, actor: Actor, body: DiceRollCreate): Promise<RollContext> {
  const { company_id } = actor
  const { campaign_id = null, character_id = null } = body
  const secret = body.visibility !== 'PUBLIC'
  const sight = sightAcross({ actor, permission: null })
  // Two different statements: no index could serve one with an OR.
  const isSeedOfRoll =
    campaign_id || character_id
      ? sql`seed.campaign_id = here.campaign_id AND seed.secret = ${secret}`
      : sql`seed.campaign_id IS NULL AND seed.user_id = ${actor.id}`
  const [context] = await db.query<RollContext>(sql`
    WITH here AS MATERIALIZED (
      SELECT CASE WHEN ${isReachable(sight.all)} THEN campaign.id END AS campaign_id, campaign.desperation, ${isStorytellerAs(actor)} AS tells,
        campaign.user_id AS owner_id, member.user_id IS NOT NULL AS "isMember", campaign.joining,
        CASE WHEN ${isReachable(sight.all)} AND subject.campaign_id = campaign.id AND ${seen(sight, sql`subject.visibility`)} THEN subject.id END AS character_id,
        subject.name AS character_name, subject.user_id AS player_id, subject.traits, subject.visibility <> 'OPEN' AS hidden,
        ${seesSheet(sight, sql`subject`)} AS "seesSheet", subject.sheet_visibility <> 'EVERYONE' AS "isSheetHidden"
      FROM (SELECT 1) one
      LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = ${character_id ?? NOBODY} AND subject.date_archived IS NULL
      LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.date_archived IS NULL
        AND campaign.id = coalesce(${campaign_id}::uuid, subject.campaign_id)
      ${joinMembership(company_id, sql`${actor.id}`)}
    ), taken AS (
      UPDATE dice_seeds seed SET nonce = seed.nonce + 1 FROM here
      WHERE seed.company_id = ${company_id} AND seed.date_revealed IS NULL AND ${isSeedOfRoll}
      RETURNING seed.id AS seed_id, seed.server_seed, seed.nonce
    )
    SELECT * FROM here LEFT JOIN taken ON true`)
  return context as RollContext
}

/** Rejects a roll in a campaign or for a character that the acting user may not roll in or for. */
function refuseContext(actor: Actor, { campaign_id, character_id, visibility, pool }: DiceRollCreate, context: RollContext): void {
  if (campaign_id && !context.campaign_id) notFound('Campaign')
  if (character_id && !context.character_id) notFound('Character')
  if (character_id && !context.tells && context.player_id !== actor.id) forbidden({ reason: 'not_your_character' })
  // The roll, or the 400 for too many dice, would reveal the traits.
  if (pool?.traits && !context.seesSheet) forbidden({ reason: 'hidden_sheet' })
  if (context.hidden && visibility === 'PUBLIC')
    invalid([{ field: 'visibility', message: 'must be STORYTELLER or BLIND: this NPC is hidden, and so are its rolls' }])
}

const MAX_TRIES = 5

async function prepareRoll(db: Tx, actor: Actor, body: DiceRollCreate): Promise<RollContext & { seed_id: string }> {
  const { company_id, id: user_id } = actor
  let context = await takeNonce(db, actor, body)
  refuseContext(actor, body, context)
  const owner: SeedOwner = context.campaign_id
    ? { company_id, campaign_id: context.campaign_id, secret: body.visibility !== 'PUBLIC' }
    : { company_id, user_id }
  // During a concurrent rotation, the old seed is revealed and the new one not visible yet. An owner created by an old version has no seed.
  for (let tries = 0; context.seed_id === null; tries++) {
    if (tries === MAX_TRIES) conflict('seed_in_use', 'Other requests are rotating the seed. Roll again.')
    await db.query(insertSeeds(db, [owner]))
    context = await takeNonce(db, actor, body)
  }
  return { ...context, seed_id: context.seed_id }
}

/** A roll in a campaign is written in it, like everything below its path. */
type EnteredCampaign = Pick<RollContext, 'campaign_id' | 'owner_id' | 'isMember' | 'joining'>
const enterCampaign = async (db: Tx, actor: Actor, { campaign_id, owner_id, isMember, joining }: EnteredCampaign) =>
  campaign_id ? enter(db, { actor, campaign: { id: campaign_id, user_id: owner_id, isMember, joining } }) : []

/** Rolls dice. The reply and the event leave out everything that the acting user may not see. */
export async function createRoll(db: Tx, actor: Actor, body: DiceRollCreate) {
  const request = validateRoll(body)
  const { visibility, comment = null, metadata = {} } = body
  const context = await prepareRoll(db, actor, body)
  const sideEvents = await enterCampaign(db, actor, context)
  const { seed_id, nonce, server_seed, campaign_id, character_id } = context
  const client_seed = body.client_seed ?? seed_id
  const draw = drawFrom(wordsOf({ server_seed, client_seed, nonce }))
  const result = rollDice(request, context.traits ?? {}, context.desperation ?? 0, draw)
  const id = db.newId()
  const created = timeOf(id)
  const text = textOf(character_id ? context.character_name : actor.name, result, comment)
  const { company_id, id: user_id } = actor
  const row = { id, company_id, user_id, campaign_id, character_id, comment, visibility, ...result, settlement: null, text, metadata }
  const stored = {
    ...row,
    pool: JSON.stringify(row.pool),
    dice: JSON.stringify(row.dice),
    metadata: JSON.stringify(metadata),
    seed_id,
    client_seed,
    nonce,
    words: draw.used,
  }
  const cells = Object.entries({ ...stored, ...(row.pool === null && { pool: null }), date_created: created, date_modified: created })
  db.send(sql`
    INSERT INTO dice_rolls (${sql.join(
      cells.map(([name]) => sql.id(name)),
      ', ',
    )})
    VALUES (${sql.join(
      cells.map(([, value]) => sql`${value}`),
      ', ',
    )})`)
  const after = { ...row, date_created: created.toISOString(), date_modified: created.toISOString(), version: 1 }
  tally(db, after, draw.faces)
  const reply: DiceRoll = visibility === 'BLIND' && !context.tells ? withoutResult(after) : after
  const recorded = context.isSheetHidden ? withoutTraits(after) : after
  return { before: null, after: visibility === 'BLIND' ? withoutResult(recorded) : asRecorded(recorded), reply, sideEvents }
}

/** A roll as its event records it: without the dice of a large roll, which would be half the cost of the roll. Lists leave them out too. */
function asRecorded({ dice, ...roll }: DiceRoll): Omit<DiceRoll, 'dice'> & { dice?: DiceRoll['dice'] } {
  return dice.length > MAX_LISTED_DICE ? roll : { ...roll, dice }
}

/** A roll without its result, for users who may not see it. */
const withoutResult = (row: DiceRoll): DiceRoll => ({
  ...row,
  dice: [],
  net: null,
  total: null,
  outcome: null,
  strained: false,
  text: 'Only the storytellers can see the result.',
})

interface SettledRoll extends DiceRoll, Pick<RollContext, 'owner_id' | 'isMember' | 'joining' | 'tells' | 'isSheetHidden'> {
  showsTraits: boolean
}

/** Settles a strained roll. The user who rolled and the storytellers of the campaign may do so, once. */
export async function settleRoll(db: Tx, actor: Actor, id: string, choice: 'OVERREACH' | 'DESPAIR') {
  const { company_id } = actor
  const selected = sql`${columns}, ${isStorytellerAs(actor)} AS tells, campaign.user_id AS owner_id, member.user_id IS NOT NULL AS "isMember", campaign.joining,
    ${traitsColumn(viewerOf(actor))}, subject.sheet_visibility <> 'EVERYONE' AS "isSheetHidden"`
  const found = await findRoll<SettledRoll>(db, actor, id, selected, sql`FOR NO KEY UPDATE OF x`)
  const { tells, owner_id, isMember, joining, showsTraits, isSheetHidden, ...before } = found
  if (before.user_id !== actor.id && !tells) forbidden({ reason: 'not_yours' })
  if (!before.strained) conflict('not_strained', 'No desperation die of this roll shows 1. Only strained rolls can be settled.')
  if (before.settlement) conflict('already_settled', `This roll is already settled with ${before.settlement}. A roll can be settled once.`)
  const entered = await enterCampaign(db, actor, found)
  const outcome = settledOutcome(before.outcome, choice)
  const [after] = (await db.query<DiceRoll>(sql`
    UPDATE dice_rolls x SET settlement = ${choice}, outcome = ${outcome}, text = ${settledText(before.text, choice)}, version = version + 1, date_modified = ${db.now()}
    WHERE x.company_id = ${company_id} AND x.id = ${id} RETURNING ${columns}`)) as [DiceRoll]
  tallySettlement(db, after, before.outcome)
  const recorded = isSheetHidden ? { before: withoutTraits(before), after: withoutTraits(after) } : { before, after }
  const reply = asSeen({ ...after, showsTraits })
  if (choice === 'DESPAIR' || !before.campaign_id) return { ...recorded, reply, sideEvents: entered }
  const raised = await raiseDanger(db, company_id, before.campaign_id)
  return { ...recorded, reply, sideEvents: [{ type: 'campaign.adjusted' as const, ...raised }, ...entered] }
}

interface ProvenRoll {
  id: string
  seed_id: string
  client_seed: string
  nonce: number
  words: number
  server_seed: Buffer
  revealed: boolean
  secret: boolean
  /** True if the acting user is a storyteller of the campaign. */
  tells: boolean | null
}

/** The proof of a roll. To users who are not storytellers of the campaign, the proof of a secret roll does not exist (404). */
export async function proofOf(db: Db, actor: Actor, id: string) {
  const ofSeed = (column: Sql) =>
    sql`(SELECT ${column} FROM dice_seeds seed WHERE seed.company_id = ${actor.company_id} AND seed.id = x.seed_id)`
  const selected = sql`x.id, x.seed_id, x.client_seed, x.nonce, x.words, ${isStorytellerAs(actor)} AS tells, ${ofSeed(sql`seed.server_seed`)} AS server_seed,
    ${ofSeed(sql`seed.date_revealed IS NOT NULL`)} AS revealed, ${ofSeed(sql`seed.secret`)} AS secret`
  const { secret, tells, revealed, words: used, server_seed, ...roll } = await findRoll<ProvenRoll>(db, actor, id, selected)
  if (secret && !tells) notFound('Proof')
  const { seed_id, client_seed, nonce } = roll
  const words = wordsOf({ server_seed, client_seed, nonce })
  return {
    roll_id: roll.id,
    seed_id,
    commitment: commitmentOf(server_seed),
    client_seed,
    nonce,
    words: Array.from({ length: used }, () => words.next().value),
    server_seed: revealed ? server_seed.toString('hex') : null,
  }
}
