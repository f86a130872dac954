import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { character } from '../characters/place.ts'
import { ofCampaign, ofCharacter, ofCompany, ofUser } from './queries.ts'
import { Statistics } from './schema.ts'

const COMPANY = '/companies/{company_id}'
const USER = `${COMPANY}/users/{user_id}` as const
const CAMPAIGN = `${USER}/campaigns/{campaign_id}` as const

const EXACT = 'Counts every roll the acting user may see, up to the last; a settled roll counts as what it was settled to be.'

export const statistics = [
  operation({
    id: 'statistics.ofCompany',
    method: 'GET',
    path: `${COMPANY}/statistics`,
    needs: { key: 'USER' },
    summary: 'Get the statistics of all rolls of a company',
    description: EXACT,
    reply: [200, Statistics],
    run: ({ db, actor, permission, params }) => ofCompany(db, { actor, permission }, params.company_id),
  }),
  operation({
    id: 'statistics.ofUser',
    method: 'GET',
    path: `${USER}/statistics`,
    needs: { key: 'USER' },
    summary: 'Get the statistics of your rolls',
    description: `Was I unlucky? ${EXACT}`,
    reply: [200, Statistics],
    run: ({ db, actor }) => ofUser(db, actor),
  }),
  operation({
    id: 'statistics.ofCampaign',
    method: 'GET',
    path: `${CAMPAIGN}/statistics`,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'Get the statistics of the rolls in a campaign',
    description: EXACT,
    reply: [200, Statistics],
    run: ({ db, actor, campaign }) => ofCampaign(db, actor, campaign.id),
  }),
  operation({
    id: 'statistics.ofCharacter',
    method: 'GET',
    path: `${CAMPAIGN}/characters/{character_id}/statistics`,
    within: [campaign, character],
    needs: { key: 'USER' },
    summary: 'Get the statistics of the rolls for a character',
    description: EXACT,
    reply: [200, Statistics],
    run: ({ db, actor, character }) => ofCharacter(db, actor, character.id),
  }),
]
