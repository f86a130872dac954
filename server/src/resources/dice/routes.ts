import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { checkRequest } from '../dice-rolls/request-rules.ts'
import { refuseNamedReplay } from '../dice-rolls/sheet.ts'
import { isHeavy } from './heavy.ts'
import { computeOdds } from './queries.ts'
import { Odds, OddsRequest } from './schema.ts'

export const dice = resource(
  {
    Dice: 'The exact odds of a roll',
  },
  [
    operation({
      id: 'dice.odds',
      method: 'POST',
      path: below(COMPANY, 'dice', 'odds'),
      needs: { key: 'USER' },
      computes: true,
      heavy: isHeavy,
      summary: 'Compute the odds of a roll',
      description:
        'Computes the exact distribution without rolling or writing anything. Names stand for traits and trackers that the acting user of On-Behalf-Of sees; without it, a key with permission ADMIN sees everything, and a key with permission USER what a player who is in no campaign sees. Rejects endless explosions (`!`), endless rerolls (`r`) and rolls that take too long to compute.',
      body: OddsRequest,
      reply: [200, Odds],
      recheck: ({ db, params: { company_id }, actor, permission, body }) =>
        refuseNamedReplay(db, { company_id, actor, permission }, body, checkRequest(body)),
      run: async ({ db, params: { company_id }, actor, permission, body }) => ({
        before: null,
        after: null,
        reply: await computeOdds(db, { company_id, actor, permission }, body),
      }),
    }),
  ],
)
