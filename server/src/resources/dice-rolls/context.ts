import { conflict, forbidden, invalid } from '../../core/problem.ts'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { viewerOf } from '../campaigns/across.ts'
import { isStoryteller } from '../campaigns/path-resource.ts'
import { traitOf } from '../characters/rules.ts'
import { insertSeeds, type SeedOwner } from '../dice-seeds/insert.ts'
import type { Requested } from './request-rules.ts'
import type { DiceRollCreate } from './request-schema.ts'
import { nameableIn, readSheet, refuseHiddenSheet, refuseUnknownNames, refuseUnseen, type SheetContext, selectSheet } from './sheet.ts'
import { type NamedTracker, sheetNamesOf, trackerKeyOf } from './values.ts'

/** The campaign, the character and the seed of a new roll. */
export interface RollContext extends SheetContext {
  /** The seed; null if the owner has none at the moment, or if the dice were rolled at the table. */
  seed_id: string | null
  server_seed: Buffer
  /** The number of the last of the rolls under the seed. */
  nonce: number
}

export const isStorytellerAs = (actor: Actor) => isStoryteller(sql`${actor.role}::text`, sql`${actor.id}::uuid`)

const NO_SEED = { seed_id: null, server_seed: Buffer.alloc(0), nonce: 0 }

/** Looks up the context of a roll and takes the next nonces, in one statement that locks the seed until the transaction ends. */
async function lookUp(db: Tx, actor: Actor, body: DiceRollCreate, count: number): Promise<RollContext> {
  const { company_id } = actor
  const secret = body.visibility !== 'PUBLIC'
  // Two different statements: no index could serve one with an OR.
  const isSeedOfRoll =
    body.campaign_id || body.character_id
      ? sql`seed.campaign_id = here.campaign_id AND seed.secret = ${secret}`
      : sql`seed.campaign_id IS NULL AND seed.user_id = ${actor.id}`
  if (count === 0) return { ...(await readSheet(db, viewerOf(actor), body, { keys: [] })), ...NO_SEED }
  const [context] = await db.query<RollContext>(sql`
    WITH here AS MATERIALIZED (${selectSheet(viewerOf(actor), body, { keys: [] })}), taken AS (
      UPDATE dice_seeds seed SET nonce = seed.nonce + ${count}::int FROM here
      WHERE seed.company_id = ${company_id} AND seed.date_revealed IS NULL AND ${isSeedOfRoll}
      RETURNING seed.id AS seed_id, seed.server_seed, seed.nonce
    )
    SELECT * FROM here LEFT JOIN taken ON true`)
  return context as RollContext
}

/** Rejects a roll in a campaign or for a character that the acting user may not roll in or for. */
function refuseContext(actor: Actor, body: DiceRollCreate, context: RollContext, names: string[]): void {
  const { character_id, visibility } = body
  refuseUnseen(body, context)
  if (character_id && !context.tells && context.player_id !== actor.id) forbidden({ reason: 'not_your_character' })
  refuseHiddenSheet(body, context, names)
  if (context.hidden && visibility === 'PUBLIC')
    invalid([{ field: 'visibility', message: 'must be STORYTELLER or BLIND: this NPC is hidden, and so are its rolls' }])
}

/** Rejects names that stand for nothing that the acting user sees, and public rolls with values that not everybody sees. */
async function refuseNames(db: Tx, actor: Actor, body: DiceRollCreate, requested: Requested, context: RollContext): Promise<void> {
  await refuseUnknownNames(db, viewerOf(actor), body, requested, context)
  const { traits, trackers } = nameableIn(body, context)
  const isSecret = (name: string) => traitOf(traits, name) === null && isHiddenTracker(trackers, name)
  const secret = body.visibility === 'PUBLIC' && sheetNamesOf(requested, body.values ?? {}).find(isSecret)
  if (secret) invalid([{ field: 'visibility', message: `must be STORYTELLER or BLIND: not everybody sees ${secret}, nor rolls with it` }])
}

const isHiddenTracker = (trackers: NamedTracker[], name: string) => trackers.find(({ key }) => key === trackerKeyOf(name))?.isOpen === false

/** Reads the trackers that the names of a roll may stand for, if not all of them are traits. Most are, and then no statement is needed. */
async function trackersFor(db: Tx, actor: Actor, body: DiceRollCreate, names: string[], traits: Record<string, number> | null) {
  if (names.every((name) => traitOf(traits ?? {}, name) !== null)) return null
  return (await readSheet(db, viewerOf(actor), body, { keys: names.map(trackerKeyOf) })).trackers
}

const MAX_TRIES = 5

/** Checks and locks everything that the rolls of a request depend on, and takes their nonces. */
export async function prepareRolls(db: Tx, actor: Actor, body: DiceRollCreate, requested: Requested): Promise<RollContext> {
  const { company_id, id: user_id } = actor
  const inputs = body.values ?? {}
  const names = sheetNamesOf(requested, inputs)
  const count = body.manual ? 0 : requested.rolls.length * requested.repeat
  let context = await lookUp(db, actor, body, count)
  refuseContext(actor, body, context, names)
  const trackers = await trackersFor(db, actor, body, names, context.traits)
  if (names.length) await refuseNames(db, actor, body, requested, { ...context, trackers })
  const owner: SeedOwner = context.campaign_id
    ? { company_id, campaign_id: context.campaign_id, secret: body.visibility !== 'PUBLIC' }
    : { company_id, user_id }
  // During a concurrent rotation, the old seed is revealed and the new one not visible yet. An owner created by an old version has no seed.
  for (let tries = 0; context.seed_id === null && count > 0; tries++) {
    if (tries === MAX_TRIES) conflict('seed_in_use', 'Other requests are rotating the seed. Roll again.')
    await db.query(insertSeeds(db, [owner]))
    context = await lookUp(db, actor, body, count)
  }
  return { ...context, trackers }
}
