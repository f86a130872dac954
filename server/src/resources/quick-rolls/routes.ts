import { Type } from 'typebox'
import { archives, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { refuseRollReplay } from '../dice-rolls/replay.ts'
import { DiceRoll } from '../dice-rolls/schema.ts'
import {
  archiveQuickRoll,
  createQuickRoll,
  getQuickRoll,
  listQuickRolls,
  restoreQuickRoll,
  rollQuickRoll,
  updateQuickRoll,
} from './queries.ts'
import { QuickRoll, QuickRollCreate, QuickRollPatch, QuickRollRoll } from './schema.ts'

const all = below(USER, 'quick-rolls')
const quickRoll = below(all, '{quick_roll_id}')

export const quickRolls = resource(
  {
    'Quick rolls': 'Named dice pools that a user rolls often',
  },
  [
    operation({
      id: 'quickRolls.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List your quick rolls',
      query: Type.Object(archives),
      reply: [200, Paged(QuickRoll)],
      run: ({ db, actor, query }) => listQuickRolls(db, actor, query),
    }),
    operation({
      id: 'quickRolls.create',
      method: 'POST',
      path: all,
      needs: { key: 'USER' },
      summary: 'Save a pool under a name',
      body: QuickRollCreate,
      reply: [201, QuickRoll],
      emits: ['quick_roll.created'],
      conflicts: { duplicate: 'You already have a quick roll with this name' },
      run: async ({ db, actor, body }) => createQuickRoll(db, actor, body),
    }),
    operation({
      id: 'quickRolls.get',
      method: 'GET',
      path: quickRoll,
      needs: { key: 'USER' },
      summary: 'Get a quick roll',
      reply: [200, QuickRoll],
      run: ({ db, actor, params }) => getQuickRoll(db, actor, params.quick_roll_id),
    }),
    operation({
      id: 'quickRolls.update',
      method: 'PATCH',
      path: quickRoll,
      needs: { key: 'USER' },
      summary: 'Change a quick roll',
      description: 'A new pool replaces the old one as a whole.',
      body: QuickRollPatch,
      reply: [200, QuickRoll],
      emits: ['quick_roll.updated'],
      conflicts: { duplicate: 'You already have a quick roll with this name' },
      run: ({ db, actor, params, body }) => updateQuickRoll(db, actor, params.quick_roll_id, body),
    }),
    operation({
      id: 'quickRolls.delete',
      method: 'DELETE',
      path: quickRoll,
      needs: { key: 'USER' },
      summary: 'Archive a quick roll',
      description: 'It can be restored for 30 days.',
      reply: [204],
      emits: ['quick_roll.deleted'],
      run: ({ db, actor, params }) => archiveQuickRoll(db, actor, params.quick_roll_id),
    }),
    operation({
      id: 'quickRolls.restore',
      method: 'POST',
      path: below(quickRoll, 'restore'),
      needs: { key: 'USER' },
      summary: 'Restore an archived quick roll',
      reply: [200, QuickRoll],
      emits: ['quick_roll.restored'],
      conflicts: { duplicate: 'Another of your quick rolls has taken the name' },
      run: ({ db, actor, params }) => restoreQuickRoll(db, actor, params.quick_roll_id),
    }),
    operation({
      id: 'quickRolls.roll',
      method: 'POST',
      path: below(quickRoll, 'roll'),
      needs: { key: 'USER' },
      summary: 'Roll a quick roll',
      description:
        'Works like `POST .../dice-rolls` with the saved pool. The request may override modifier, difficulty and desperation dice. Traits need a character.',
      body: QuickRollRoll,
      reply: [201, DiceRoll],
      emits: ['dice_roll.created', 'member.added'],
      location: below(USER, 'dice-rolls', '{id}'),
      conflicts: {
        desperation_too_low: 'The roll has more desperation dice than the campaign has desperation',
        seed_in_use: 'Other requests are rotating the seed',
      },
      recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
      run: ({ db, actor, params, body }) => rollQuickRoll(db, actor, params.quick_roll_id, body),
    }),
  ],
)
