import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { createRoll, getRoll, listRolls, proofOf, settleRoll } from './queries.ts'
import { refuseRollReplay, refuseSettleReplay } from './replay.ts'
import { isHeavy } from './rules.ts'
import { DiceRoll, DiceRollCreate, DiceRollSettle, DiceRollsQuery, ListedRoll, Proof } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/dice-rolls'
const ONE = `${ALL}/{roll_id}` as const

export const diceRolls = [
  operation({
    id: 'diceRolls.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'List dice rolls',
    description: 'As far as the acting user may see them, newest first with `sort=-date_created`.',
    query: DiceRollsQuery,
    reply: [200, Paged(ListedRoll)],
    run: ({ db, actor, query }) => listRolls(db, actor, query),
  }),
  operation({
    id: 'diceRolls.create',
    method: 'POST',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'Roll dice',
    description:
      'Either `notation` or a `pool`. The server rolls, by a seed it committed to before. For a character roll its player, the storytellers of its campaign and ADMINs. A BLIND roll answers with what was asked and nothing of the result.',
    body: DiceRollCreate,
    reply: [201, DiceRoll],
    emits: 'dice_roll.created',
    heavy: isHeavy,
    conflicts: {
      desperation_too_low: 'More desperation dice than the campaign has desperation',
      seed_in_use: 'The seed is being rotated by others',
    },
    recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
    run: ({ db, actor, body }) => createRoll(db, actor, body),
  }),
  operation({
    id: 'diceRolls.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Get a dice roll',
    reply: [200, DiceRoll],
    run: ({ db, actor, params }) => getRoll(db, actor, params.roll_id),
  }),
  operation({
    id: 'diceRolls.proof',
    method: 'GET',
    path: `${ONE}/proof`,
    needs: { key: 'USER' },
    summary: 'Get what a roll can be checked with',
    description:
      'The seed itself is there once it was revealed. The proof of a secret roll is for the storytellers of its campaign and ADMINs.',
    reply: [200, Proof],
    run: ({ db, actor, params }) => proofOf(db, actor, params.roll_id),
  }),
  operation({
    id: 'diceRolls.settle',
    method: 'POST',
    path: `${ONE}/settle`,
    needs: { key: 'USER' },
    summary: 'Settle a strained roll',
    description: 'Once, by who rolled, the storytellers of the campaign or an ADMIN.',
    body: DiceRollSettle,
    reply: [200, DiceRoll],
    emits: 'dice_roll.settled',
    conflicts: { not_strained: 'No desperation die shows 1', already_settled: 'It was settled before' },
    recheck: ({ db, actor, params }) => refuseSettleReplay(db, actor, params.roll_id),
    run: ({ db, actor, params, body }) => settleRoll(db, actor, params.roll_id, body.choice),
  }),
]
