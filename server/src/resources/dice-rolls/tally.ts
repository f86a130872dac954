import type { Draw } from '@guildhall/dice/draw'
import { evaluate, sameDraw } from '@guildhall/dice/evaluate'
import { parseStored } from '@guildhall/dice/notation'
import type { Outcome } from '@guildhall/dice/pool'
import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import type { DiceRollRow } from './schema.ts'
import { type Additions, COUNTED, type Counts, DAILY, tallyIdsOf } from './tally-counts.ts'
import { queueStatement } from './tally-queue.ts'
import './invariants.ts'

declareTable('dice_tallies', undefined, {
  references: { campaigns: 'campaign_id', characters: 'character_id', users: 'user_id' },
})
for (const [name, column] of Object.entries({ dice_days: 'day', dice_faces: 'sides', dice_traits: 'trait' }))
  declareTable(name, undefined, { key: ['company_id', 'tally_id', column], partOf: { dice_tallies: 'tally_id' } })

export const COUNTED_AS = { BOTCH: 'botches', FAILURE: 'failures', SUCCESS: 'successes', CRITICAL: 'criticals' } as const

/** The count of an outcome. Dice rolled at the table have counts of their own. */
const countOf = (source: DiceRollRow['source'], outcome: Outcome) =>
  source === 'MANUAL' ? (`manual_${COUNTED_AS[outcome]}` as const) : COUNTED_AS[outcome]

const ZEROS = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Counts

/** The faces of dice with more sides are not counted; dice_faces has a CHECK for it. */
export const MAX_COUNTED_SIDES = 100

/** Counts what a roll adds to its tallies. `faces` are the faces that its dice showed, by the number of sides. */
export function additionsOf(roll: DiceRollRow, faces: Map<number, number[]>): Additions {
  const { pool, dice, outcome, source } = roll
  const counts = { ...ZEROS, [source === 'MANUAL' ? 'manual_rolls' : 'rolls']: 1 }
  if (outcome) counts[countOf(source, outcome)] = 1
  if (source === 'MANUAL') return { roll, counts, faces: new Map(), traits: new Map() }
  if (pool) {
    counts.pools = 1
    counts.pool_dice = dice.length
    counts.difficulties = pool.difficulty ? 1 : 0
    counts.difficulty_sum = pool.difficulty ?? 0
  } else for (const flag of ['natural_max', 'natural_min'] as const) counts[flag] = dice.filter(({ flags }) => flags.includes(flag)).length
  const sizes = [...faces].filter(([sides]) => sides <= MAX_COUNTED_SIDES)
  return { roll, counts, faces: new Map(sizes), traits: new Map(traitsIn(roll).map((name) => [name, 1])) }
}

/** The names of the traits that a roll used. A trait that adds no dice to a pool has no part in the roll. */
function traitsIn({ pool, values }: DiceRollRow): string[] {
  // Rolls of earlier versions have the traits of a pool only there.
  const used = values.length > 0 ? values.filter(({ source }) => source === 'TRAIT') : (pool?.traits ?? [])
  return used.flatMap(({ name, value }) => (!pool || value > 0 ? [name] : []))
}

/** The faces that the dice of a stored roll showed, as they were counted when they were rolled. */
function facesOf({ notation, dice }: DiceRollRow): Map<number, number[]> {
  const faces = new Map<number, number[]>()
  const fell = sameDraw(dice)
  const draw: Draw = (sides, lowest) => {
    const face = fell(sides, lowest)
    const counts = faces.get(sides) ?? new Array<number>(sides).fill(0)
    counts[face] = (counts[face] as number) + 1
    faces.set(sides, counts)
    return face
  }
  if (notation !== null) evaluate(parseStored(notation), draw)
  else for (const { sides } of dice) draw(sides)
  return faces
}

/** Adds up what the rolls of one request add. They all count in the same tallies. */
export function addUp(all: Additions[]): Additions {
  const first = all[0] as Additions
  if (all.length === 1) return first
  const { roll } = first
  const counts = { ...ZEROS }
  const faces = new Map<number, number[]>()
  const traits = new Map<string, number>()
  for (const one of all) {
    for (const name of COUNTED) counts[name] += one.counts[name]
    for (const [sides, counted] of one.faces)
      faces.set(
        sides,
        counted.map((n, i) => n + (faces.get(sides)?.[i] ?? 0)),
      )
    for (const [trait, rolls] of one.traits) traits.set(trait, rolls + (traits.get(trait) ?? 0))
  }
  return { roll, counts, faces, traits }
}

const negative = (n: number) => (n === 0 ? 0 : -n)

/** Takes a roll out of everything that it was counted in, and counts it as voided. */
export function tallyVoid(tx: Tx, roll: DiceRollRow): void {
  const { counts, faces, traits } = additionsOf(roll, facesOf(roll))
  const taken = Object.fromEntries(COUNTED.map((name) => [name, negative(counts[name])])) as Counts
  const additions = {
    roll,
    counts: { ...taken, voided_rolls: 1 },
    faces: new Map([...faces].map(([sides, counted]) => [sides, counted.map(negative)])),
    traits: new Map([...traits].map(([trait, rolls]) => [trait, negative(rolls)])),
  }
  tx.send(queueStatement(tx, additions))
}

/** Counts a settled roll by its new outcome instead of the one before. */
export function tallySettlement(tx: Tx, roll: DiceRollRow, before: Outcome | null): void {
  if (roll.outcome === before) return
  const counts = { ...ZEROS }
  if (before) counts[countOf(roll.source, before)] = -1
  if (roll.outcome) counts[countOf(roll.source, roll.outcome)] = 1
  tx.send(queueStatement(tx, { roll, counts, faces: new Map(), traits: new Map() }))
}

const BATCH_TALLIES = 100

/** Subtracts a batch of the tallies of a purged campaign from those of its company, and deletes them. Returns how many it deleted. */
export async function subtractCampaign(tx: Tx, company_id: string, campaign_id: string): Promise<number> {
  const found = await tx.query<{ id: string; visibility: DiceRollRow['visibility'] }>(sql`
    SELECT id, visibility FROM dice_tallies WHERE company_id = ${company_id} AND campaign_id = ${campaign_id}
    ORDER BY visibility, id LIMIT ${sql.number(BATCH_TALLIES)} FOR UPDATE`)
  const [first] = found
  if (!first) return 0
  const { visibility } = first
  const ids = found.flatMap((tally) => (tally.visibility === visibility ? [tally.id] : []))
  const [, company] = tallyIdsOf({ campaign_id, character_id: null, user_id: '', visibility })
  const isDeleted = sql`t.company_id = ${company_id} AND t.tally_id = ANY (${ids}::uuid[])`
  const sums = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`sum(${sql.id(name)}) AS ${sql.id(name)}`),
      ', ',
    )
  const subtractions = (counted: readonly string[]) =>
    sql.join(
      counted.map((name) => sql`${sql.id(name)} = c.${sql.id(name)} - s.${sql.id(name)}`),
      ', ',
    )
  const isOfCompany = sql`c.company_id = ${company_id} AND c.tally_id = ${company}`
  for (const statement of [
    sql`UPDATE dice_tallies c SET ${subtractions(COUNTED)}
        FROM (SELECT ${sums(COUNTED)} FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])) s
        WHERE c.company_id = ${company_id} AND c.id = ${company}`,
    sql`UPDATE dice_days c SET ${subtractions(DAILY)} FROM (SELECT day, ${sums(DAILY)} FROM dice_days t WHERE ${isDeleted} GROUP BY day) s
        WHERE ${isOfCompany} AND c.day = s.day`,
    sql`UPDATE dice_traits c SET rolls = c.rolls - s.rolls
        FROM (SELECT trait, sum(rolls) AS rolls FROM dice_traits t WHERE ${isDeleted} GROUP BY trait) s WHERE ${isOfCompany} AND c.trait = s.trait`,
    sql`UPDATE dice_faces c
        SET faces = (SELECT array_agg(a - b ORDER BY face) FROM unnest(c.faces, s.faces) WITH ORDINALITY AS fallen (a, b, face))
        FROM (SELECT sides, array_agg(n ORDER BY face) AS faces FROM (
            SELECT sides, face, sum(fallen)::bigint AS n FROM dice_faces t CROSS JOIN unnest(t.faces) WITH ORDINALITY AS f (fallen, face)
            WHERE ${isDeleted} GROUP BY sides, face) each GROUP BY sides) s
        WHERE ${isOfCompany} AND c.sides = s.sides`,
    ...['dice_days', 'dice_traits', 'dice_faces'].map((name) => sql`DELETE FROM ${sql.id(name)} t WHERE ${isDeleted}`),
    sql`DELETE FROM dice_tallies t WHERE t.company_id = ${company_id} AND t.id = ANY (${ids}::uuid[])`,
  ])
    tx.send(statement)
  return ids.length
}
