import { timeOf } from '../../core/ids.ts'
import { conflict, forbidden, invalid, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { between, list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { commitmentOf, drawFrom, wordsOf } from '../../dice/draw.ts'
import type { Actor } from '../../http/operation.ts'
import { membership, sightAcross, tells } from '../campaigns/place.ts'
import { raiseDanger } from '../campaigns/queries.ts'
import { type Owner, planted } from '../dice-seeds/insert.ts'
import { asked, rolled, settledOutcome, settledText, textOf } from './rules.ts'
import { DiceRoll, type DiceRollCreate, type DiceRollsQuery, type ListedRoll, MAX_LISTED_DICE } from './schema.ts'
import { besideRolls, ofAll, ofSome, visibleRolls } from './seen.ts'
import { recount, tally } from './tally.ts'

declareTable('dice_rolls', DiceRoll, {
  references: { users: 'user_id', characters: 'character_id', dice_seeds: 'seed_id' },
  partOf: { campaigns: 'campaign_id' },
})

const columns = columnsOf(DiceRoll, 'x')
const hasManyDice = sql`jsonb_array_length(page.dice) > ${sql.number(MAX_LISTED_DICE)}`
const shown = excerptColumnsOf(DiceRoll, 'page', {
  dice: { value: sql`CASE WHEN ${hasManyDice} THEN '[]' ELSE page.dice END`, isCut: hasManyDice },
})
const tellsAs = (actor: Actor) => tells(sql`${actor.role}::text`, sql`${actor.id}::uuid`)

const from = (actor: Actor) => sql`dice_rolls x ${besideRolls(actor)}`

/** How many rolls there are for somebody, from what is added up; that is not kept by outcome, nor by the hour. */
function tallied(actor: Actor, { campaign_id, character_id, user_id, outcome, from: since, to }: DiceRollsQuery): Sql | undefined {
  if (outcome ?? since ?? to) return undefined
  const of = Object.entries({ campaign_id, character_id, user_id }).filter(([, id]) => id !== undefined)
  const which = of.map(([name, id]) => sql`x.${sql.id(name)} = ${id}`)
  const tallies = of.length ? ofSome(actor, sql.join(which, ' AND ')) : ofAll({ actor, permission: null }, actor.company_id)
  return sql`(SELECT coalesce(sum(sign * rolls), 0)::bigint FROM (${tallies}) tally)`
}

export function listRolls(db: Db, actor: Actor, query: DiceRollsQuery) {
  const { campaign_id, character_id, user_id, outcome, from: since, to } = query
  const where = [sql`x.company_id = ${actor.company_id}`, visibleRolls(actor)]
  for (const [name, value] of Object.entries({ campaign_id, character_id, user_id, outcome }))
    if (value !== undefined) where.push(sql`x.${sql.id(name)} = ${value}`)
  where.push(...between(sql`x.id`, since, to))
  return list<ListedRoll>(db, { columns, shown, from: from(actor), where, id: sql`x.id`, total: tallied(actor, query) }, query)
}

const find = async <Row = DiceRoll>(db: Db, actor: Actor, id: string, what: Sql, how = sql``): Promise<Row> => {
  const [row] = await db.query<Row>(sql`
    SELECT ${what} FROM ${from(actor)}
    WHERE x.company_id = ${actor.company_id} AND x.id = ${id} AND ${visibleRolls(actor)} ${how}`)
  return row ?? notFound('Roll')
}

export const getRoll = (db: Db, actor: Actor, id: string) => find(db, actor, id, columns)

interface Taken {
  campaign_id: string | null
  desperation: number | null
  tells: boolean | null
  /** The character, if it is in the campaign and the roller may see it. */
  character_id: string | null
  character_name: string
  player_id: string | null
  traits: Record<string, number>
  hidden: boolean
  seed_id: string | null
  server_seed: Buffer
  nonce: number
}

/** Where the roll is made, and the next number of its seed: one statement, which holds the seed until the roll stands. */
async function take(db: Tx, actor: Actor, body: DiceRollCreate): Promise<Taken> {
  const { company_id } = actor
  const { campaign_id = null, character_id = null } = body as { campaign_id?: string | null; character_id?: string | null }
  const secret = (body.visibility ?? 'PUBLIC') !== 'PUBLIC'
  // Two statements, not one with an OR, which no index could serve.
  const mine =
    campaign_id || character_id
      ? sql`seed.campaign_id = here.campaign_id AND seed.secret = ${secret}`
      : sql`seed.campaign_id IS NULL AND seed.user_id = ${actor.id}`
  const [taken] = await db.query<Taken>(sql`
    WITH here AS MATERIALIZED (
      SELECT campaign.id AS campaign_id, campaign.desperation, ${tellsAs(actor)} AS tells,
        CASE WHEN subject.campaign_id = campaign.id AND ${seen(sightAcross({ actor, permission: null }), sql`subject.visibility`)} THEN subject.id END AS character_id,
        subject.name AS character_name, subject.user_id AS player_id, subject.traits, subject.visibility <> 'OPEN' AS hidden
      FROM (SELECT 1) one
      LEFT JOIN characters subject ON subject.company_id = ${company_id} AND subject.id = ${character_id} AND subject.date_archived IS NULL
      LEFT JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.date_archived IS NULL
        AND campaign.id = coalesce(${campaign_id}::uuid, subject.campaign_id)
      ${membership(sql`${actor.id}`)}
    ), taken AS (
      UPDATE dice_seeds seed SET nonce = seed.nonce + 1 FROM here
      WHERE seed.company_id = ${company_id} AND seed.date_revealed IS NULL AND ${mine}
      RETURNING seed.id AS seed_id, seed.server_seed, seed.nonce
    )
    SELECT * FROM here LEFT JOIN taken ON true`)
  return taken as Taken
}

const TRIES = 5

/** Rolls. What the roller may not see of it is in no reply and no event. */
export async function createRoll(db: Tx, actor: Actor, body: DiceRollCreate) {
  const what = asked(body)
  const { company_id, id: user_id } = actor
  const { visibility = 'PUBLIC', comment = null } = body
  let here = await take(db, actor, body)
  if (body.campaign_id && !here.campaign_id) notFound('Campaign')
  if (body.character_id && !here.character_id) notFound('Character')
  if (body.character_id && !here.tells && here.player_id !== user_id) forbidden()
  if (here.hidden && visibility === 'PUBLIC')
    invalid([{ field: 'visibility', message: 'must be STORYTELLER or BLIND: this NPC is hidden, and so are its rolls' }])
  const owner: Owner = here.campaign_id
    ? { company_id, campaign_id: here.campaign_id, secret: visibility !== 'PUBLIC' }
    : { company_id, user_id }
  // A roll beside a rotation finds the old seed ended and the new one not yet there; an owner of older days has none.
  for (let tries = 0; !here.seed_id; tries++) {
    if (tries === TRIES) conflict('seed_in_use', 'The seed is being rotated by others: roll again.')
    await db.query(planted(db, [owner]))
    here = await take(db, actor, body)
  }
  const client_seed = body.client_seed ?? (here.seed_id as string)
  const { seed_id, nonce, server_seed, campaign_id, character_id, desperation } = here
  const draw = drawFrom(wordsOf({ server_seed, client_seed, nonce }))
  const result = rolled(what, { traits: here.traits ?? {}, desperation: desperation ?? 0 }, draw)
  const id = db.newId()
  const made = timeOf(id)
  const text = textOf(character_id ? here.character_name : actor.name, result, comment)
  const row = { id, company_id, user_id, campaign_id, character_id, comment, visibility, ...result, settlement: null, text }
  const stored = { ...row, pool: JSON.stringify(row.pool), dice: JSON.stringify(row.dice), seed_id, client_seed, nonce, words: draw.used }
  const cells = Object.entries({ ...stored, ...(row.pool === null && { pool: null }), date_created: made, date_modified: made })
  db.send(sql`
    INSERT INTO dice_rolls (${sql.join(
      cells.map(([name]) => sql.id(name)),
      ', ',
    )})
    VALUES (${sql.join(
      cells.map(([, value]) => sql`${value}`),
      ', ',
    )})`)
  const after = { ...row, date_created: made.toISOString(), date_modified: made.toISOString(), version: 1 }
  tally(db, after, draw.faces)
  const shown = visibility === 'BLIND' && !here.tells ? blind(after) : after
  return { before: null, after: visibility === 'BLIND' ? blind(after) : recorded(after), reply: shown as DiceRoll }
}

/** What the event repeats of a roll: not the dice of a large one, which would be half of its cost and are in no list either. */
function recorded({ dice, ...roll }: DiceRoll): Omit<DiceRoll, 'dice'> & { dice?: DiceRoll['dice'] } {
  return dice.length > MAX_LISTED_DICE ? roll : { ...roll, dice }
}

/** What was asked, and nothing of what fell. */
const blind = <Row extends { dice: unknown; text: string }>(row: Row) => ({
  ...row,
  dice: [],
  net: null,
  total: null,
  outcome: null,
  strained: false,
  text: 'The dice fell where only the storytellers see them.',
})

interface Settled extends DiceRoll {
  tells: boolean | null
}

/** Once, by who rolled or who tells the campaign. */
export async function settleRoll(db: Tx, actor: Actor, id: string, choice: 'OVERREACH' | 'DESPAIR') {
  const { company_id } = actor
  const { tells: told, ...before } = await find<Settled>(
    db,
    actor,
    id,
    sql`${columns}, ${tellsAs(actor)} AS tells`,
    sql`FOR NO KEY UPDATE OF x`,
  )
  if (before.user_id !== actor.id && !told) forbidden()
  if (!before.strained) conflict('not_strained', 'Nothing is to be settled: no desperation die shows 1.')
  if (before.settlement) conflict('already_settled', `This roll was settled already, with ${before.settlement}.`)
  const outcome = settledOutcome(before.outcome, choice)
  const [row] = await db.query<DiceRoll>(sql`
    UPDATE dice_rolls x SET settlement = ${choice}, outcome = ${outcome}, text = ${settledText(before.text, choice)}, version = version + 1, date_modified = ${db.now()}
    WHERE x.company_id = ${company_id} AND x.id = ${id} RETURNING ${columns}`)
  recount(db, row as DiceRoll, before.outcome)
  if (choice === 'DESPAIR' || !before.campaign_id) return { before, after: row as DiceRoll }
  const raised = await raiseDanger(db, company_id, before.campaign_id)
  return { before, after: row as DiceRoll, also: [{ type: 'campaign.adjusted', ...raised }] }
}

interface Proven {
  id: string
  seed_id: string
  client_seed: string
  nonce: number
  words: number
  server_seed: Buffer
  revealed: boolean
  secret: boolean
  tells: boolean | null
}

/** What a roll followed from. The seed of secret rolls exists only for who tells the campaign. */
export async function proofOf(db: Db, actor: Actor, id: string) {
  const seed = (what: Sql) => sql`(SELECT ${what} FROM dice_seeds seed WHERE seed.company_id = x.company_id AND seed.id = x.seed_id)`
  const what = sql`x.id, x.seed_id, x.client_seed, x.nonce, x.words, ${tellsAs(actor)} AS tells, ${seed(sql`seed.server_seed`)} AS server_seed,
    ${seed(sql`seed.date_revealed IS NOT NULL`)} AS revealed, ${seed(sql`seed.secret`)} AS secret`
  const { secret, tells: told, revealed, words: used, server_seed, ...roll } = await find<Proven>(db, actor, id, what)
  if (secret && !told) notFound('Proof')
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
