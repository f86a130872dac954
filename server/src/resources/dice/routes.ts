import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { exactOdds, isHeavy } from './rules.ts'
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
        'Computes the exact distribution without rolling or writing anything. Rejects endless explosions (`!`), endless rerolls (`r`) and rolls that take too long to compute.',
      body: OddsRequest,
      reply: [200, Odds],
      run: async ({ body }) => ({ before: null, after: null, reply: exactOdds(body) }),
    }),
  ],
)
