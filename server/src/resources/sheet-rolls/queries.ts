import { OddsFault, oddsOfRoll } from '@guildhall/rules/ruleset/odds'
import type { SheetRoll } from '@guildhall/rules/ruleset/roll'
import { inTurns } from '../../core/in-turns.ts'
import { conflict, invalid, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import type { CharacterAccess } from '../characters/path-resource.ts'
import { sheetOf } from '../characters/ruled-sheet.ts'
import type { CharacterRow } from '../characters/schema.ts'
import { type Surroundings, selectSurroundings } from '../characters/surroundings.ts'
import { createRolls } from '../dice-rolls/create.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { lockTrackers, moveTrackers } from '../trackers/queries.ts'
import { asPlayer } from '../trackers/ruled.ts'
import { moveEvents, type TrackerChange } from '../trackers/rules.ts'
import {
  type FoundRoll,
  listedRolls,
  namedRollOf,
  paidFrom,
  paidTrackers,
  refuseSecretValues,
  sheetRollFor,
  usesSurroundings,
} from './rules.ts'
import { MAX_SCORES, type NamedRolls, type SheetRollCreate, type SheetRollOdds, type SheetRollOddsRequest } from './schema.ts'

export interface RollContext extends InCampaign {
  character: CharacterAccess & { id: string }
}

async function rulesetOf(db: Db, { actor: { company_id }, campaign }: RollContext) {
  const { ruleset_version_id: version_id } = campaign
  if (!version_id) return conflict('no_ruleset', 'The campaign has no ruleset, which would name its rolls.')
  return { version_id, ruleset: await publishedRuleset(db, { company_id, id: version_id }) }
}

async function findRoll(db: Db, context: RollContext, name: string): Promise<FoundRoll> {
  const found = await rulesetOf(db, context)
  return found.ruleset.rolls.has(name) ? { ...found, name } : notFound('Roll')
}

type Stored = Pick<CharacterRow, 'type' | 'traits' | 'choices' | 'conditions'>

/** Reads the sheet of the character as the acting user sees it, and as everybody does who sees the sheet at all. */
async function readSheets(db: Db, context: RollContext) {
  const { actor, character } = context
  const [row] = await db.query<Stored & Record<'shown' | 'open', Surroundings>>(sql`
    SELECT x.type, x.traits, x.choices, x.conditions, ${selectSurroundings(context, sql`x`)} AS shown, ${selectSurroundings(asPlayer(context, null), sql`x`)} AS open
    FROM characters x WHERE x.company_id = ${actor.company_id} AND x.id = ${character.id}`)
  const { shown, open, ...stored } = row ?? notFound('Character')
  return { shown: sheetOf(stored, shown), open: sheetOf(stored, open) }
}

/** Reads the sheet for a roll that uses nothing around it: everybody who sees the sheet sees the same. */
async function readStill(db: Db, { actor, character }: RollContext) {
  const [row] = await db.query<Stored>(sql`
    SELECT x.type, x.traits, x.choices, x.conditions FROM characters x WHERE x.company_id = ${actor.company_id} AND x.id = ${character.id}`)
  const { traits, choices, conditions } = row ?? notFound('Character')
  const sheet = { traits, choices, conditions }
  return { shown: sheet, open: sheet }
}

export async function listSheetRolls(db: Db, context: RollContext): Promise<NamedRolls> {
  const { ruleset } = await rulesetOf(db, context)
  return listedRolls(ruleset, (await readSheets(db, context)).shown)
}

/** Locks everything that a roll pays with: the character, its trackers, and those of the campaign. */
async function lockPaid(db: Tx, context: RollContext, paid: ReturnType<typeof paidTrackers>): Promise<void> {
  const { actor, campaign, character } = context
  if (paid.ofCharacter.length + paid.ofCampaign.length === 0) return
  db.send(sql`SELECT id FROM characters WHERE company_id = ${actor.company_id} AND id = ${character.id} FOR KEY SHARE`)
  if (paid.ofCharacter.length) await lockTrackers(db, context, paid.ofCharacter)
  if (paid.ofCampaign.length) await lockTrackers(db, { actor, campaign }, paid.ofCampaign)
}

/** Pays with trackers that are locked. */
async function pay(db: Tx, context: RollContext, paid: ReturnType<typeof paidTrackers>, moves: Record<string, number>) {
  const { actor, campaign } = context
  const move = (on: RollContext | InCampaign, keys: string[]): Promise<TrackerChange[]> | TrackerChange[] =>
    keys.length ? moveTrackers(db, on, keys, (row) => paidFrom(row, moves[row.key] ?? 0)) : []
  return [...(await move(context, paid.ofCharacter)), ...(await move({ actor, campaign }, paid.ofCampaign))]
}

/**
 * Rolls by the name of a roll. The notation that it comes to is rolled and stored like any other, from the same seed. Formulas read trackers as they are before the
 * payment, which is made before the dice are drawn.
 */
export async function createSheetRoll(db: Tx, context: RollContext, name: string, body: SheetRollCreate) {
  const { actor, campaign, character } = context
  const found = await findRoll(db, context, name)
  const paid = paidTrackers(found, body)
  await lockPaid(db, context, paid)
  const sheets = await (usesSurroundings(found, body) ? readSheets : readStill)(db, context)
  const roll = sheetRollFor(found, sheets.shown, body)
  if (body.visibility === 'PUBLIC') refuseSecretValues(roll.resolved, sheetRollFor(found, sheets.open, body).resolved)
  const changes = await pay(db, context, paid, roll.resolved.moves)
  const { comment, visibility, client_seed } = body
  const request = {
    notation: roll.resolved.notation,
    campaign_id: campaign.id,
    character_id: character.id,
    visibility,
    ...(comment !== undefined && { comment }),
    ...(client_seed !== undefined && { client_seed }),
  }
  const { sideEvents, ...made } = await createRolls(db, actor, request, namedRollOf(found, roll))
  return { ...made, sideEvents: [...sideEvents, ...moveEvents(changes, undefined)] }
}

/** Computes the exact chances of a roll, in pieces between which other requests have their turn. */
export async function oddsOfSheetRoll(db: Db, context: RollContext, name: string, body: SheetRollOddsRequest): Promise<SheetRollOdds> {
  const found = await findRoll(db, context, name)
  const roll = sheetRollFor(found, (await readSheets(db, context)).shown, body)
  const odds = await exactOdds(roll)
  if (odds.scores.length > MAX_SCORES)
    invalid([{ field: 'inputs', message: `the odds of more than ${MAX_SCORES.toLocaleString('en')} different scores are not listed` }])
  return { notation: roll.resolved.notation, ...odds }
}

async function exactOdds(roll: SheetRoll) {
  const atMostOne = <Odds extends { probability: number }>(odds: Odds) => ({ ...odds, probability: Math.min(1, odds.probability) })
  try {
    const { outcomes, scores } = await inTurns(oddsOfRoll(roll))
    return { outcomes: outcomes.map(atMostOne), scores: scores.map(atMostOne) }
  } catch (error) {
    if (error instanceof OddsFault) return invalid([{ field: 'inputs', message: error.message }])
    throw error
  }
}
