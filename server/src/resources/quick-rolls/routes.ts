import { Type } from 'typebox'
import { archives, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
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

const USER = '/companies/{company_id}/users/{user_id}'
const ALL = `${USER}/quick-rolls` as const
const ONE = `${ALL}/{quick_roll_id}` as const

export const quickRolls = [
  operation({
    id: 'quickRolls.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'List your quick rolls',
    query: Type.Object(archives),
    reply: [200, Paged(QuickRoll)],
    run: ({ db, actor, query }) => listQuickRolls(db, actor, query),
  }),
  operation({
    id: 'quickRolls.create',
    method: 'POST',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'Save a pool under a name',
    body: QuickRollCreate,
    reply: [201, QuickRoll],
    emits: 'quick_roll.created',
    conflicts: { duplicate: 'You have a quick roll of this name' },
    run: async ({ db, actor, body }) => createQuickRoll(db, actor, body),
  }),
  operation({
    id: 'quickRolls.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Get a quick roll',
    reply: [200, QuickRoll],
    run: ({ db, actor, params }) => getQuickRoll(db, actor, params.quick_roll_id),
  }),
  operation({
    id: 'quickRolls.update',
    method: 'PATCH',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Change a quick roll',
    description: 'A pool is replaced whole.',
    body: QuickRollPatch,
    reply: [200, QuickRoll],
    emits: 'quick_roll.updated',
    conflicts: { duplicate: 'You have a quick roll of this name' },
    run: ({ db, actor, params, body }) => updateQuickRoll(db, actor, params.quick_roll_id, body),
  }),
  operation({
    id: 'quickRolls.delete',
    method: 'DELETE',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Archive a quick roll',
    description: 'It can be restored for 30 days.',
    reply: [204],
    emits: 'quick_roll.deleted',
    run: ({ db, actor, params }) => archiveQuickRoll(db, actor, params.quick_roll_id),
  }),
  operation({
    id: 'quickRolls.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    needs: { key: 'USER' },
    summary: 'Restore an archived quick roll',
    reply: [200, QuickRoll],
    emits: 'quick_roll.restored',
    conflicts: { duplicate: 'Another has taken its name meanwhile' },
    run: ({ db, actor, params }) => restoreQuickRoll(db, actor, params.quick_roll_id),
  }),
  operation({
    id: 'quickRolls.roll',
    method: 'POST',
    path: `${ONE}/roll`,
    needs: { key: 'USER' },
    summary: 'Roll a quick roll',
    description:
      'As `POST .../dice-rolls` with its pool; modifier, difficulty and desperation dice may be others this time. Traits need a character.',
    body: QuickRollRoll,
    reply: [201, DiceRoll],
    emits: 'dice_roll.created',
    location: `${USER}/dice-rolls/{id}`,
    conflicts: {
      desperation_too_low: 'More desperation dice than the campaign has desperation',
      seed_in_use: 'The seed is being rotated by others',
    },
    recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
    run: ({ db, actor, params, body }) => rollQuickRoll(db, actor, params.quick_roll_id, body),
  }),
]
