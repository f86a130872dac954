import type { Db } from '../../db/client.ts'
import type { Viewer } from '../campaigns/across.ts'
import { checkRequest } from '../dice-rolls/request-rules.ts'
import { type ReadyRoll, readyRolls } from '../dice-rolls/result.ts'
import { readNamed } from '../dice-rolls/sheet.ts'
import { exactOdds } from './rules.ts'
import type { Odds, OddsRequest } from './schema.ts'

/** Computes the odds of a roll with the values that the viewer sees. Nothing is rolled, so the desperation of the campaign does not matter. */
export async function computeOdds(db: Db, viewer: Viewer, body: OddsRequest): Promise<Odds> {
  const requested = checkRequest(body)
  const named = await readNamed(db, viewer, body, requested)
  const [roll] = readyRolls(requested, { ...named, missing: body.missing ?? 'REJECT', desperation: Number.POSITIVE_INFINITY })
  return exactOdds(roll as ReadyRoll)
}
