import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { viewerOf, WITHOUT_USER } from '../campaigns/across.ts'
import { createRolls } from './create.ts'
import { getRoll, listRolls, proofOf, settleRoll } from './queries.ts'
import { refuseRollReplay, refuseSettleReplay, refuseVoidReplay } from './replay.ts'
import { isHeavy } from './request-rules.ts'
import { DiceRollCreate } from './request-schema.ts'
import { DiceRoll, DiceRollSettle, DiceRollsQuery, DiceRollVoid, ListedRoll, Proof, RollGroup } from './schema.ts'
import { voidRoll } from './void.ts'

const rolls = below(USER, 'dice-rolls')
const roll = below(rolls, '{roll_id}')

export const diceRolls = resource(
  {
    'Dice rolls': 'Dice rolled by the server, with every die in the reply, and verifiable',
  },
  [
    operation({
      id: 'diceRolls.list',
      method: 'GET',
      path: rolls,
      needs: { key: 'USER' },
      summary: 'List dice rolls',
      description: 'Lists the rolls that the acting user may see. Use `sort=-date_created` to get the newest first.',
      query: DiceRollsQuery,
      formerly: { roller_id: 'user_id' },
      reply: [200, Paged(ListedRoll)],
      run: ({ db, actor, query }) => listRolls(db, viewerOf(actor), query),
    }),
    operation({
      id: 'diceRolls.listInCompany',
      method: 'GET',
      path: below(COMPANY, 'dice-rolls'),
      needs: { key: 'USER' },
      summary: 'List the dice rolls of the company without a user in the path',
      description: WITHOUT_USER,
      query: DiceRollsQuery,
      formerly: { roller_id: 'user_id' },
      reply: [200, Paged(ListedRoll)],
      run: ({ db, params: { company_id }, actor, permission, query }) => listRolls(db, { company_id, actor, permission }, query),
    }),
    operation({
      id: 'diceRolls.create',
      method: 'POST',
      path: rolls,
      needs: { key: 'USER' },
      summary: 'Roll dice',
      description:
        'Takes `notation`, a `pool`, or several `rolls`; with `rolls` or `repeat` the reply has all of them as `items`. The server rolls the dice from a seed that it committed to before. Only the player of a character, the storytellers of its campaign and ADMINs may roll for it, and with its traits only if they see its sheet. Only for storytellers does the reply to a BLIND roll contain the result.',
      body: DiceRollCreate,
      reply: [201, DiceRoll],
      otherReply: RollGroup,
      otherReplyTo: ['rolls', 'repeat'],
      emits: ['dice_roll.created', 'member.added'],
      heavy: isHeavy,
      conflicts: {
        desperation_too_low: 'The roll has more desperation dice than the campaign has desperation',
        seed_in_use: 'Other requests are rotating the seed',
      },
      recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
      run: ({ db, actor, body }) => createRolls(db, actor, body),
    }),
    operation({
      id: 'diceRolls.get',
      method: 'GET',
      path: roll,
      needs: { key: 'USER' },
      summary: 'Get a dice roll',
      reply: [200, DiceRoll],
      run: ({ db, actor, params }) => getRoll(db, actor, params.roll_id),
    }),
    operation({
      id: 'diceRolls.proof',
      method: 'GET',
      path: below(roll, 'proof'),
      needs: { key: 'USER' },
      summary: 'Get the proof of a roll',
      description:
        'Contains everything needed to verify the roll, including the server seed once it is revealed. Only the storytellers of the campaign and ADMINs may get the proof of a secret roll.',
      reply: [200, Proof],
      run: ({ db, actor, params }) => proofOf(db, actor, params.roll_id),
    }),
    operation({
      id: 'diceRolls.settle',
      method: 'POST',
      path: below(roll, 'settle'),
      needs: { key: 'USER' },
      summary: 'Settle a strained roll',
      description: 'A roll can be settled once, by the user who rolled, the storytellers of the campaign or an ADMIN.',
      body: DiceRollSettle,
      reply: [200, DiceRoll],
      emits: ['dice_roll.settled', 'campaign.adjusted', 'member.added'],
      conflicts: {
        voided: 'The roll was voided',
        not_strained: 'No desperation die shows 1',
        already_settled: 'The roll is already settled',
      },
      recheck: ({ db, actor, reply }) => refuseSettleReplay(db, actor, reply),
      run: ({ db, actor, params, body }) => settleRoll(db, actor, params.roll_id, body.choice),
    }),
    operation({
      id: 'diceRolls.void',
      method: 'POST',
      path: below(roll, 'void'),
      needs: { key: 'USER' },
      summary: 'Void a roll',
      description:
        'Strikes out a roll that should not count, such as one for the wrong character. The roll, its place in lists and its proof stay; its text begins with VOID and the reason, and statistics leave it out. The storytellers of the campaign and ADMINs may do so, once; for a roll outside of campaigns, only ADMINs.',
      body: DiceRollVoid,
      reply: [200, DiceRoll],
      emits: ['dice_roll.voided'],
      conflicts: { already_voided: 'The roll is already voided' },
      recheck: ({ db, actor, reply }) => refuseVoidReplay(db, actor, reply),
      run: ({ db, actor, params, body }) => voidRoll(db, actor, params.roll_id, body.reason),
    }),
  ],
)
