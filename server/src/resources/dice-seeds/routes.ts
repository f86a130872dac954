import { notFound } from '../../core/problem.ts'
import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { type CampaignAccess, campaign } from '../campaigns/path-resource.ts'
import type { SeedOwner } from './insert.ts'
import { getSeed, rotateSeed } from './queries.ts'
import { mayRotate } from './rules.ts'
import { DiceSeed, DiceSeedRotated } from './schema.ts'

const FAIRNESS =
  'Every die follows from the server seed, the client seed and the number of the roll, so nobody can choose the result. See docs/fairness.md.'

const conflicts = { seed_in_use: 'Other requests are rotating the seed' }

const userSeed = below(USER, 'dice-seed')

const forUser = [
  operation({
    id: 'diceSeeds.get',
    method: 'GET',
    path: userSeed,
    needs: { key: 'USER' },
    summary: 'Get the seed of your rolls outside campaigns',
    description: FAIRNESS,
    reply: [200, DiceSeed],
    run: ({ db, actor }) => getSeed(db, { company_id: actor.company_id, user_id: actor.id }),
  }),
  operation({
    id: 'diceSeeds.rotate',
    method: 'POST',
    path: below(userSeed, 'rotate'),
    needs: { key: 'USER' },
    summary: 'Reveal the seed of your rolls outside campaigns, and commit to a new one',
    reply: [200, DiceSeedRotated],
    emits: ['dice_seed.rotated'],
    conflicts,
    run: ({ db, actor }) => rotateSeed(db, { company_id: actor.company_id, user_id: actor.id }),
  }),
]

/** The operations on one of the two seeds of a campaign. To users who are not storytellers, the secret one does not exist (404). */
function forCampaign(id: string, segment: string, rolls: string, secret: boolean): Operation[] {
  const seed = below(campaign.path, segment)
  const ownerOf = (company_id: string, { id: campaign_id, isStoryteller }: CampaignAccess): SeedOwner =>
    secret && !isStoryteller ? notFound('Dice seed') : { company_id, campaign_id, secret }
  const forStorytellers = 'Only the storytellers of the campaign and ADMINs can see this seed.'
  return [
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: seed,
      needs: { key: 'USER' },
      summary: `Get the seed of ${rolls}`,
      description: secret ? forStorytellers : FAIRNESS,
      reply: [200, DiceSeed],
      run: async ({ db, actor, campaign }) => getSeed(db, ownerOf(actor.company_id, campaign)),
    }),
    operation({
      id: `${id}.rotate`,
      method: 'POST',
      path: below(seed, 'rotate'),
      needs: { key: 'USER', ...(!secret && { may: mayRotate }) },
      summary: `Reveal the seed of ${rolls}, and commit to a new one`,
      ...(secret && { description: forStorytellers }),
      reply: [200, DiceSeedRotated],
      emits: ['dice_seed.rotated'],
      conflicts,
      recheck: ({ actor, campaign }) => ownerOf(actor.company_id, campaign),
      run: async ({ db, actor, campaign }) => rotateSeed(db, ownerOf(actor.company_id, campaign)),
    }),
  ]
}

export const diceSeeds = resource(
  {
    'Dice seeds': 'The seeds of your dice rolls outside campaigns, committed to before you roll',
    'Campaign dice seeds': 'The seeds of the open dice rolls of a campaign',
    'Secret dice seeds': 'The seeds of the secret dice rolls of a campaign, for its storytellers',
  },
  [
    ...forUser,
    ...forCampaign('campaignDiceSeeds', 'dice-seed', 'the public rolls of a campaign', false),
    ...forCampaign('secretDiceSeeds', 'secret-dice-seed', 'the secret rolls of a campaign', true),
  ],
)
