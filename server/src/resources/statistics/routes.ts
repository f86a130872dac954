import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { campaignStatistics, characterStatistics, companyStatistics, userStatistics } from './queries.ts'
import { Statistics } from './schema.ts'

const COVERAGE =
  'Counts every roll that the acting user may see, including the most recent one. A settled roll counts with the outcome of its settlement, and a voided one not at all. Dice rolled at the table count in `manual` only. `traits` leaves out the characters whose sheets are hidden from the acting user.'

export const statistics = resource(
  {
    Statistics: 'Outcomes, luck and favorite traits of dice rolls, day by day',
  },
  [
    operation({
      id: 'statistics.ofCompany',
      method: 'GET',
      path: below(COMPANY, 'statistics'),
      needs: { key: 'USER' },
      summary: 'Get the statistics of all rolls of a company',
      description: COVERAGE,
      reply: [200, Statistics],
      run: ({ db, actor, permission, params }) => companyStatistics(db, { actor, permission }, params.company_id),
    }),
    operation({
      id: 'statistics.ofUser',
      method: 'GET',
      path: below(USER, 'statistics'),
      needs: { key: 'USER' },
      summary: 'Get the statistics of your rolls',
      description: COVERAGE,
      reply: [200, Statistics],
      run: ({ db, actor }) => userStatistics(db, actor),
    }),
    operation({
      id: 'statistics.ofCampaign',
      method: 'GET',
      path: below(campaign.path, 'statistics'),
      needs: { key: 'USER' },
      summary: 'Get the statistics of the rolls in a campaign',
      description: COVERAGE,
      reply: [200, Statistics],
      run: ({ db, actor, campaign }) => campaignStatistics(db, actor, campaign.id),
    }),
    operation({
      id: 'statistics.ofCharacter',
      method: 'GET',
      path: below(sheetPath, 'statistics'),
      needs: { key: 'USER' },
      summary: 'Get the statistics of the rolls for a character',
      description: COVERAGE,
      reply: [200, Statistics],
      run: ({ db, actor, character }) => characterStatistics(db, actor, character.id),
    }),
  ],
)
