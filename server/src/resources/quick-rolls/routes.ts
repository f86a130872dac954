import { Type } from '@guildhall/rules/type'
import { archives, Paged } from '../../core/page.ts'
import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, type Path, USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { mayEditSheet } from '../characters/rules.ts'
import { refuseRollReplay } from '../dice-rolls/replay.ts'
import { DiceRoll, RollGroup } from '../dice-rolls/schema.ts'
import {
  archiveQuickRoll,
  createQuickRoll,
  getQuickRoll,
  listQuickRolls,
  restoreQuickRoll,
  rollByName,
  rollQuickRoll,
  updateQuickRoll,
} from './queries.ts'
import { mayWriteOnCampaign } from './rules.ts'
import {
  CampaignQuickRollRoll,
  CharacterQuickRollRoll,
  QuickRoll,
  QuickRollByName,
  QuickRollCreate,
  QuickRollPatch,
  QuickRollRoll,
} from './schema.ts'

/** A resource that has quick rolls. */
interface Owner {
  /** The first part of the operation ids. */
  id: string
  /** The owner in summaries, after "quick roll". */
  of: string
  /** The path of its quick rolls. */
  path: Path<`${typeof USER.template}/${string}`, readonly (typeof sheetPath.through)[number][]>
  may?: typeof mayWriteOnCampaign | typeof mayEditSheet
  /** The body of a roll: the path may name the campaign and the character. */
  rolling: typeof QuickRollRoll
  /** Where the roll is made, and for whom. */
  rolledFor: string
}

const OWNERS: Owner[] = [
  {
    id: 'quickRolls',
    of: 'of yours',
    path: below(USER, 'quick-rolls'),
    rolling: QuickRollRoll,
    rolledFor: 'Names of traits and trackers need a character or a campaign.',
  },
  {
    id: 'characterQuickRolls',
    of: 'of a character',
    path: below(sheetPath, 'quick-rolls'),
    may: mayEditSheet,
    rolling: CharacterQuickRollRoll as unknown as typeof QuickRollRoll,
    rolledFor: 'The roll is made for the character.',
  },
  {
    id: 'campaignQuickRolls',
    of: 'of a campaign',
    path: below(campaign.path, 'quick-rolls'),
    may: mayWriteOnCampaign,
    rolling: CampaignQuickRollRoll as unknown as typeof QuickRollRoll,
    rolledFor: 'The roll is made in the campaign.',
  },
]

const OVERRIDES =
  'The request may override modifier, difficulty and desperation dice of a pool, the target and `missing`, and add `values`. With `rolls` or `repeat` the reply has all rolls as `items`.'
const TAKEN = { duplicate: 'The owner already has a quick roll with this name' }

const ROLL_CONFLICTS = {
  desperation_too_low: 'The roll has more desperation dice than the campaign has desperation',
  seed_in_use: 'Other requests are rotating the seed',
}

function operationsFor({ id, of, path: all, may, rolling, rolledFor }: Owner): Operation[] {
  const one = below(all, '{quick_roll_id}')
  const needs = { key: 'USER', ...(may && { may }) } as const
  return [
    operation({
      id: `${id}.list`,
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: `List the quick rolls ${of}`.replace('the quick rolls of yours', 'your quick rolls'),
      query: Type.Object(archives),
      reply: [200, Paged(QuickRoll)],
      run: ({ db, query, ...context }) => listQuickRolls(db, context, query),
    }),
    operation({
      id: `${id}.create`,
      method: 'POST',
      path: all,
      needs,
      summary: `Save a quick roll ${of}`,
      description:
        'Holds what `POST .../dice-rolls` rolls: `notation`, a `pool` or several `rolls`, with everything that belongs to them. Names are looked up when it is rolled.',
      body: QuickRollCreate,
      reply: [201, QuickRoll],
      emits: ['quick_roll.created'],
      conflicts: TAKEN,
      run: async ({ db, body, ...context }) => createQuickRoll(db, context, body),
    }),
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: `Get a quick roll ${of}`,
      reply: [200, QuickRoll],
      run: ({ db, params, ...context }) => getQuickRoll(db, context, params.quick_roll_id),
    }),
    operation({
      id: `${id}.update`,
      method: 'PATCH',
      path: one,
      needs,
      summary: `Change a quick roll ${of}`,
      description:
        'A new `notation`, `pool` or `rolls` replaces everything that is rolled: fields that the request leaves out become null. Without one of these, the fields of the request are changed, each as a whole, and null removes one.',
      body: QuickRollPatch,
      reply: [200, QuickRoll],
      emits: ['quick_roll.updated'],
      conflicts: TAKEN,
      run: ({ db, params, body, ...context }) => updateQuickRoll(db, context, params.quick_roll_id, body),
    }),
    operation({
      id: `${id}.delete`,
      method: 'DELETE',
      path: one,
      needs,
      summary: `Archive a quick roll ${of}`,
      description: 'It can be restored for 30 days.',
      reply: [204],
      emits: ['quick_roll.deleted'],
      run: ({ db, params, ...context }) => archiveQuickRoll(db, context, params.quick_roll_id),
    }),
    operation({
      id: `${id}.restore`,
      method: 'POST',
      path: below(one, 'restore'),
      needs,
      summary: `Restore an archived quick roll ${of}`,
      reply: [200, QuickRoll],
      emits: ['quick_roll.restored'],
      conflicts: { duplicate: 'Another quick roll has taken the name' },
      run: ({ db, params, ...context }) => restoreQuickRoll(db, context, params.quick_roll_id),
    }),
    operation({
      id: `${id}.roll`,
      method: 'POST',
      path: below(one, 'roll'),
      needs: { key: 'USER' },
      summary: `Roll a quick roll ${of}`,
      description: `Works like \`POST .../dice-rolls\` with what is saved. ${rolledFor} ${OVERRIDES}`,
      body: rolling,
      reply: [201, DiceRoll],
      otherReply: RollGroup,
      emits: ['dice_roll.created', 'member.added'],
      location: below(USER, 'dice-rolls', '{id}'),
      conflicts: ROLL_CONFLICTS,
      recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
      run: ({ db, params, body, ...context }) => rollQuickRoll(db, context, params.quick_roll_id, body),
    }),
  ]
}

const byName = operation({
  id: 'quickRolls.rollByName',
  method: 'POST',
  path: below(USER, 'quick-rolls', 'roll'),
  needs: { key: 'USER' },
  summary: 'Roll a quick roll by its name',
  description: `Searches the quick rolls of the character, then yours, then those of the campaign (that of the character, or \`campaign_id\`), as far as the acting user sees them. Case does not matter. ${OVERRIDES}`,
  body: QuickRollByName,
  reply: [201, DiceRoll],
  otherReply: RollGroup,
  emits: ['dice_roll.created', 'member.added'],
  location: below(USER, 'dice-rolls', '{id}'),
  conflicts: ROLL_CONFLICTS,
  recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
  run: ({ db, actor, body }) => rollByName(db, actor, body),
})

export const quickRolls = resource(
  {
    'Quick rolls': 'Rolls that a user makes often, saved under a name',
    'Character quick rolls': 'Rolls that are part of the sheet of a character',
    'Campaign quick rolls': 'Rolls that everybody in a campaign can make by their names',
  },
  [...OWNERS.flatMap(operationsFor), byName],
)
