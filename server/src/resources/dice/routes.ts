import { operation } from '../../http/operation.ts'
import { exactOdds, isHeavy } from './rules.ts'
import { Odds, OddsAsked } from './schema.ts'

export const dice = [
  operation({
    id: 'dice.odds',
    method: 'POST',
    path: '/companies/{company_id}/dice/odds',
    needs: { key: 'USER' },
    computes: true,
    heavy: isHeavy,
    summary: 'Work out the odds of a roll',
    description:
      'Exactly, not by trying; nothing is rolled or written. Endless explosions (`!`) and rerolls (`r`) are refused, and what takes too long.',
    body: OddsAsked,
    reply: [200, Odds],
    run: async ({ body }) => ({ before: null, after: null, reply: exactOdds(body) }),
  }),
]
