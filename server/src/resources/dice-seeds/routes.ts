import { notFound } from '../../core/problem.ts'
import { type Operation, operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { getSeed, rotateSeed } from './queries.ts'
import { DiceSeed, DiceSeedRotated } from './schema.ts'

const USER = '/companies/{company_id}/users/{user_id}'
const CAMPAIGN = `${USER}/campaigns/{campaign_id}` as const

const FAIR =
  'Every die follows from the seed, the client seed and the number of the roll, so that nobody can choose it: docs/fairness.md tells how.'

const ofUser = [
  operation({
    id: 'diceSeeds.get',
    method: 'GET',
    path: `${USER}/dice-seed`,
    needs: { key: 'USER' },
    summary: 'See the seed of your rolls outside campaigns',
    description: FAIR,
    reply: [200, DiceSeed],
    run: ({ db, actor }) => getSeed(db, { company_id: actor.company_id, user_id: actor.id }),
  }),
  operation({
    id: 'diceSeeds.rotate',
    method: 'POST',
    path: `${USER}/dice-seed/rotate`,
    needs: { key: 'USER' },
    summary: 'Reveal the seed of your rolls outside campaigns, and commit to a new one',
    reply: [200, DiceSeedRotated],
    emits: 'dice_seed.rotated',
    conflicts: { seed_in_use: 'It is being rotated by others' },
    run: ({ db, actor }) => rotateSeed(db, { company_id: actor.company_id, user_id: actor.id }),
  }),
]

/** The two of a campaign. The secret one does not exist for who does not tell it. */
function ofCampaign(id: string, segment: string, what: string, secret: boolean): Operation[] {
  const owner = (company_id: string, { id: campaign_id, tells }: { id: string; tells: boolean }) =>
    secret && !tells ? notFound('Dice seed') : { company_id, campaign_id, secret }
  return [
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: `${CAMPAIGN}/${segment}` as `${typeof CAMPAIGN}/seed`,
      within: [campaign],
      needs: { key: 'USER' },
      summary: `See the seed of ${what}`,
      description: secret ? 'For its storytellers and ADMINs.' : FAIR,
      reply: [200, DiceSeed],
      run: async ({ db, actor, campaign }) => getSeed(db, owner(actor.company_id, campaign)),
    }),
    operation({
      id: `${id}.rotate`,
      method: 'POST',
      path: `${CAMPAIGN}/${segment}/rotate` as `${typeof CAMPAIGN}/seed/rotate`,
      within: [campaign],
      needs: { key: 'USER', mayHere: ({ campaign }) => secret || campaign.tells, who: 'The storytellers of the campaign and ADMINs may.' },
      summary: `Reveal the seed of ${what}, and commit to a new one`,
      reply: [200, DiceSeedRotated],
      emits: 'dice_seed.rotated',
      conflicts: { seed_in_use: 'It is being rotated by others' },
      recheck: ({ actor, campaign }) => owner(actor.company_id, campaign),
      run: async ({ db, actor, campaign }) => rotateSeed(db, owner(actor.company_id, campaign)),
    }),
  ]
}

export const diceSeeds = [
  ...ofUser,
  ...ofCampaign('campaignDiceSeeds', 'dice-seed', 'the open rolls of a campaign', false),
  ...ofCampaign('secretDiceSeeds', 'secret-dice-seed', 'the secret rolls of a campaign', true),
]
