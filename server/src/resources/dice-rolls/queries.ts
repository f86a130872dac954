import { commitmentOf, wordsOf } from '@guildhall/dice/node-crypto'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { type Viewer, viewerOf } from '../campaigns/across.ts'
import { raiseDanger } from '../campaigns/queries.ts'
import { isStorytellerAs, type RollContext } from './context.ts'
import { enterCampaign } from './create.ts'
import { type DiceRoll, DiceRollRow, type DiceRollsQuery, type ListedRoll, MAX_LISTED_DICE } from './schema.ts'
import { joinVisibility, showsTraits, visibleRolls, visibleTallies, visibleTalliesWhere } from './seen.ts'
import { tallySettlement } from './tally.ts'
import { ROLLS } from './tally-counts.ts'
import { settledOutcome, settledText, withMarkdown, withoutTraits } from './text.ts'

declareTable('dice_rolls', DiceRollRow, {
  references: { users: 'user_id', characters: 'character_id', dice_seeds: 'seed_id' },
  partOf: { campaigns: 'campaign_id' },
})

export const columns = columnsOf(DiceRollRow, 'x')
const hasManyDice = sql`jsonb_array_length(page.dice) > ${sql.number(MAX_LISTED_DICE)}`
const excerpt = excerptColumnsOf(DiceRollRow, 'page', {
  dice: { value: sql`CASE WHEN ${hasManyDice} THEN '[]' ELSE page.dice END`, isCut: hasManyDice },
})

export const rollsFor = (viewer: Viewer) => sql`dice_rolls x ${joinVisibility(viewer)}`

/** The total of a list of rolls, read from the tallies. Undefined with a filter by group, outcome, code or time, which tallies cannot answer. */
function talliedTotal(
  viewer: Viewer,
  { campaign_id, character_id, roller_id, group_id, outcome, code, from, to }: DiceRollsQuery,
): Sql | undefined {
  if (group_id ?? outcome ?? code ?? from ?? to) return undefined
  const conditions = Object.entries({ campaign_id, character_id, user_id: roller_id }).flatMap(([name, id]) =>
    id === undefined ? [] : [sql`x.${sql.id(name)} = ${id}`],
  )
  const tallies = conditions.length ? visibleTalliesWhere(viewer, sql.join(conditions, ' AND ')) : visibleTallies(viewer)
  return sql`(SELECT coalesce(sum(sign * (${sql.join(ROLLS.map(sql.id), ' + ')})), 0)::bigint FROM (${tallies}) tally)`
}

/** The column that decides if the viewer sees the traits of a roll; `asSeen` applies it. */
export const traitsColumn = (viewer: Viewer) => sql`${showsTraits(viewer)} AS "showsTraits"`
export const asSeen = <Row extends DiceRollRow>({ showsTraits, ...roll }: Row & { showsTraits: boolean }) =>
  withMarkdown(showsTraits ? roll : withoutTraits(roll))

export async function listRolls(db: Db, viewer: Viewer, query: DiceRollsQuery) {
  const { campaign_id, character_id, roller_id, group_id, outcome, code, from, to } = query
  const where = [sql`x.company_id = ${viewer.company_id}`, visibleRolls(viewer)]
  for (const [name, value] of Object.entries({ campaign_id, character_id, user_id: roller_id, group_id, outcome }))
    if (value !== undefined) where.push(sql`x.${sql.id(name)} = ${value}`)
  if (code !== undefined) where.push(sql`x.ruleset->>'code' = ${code}`)
  where.push(...between(sql`x.id`, from, to))
  const source = {
    columns: sql`${columns}, ${traitsColumn(viewer)}`,
    shown: sql`${excerpt}, page."showsTraits"`,
    from: rollsFor(viewer),
    where,
    id: sql`x.id`,
    modified: sql`x.date_modified`,
    isOrderedByChange: !(character_id ?? roller_id ?? group_id),
    total: talliedTotal(viewer, query),
  }
  const { items, ...page } = await list<ListedRoll & { showsTraits: boolean }>(db, source, query)
  return { ...page, items: items.map((roll) => asSeen(roll) as ListedRoll) }
}

export const findRoll = async <Row = DiceRollRow>(db: Db, actor: Actor, id: string, selected: Sql, lock = sql``): Promise<Row> => {
  const viewer = viewerOf(actor)
  const [row] = await db.query<Row>(sql`
    SELECT ${selected} FROM ${rollsFor(viewer)}
    WHERE x.company_id = ${viewer.company_id} AND x.id = ${id} AND ${visibleRolls(viewer)} ${lock}`)
  return row ?? notFound('Roll')
}

export const getRoll = async (db: Db, actor: Actor, id: string): Promise<DiceRoll> =>
  asSeen(await findRoll<DiceRollRow & { showsTraits: boolean }>(db, actor, id, sql`${columns}, ${traitsColumn(viewerOf(actor))}`))

interface SettledRoll extends DiceRollRow, Pick<RollContext, 'owner_id' | 'isMember' | 'joining' | 'tells' | 'isSheetHidden'> {
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
  if (before.date_voided) conflict('voided', 'This roll was voided. Only a roll that counts can be settled.')
  if (!before.strained) conflict('not_strained', 'No desperation die of this roll shows 1. Only strained rolls can be settled.')
  if (before.settlement) conflict('already_settled', `This roll is already settled with ${before.settlement}. A roll can be settled once.`)
  const entered = await enterCampaign(db, actor, found)
  const outcome = settledOutcome(before.outcome, choice)
  const [after] = (await db.query<DiceRollRow>(sql`
    UPDATE dice_rolls x SET settlement = ${choice}, outcome = ${outcome}, text = ${settledText(before.text, choice)}, version = version + 1, date_modified = ${db.now()}
    WHERE x.company_id = ${company_id} AND x.id = ${id} RETURNING ${columns}`)) as [DiceRollRow]
  tallySettlement(db, after, before.outcome)
  const recorded = isSheetHidden ? { before: withoutTraits(before), after: withoutTraits(after) } : { before, after }
  const reply = asSeen({ ...after, showsTraits })
  if (choice === 'DESPAIR' || !before.campaign_id) return { ...recorded, reply, sideEvents: entered }
  const raised = await raiseDanger(db, company_id, before.campaign_id)
  return { ...recorded, reply, sideEvents: [{ type: 'campaign.adjusted' as const, ...raised }, ...entered] }
}

interface ProvenRoll {
  id: string
  seed_id: string | null
  client_seed: string | null
  nonce: number | null
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
  const { seed_id, client_seed, nonce } = roll
  // Dice rolled at the table follow from no seed.
  if (seed_id === null || client_seed === null || nonce === null || (secret && !tells)) return notFound('Proof')
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
