import { forbidden, notFound } from '../../core/problem.ts'
import type { Db } from '../../db/client.ts'
import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/operation.ts'
import { sightAcross, tells } from '../campaigns/place.ts'
import type { DiceRoll } from './schema.ts'
import { besideRolls } from './seen.ts'

/** How the acting user stands today to a roll whose reply is stored, be its campaign archived or not. */
interface Standing {
  isRoller: boolean
  isStoryteller: boolean
  seesRoll: boolean
  seesCharacter: boolean
  playsCharacter: boolean
  isForCharacter: boolean
}

async function standingTo(db: Db, actor: Actor, id: string): Promise<Standing> {
  const sight = sightAcross({ actor, permission: null })
  const [standing] = await db.query<Standing>(sql`
    SELECT x.user_id = ${actor.id} AS "isRoller", coalesce(${tells(sql`${actor.role}::text`, sql`${actor.id}::uuid`)}, false) AS "isStoryteller",
      ${seen(sight, sql`x.visibility`, sql`x.user_id`)} AS "seesRoll", x.character_id IS NOT NULL AS "isForCharacter",
      coalesce(${seen(sight, sql`subject.visibility`)}, false) AS "seesCharacter",
      EXISTS (SELECT FROM characters WHERE company_id = x.company_id AND id = x.character_id AND user_id = ${actor.id}) AS "playsCharacter"
    FROM dice_rolls x ${besideRolls(actor)} WHERE x.company_id = ${actor.company_id} AND x.id = ${id}`)
  return standing ?? notFound('Roll')
}

const isBlind = ({ net, total }: DiceRoll) => net === null && total === null

/** For the reply to a new roll: a storyteller was told what a player is not. */
export async function refuseRollReplay(db: Db, actor: Actor, reply: DiceRoll): Promise<void> {
  const { isStoryteller, isForCharacter, seesCharacter, playsCharacter } = await standingTo(db, actor, reply.id)
  if (isForCharacter && !seesCharacter) notFound('Character')
  if (isForCharacter && !isStoryteller && !playsCharacter) forbidden()
  if (reply.visibility === 'BLIND' && !isBlind(reply) && !isStoryteller) forbidden()
}

/** For the reply to a settled roll. */
export async function refuseSettleReplay(db: Db, actor: Actor, id: string): Promise<void> {
  const { isStoryteller, isRoller, seesRoll, isForCharacter, seesCharacter } = await standingTo(db, actor, id)
  if (!seesRoll || (isForCharacter && !seesCharacter)) notFound('Roll')
  if (!isRoller && !isStoryteller) forbidden()
}
