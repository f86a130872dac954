import { type Denial, needsRole, notStoryteller } from '../../core/denial.ts'
import { forbidden, notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { viewerOf } from '../campaigns/across.ts'
import { isReachable, isStoryteller, sightAcross } from '../campaigns/path-resource.ts'
import type { DiceRollRow, RollGroup } from './schema.ts'
import { joinVisibility, showsTraits } from './seen.ts'
import { usesSheet } from './values.ts'

/** The present access of the acting user to a roll whose reply is stored. An archived campaign does not matter. */
interface RollAccess {
  isRoller: boolean
  isStoryteller: boolean
  seesCampaign: boolean
  seesRoll: boolean
  seesCharacter: boolean
  playsCharacter: boolean
  isForCharacter: boolean
  showsTraits: boolean
}

async function accessTo(db: Db, actor: Actor, id: string): Promise<RollAccess> {
  const sight = sightAcross({ actor, permission: null })
  const [access] = await db.query<RollAccess>(sql`
    SELECT x.user_id = ${actor.id} AS "isRoller", coalesce(${isStoryteller(sql`${actor.role}::text`, sql`${actor.id}::uuid`)}, false) AS "isStoryteller",
      ${isReachable(sight.all)} AS "seesCampaign", ${seen(sight, sql`x.visibility`, sql`x.user_id`)} AS "seesRoll", x.character_id IS NOT NULL AS "isForCharacter",
      ${showsTraits(viewerOf(actor))} AS "showsTraits",
      coalesce(${seen(sight, sql`subject.visibility`)}, false) AS "seesCharacter",
      EXISTS (SELECT FROM characters WHERE company_id = ${actor.company_id} AND id = x.character_id AND user_id = ${actor.id}) AS "playsCharacter"
    FROM dice_rolls x ${joinVisibility(viewerOf(actor))} WHERE x.company_id = ${actor.company_id} AND x.id = ${id}`)
  return access ?? notFound('Roll')
}

const isBlind = ({ net, total }: DiceRollRow) => net === null && total === null

/**
 * Checks access before the reply to new rolls is replayed. A former storyteller must not get a result that players cannot see. The rolls of a
 * group belong to the same campaign and character.
 */
export async function refuseRollReplay(db: Db, actor: Actor, replied: DiceRollRow | RollGroup): Promise<void> {
  const rolls = 'items' in replied ? replied.items : [replied]
  const [reply] = rolls as [DiceRollRow]
  const { isStoryteller, isForCharacter, seesCampaign, seesCharacter, playsCharacter, showsTraits } = await accessTo(db, actor, reply.id)
  if (!seesCampaign) notFound('Campaign')
  if (isForCharacter && !seesCharacter) notFound('Character')
  if (isForCharacter && !isStoryteller && !playsCharacter) forbidden({ reason: 'not_your_character' })
  if (rolls.some(usesSheet) && !showsTraits) forbidden({ reason: 'hidden_sheet' })
  if (reply.visibility === 'BLIND' && !isBlind(reply) && !isStoryteller) forbidden(notStoryteller({ actor }))
}

/** Checks access before the reply to a settlement is replayed. */
export async function refuseSettleReplay(db: Db, actor: Actor, reply: DiceRollRow): Promise<void> {
  const { isStoryteller, isRoller, seesCampaign, seesRoll, isForCharacter, seesCharacter, showsTraits } = await accessTo(
    db,
    actor,
    reply.id,
  )
  if (!seesCampaign || !seesRoll || (isForCharacter && !seesCharacter)) notFound('Roll')
  if (!isRoller && !isStoryteller) forbidden({ reason: 'not_yours' })
  if (usesSheet(reply) && !showsTraits) forbidden({ reason: 'hidden_sheet' })
}

/** The reason to refuse somebody who may not void a roll. */
export const notForVoiding = (actor: Actor, { campaign_id }: Pick<DiceRollRow, 'campaign_id'>): Denial =>
  campaign_id === null ? needsRole('ADMIN') : notStoryteller({ actor })

/** Checks access before the reply to voiding a roll is replayed. */
export async function refuseVoidReplay(db: Db, actor: Actor, reply: DiceRollRow): Promise<void> {
  const { isStoryteller, seesCampaign, seesRoll, isForCharacter, seesCharacter, showsTraits } = await accessTo(db, actor, reply.id)
  if (!seesCampaign || !seesRoll || (isForCharacter && !seesCharacter)) notFound('Roll')
  if (!isStoryteller) forbidden(notForVoiding(actor, reply))
  if (usesSheet(reply) && !showsTraits) forbidden({ reason: 'hidden_sheet' })
}
