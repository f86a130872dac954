import { Paged } from '../../core/page.ts'
import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, belowText, type Path, type USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { adjustCharacter, recheckAdjustment } from './adjust-character.ts'
import { recheckDefinitions, removeTracker, setTracker, setTrackers, updateTracker } from './definitions.ts'
import { adjustTracker, getTracker, listTrackers, recheckMove, resetTrackers } from './queries.ts'
import { mayAdjust, mayDefineOnCampaign, mayDefineOnCharacter } from './rules.ts'
import {
  AdjustedCharacter,
  CharacterAdjust,
  ResetTrackers,
  SetTrackers,
  Tracker,
  TrackerAdjust,
  TrackerKey,
  TrackerPatch,
  TrackerReset,
  TrackerSet,
  TrackersQuery,
  TrackersSet,
} from './schema.ts'

/** A resource that has trackers. */
interface Owner {
  /** The first part of the operation ids. */
  id: string
  /** The resource in summaries. */
  noun: 'campaign' | 'character'
  /** The path of its trackers. */
  path: Path<`${typeof USER.template}/${string}`, readonly (typeof sheetPath.through)[number][]>
  may: typeof mayDefineOnCampaign | typeof mayDefineOnCharacter
}

const OWNERS: Owner[] = [
  { id: 'campaignTrackers', noun: 'campaign', path: below(campaign.path, 'trackers'), may: mayDefineOnCampaign },
  { id: 'characterTrackers', noun: 'character', path: below(sheetPath, 'trackers'), may: mayDefineOnCharacter },
]

const MOVERS = 'The storytellers of the campaign, ADMINs and the users whom `movable_by` names may.'
const RULED = { defined_by_ruleset: 'The ruleset of the campaign defines the tracker' }
const OUT_OF_RANGE = { out_of_range: 'The value would leave its range, and `clamp` is not set. Nothing is changed' }

function operationsFor({ id, noun, path: all, may }: Owner): Operation[] {
  const one = belowText(all, 'key', { noun: 'Tracker', schema: TrackerKey })
  const needs = { key: 'USER', may } as const
  return [
    operation({
      id: `${id}.list`,
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: `List the trackers of a ${noun}`,
      description: `Lists the trackers that the acting user may see. Players see no value of a NAME_ONLY tracker.`,
      query: TrackersQuery,
      reply: [200, Paged(Tracker)],
      run: ({ db, query, ...context }) => listTrackers(db, context, query),
    }),
    operation({
      id: `${id}.setMany`,
      method: 'POST',
      path: all,
      needs,
      summary: `Create or replace several trackers of a ${noun}`,
      description: `Sets the trackers that the request names, all of them or none; others stay. Each is created or replaced as by a PUT of its own. ${noun === 'campaign' ? 'A campaign' : 'A character'} has at most 100 trackers.`,
      body: TrackersSet,
      reply: [200, SetTrackers],
      emits: ['tracker.created', 'tracker.updated', 'tracker.filled', 'tracker.emptied'],
      conflicts: { too_many_trackers: `The ${noun} would have more than 100 trackers`, ...RULED },
      recheck: ({ db, params: _, body: __, reply, ...context }) => recheckDefinitions(db, context, reply.items),
      run: ({ db, params: _, body, ...context }) => setTrackers(db, context, body),
    }),
    operation({
      id: `${id}.reset`,
      method: 'POST',
      path: below(all, 'reset'),
      needs: { key: 'USER' },
      summary: `Reset trackers of a ${noun} to their start`,
      description: `A rest: sets the named trackers to their \`start\`, all of them or none. Without \`keys\`, it resets every tracker that the acting user may move. ${MOVERS}`,
      body: TrackerReset,
      reply: [200, ResetTrackers],
      emits: ['tracker.adjusted', 'tracker.filled', 'tracker.emptied'],
      recheck: ({ db, body, reply, ...context }) => recheckMove(db, context, body.keys ?? reply.items.map(({ key }) => key)),
      run: ({ db, body, ...context }) => resetTrackers(db, context, body),
    }),
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: `Get a tracker of a ${noun}`,
      reply: [200, Tracker],
      run: ({ db, params, ...context }) => getTracker(db, context, params.key),
    }),
    operation({
      id: `${id}.set`,
      method: 'PUT',
      path: one,
      needs,
      summary: `Create or replace a tracker of a ${noun}`,
      description: `A replaced tracker keeps its id; fields that the request leaves out get their defaults. ${noun === 'campaign' ? 'A campaign' : 'A character'} has at most 100 trackers.`,
      body: TrackerSet,
      reply: [200, Tracker],
      emits: ['tracker.created', 'tracker.updated', 'tracker.filled', 'tracker.emptied'],
      conflicts: { too_many_trackers: `The ${noun} already has 100 trackers`, ...RULED },
      recheck: ({ db, params, reply, ...context }) => recheckDefinitions(db, context, [reply]),
      run: ({ db, params, body, ...context }) => setTracker(db, context, params.key, body),
    }),
    operation({
      id: `${id}.update`,
      method: 'PATCH',
      path: one,
      needs,
      summary: `Change a tracker of a ${noun}`,
      description:
        'A `start` that equals `maximum` follows a new `maximum`. A `visibility` other than OPEN sets `movable_by` to STORYTELLER. Use `adjust` to move the value: it does not lose concurrent moves.',
      body: TrackerPatch,
      reply: [200, Tracker],
      emits: ['tracker.updated', 'tracker.filled', 'tracker.emptied'],
      conflicts: RULED,
      recheck: ({ db, params, reply, ...context }) => recheckDefinitions(db, context, [reply]),
      run: ({ db, params, body, ...context }) => updateTracker(db, context, params.key, body),
    }),
    operation({
      id: `${id}.delete`,
      method: 'DELETE',
      path: one,
      needs,
      summary: `Remove a tracker of a ${noun}`,
      description: 'The tracker is removed for good. It cannot be restored.',
      reply: [204],
      emits: ['tracker.deleted'],
      conflicts: RULED,
      run: ({ db, params, ...context }) => removeTracker(db, context, params.key),
    }),
    operation({
      id: `${id}.adjust`,
      method: 'POST',
      path: below(one, 'adjust'),
      needs: { key: 'USER' },
      summary: `Move a tracker of a ${noun}`,
      description: `Adds to the value, or sets it. All of several concurrent adjustments count, and the value never leaves its range. ${MOVERS}`,
      body: TrackerAdjust,
      reply: [200, Tracker],
      emits: ['tracker.adjusted', 'tracker.filled', 'tracker.emptied'],
      conflicts: OUT_OF_RANGE,
      recheck: ({ db, params, ...context }) => recheckMove(db, context, [params.key]),
      run: ({ db, params, body, ...context }) => adjustTracker(db, context, params.key, body),
    }),
  ]
}

const adjust = operation({
  id: 'characters.adjust',
  method: 'POST',
  path: below(sheetPath, 'adjust'),
  needs: { key: 'USER', may: mayAdjust },
  summary: 'Raise or lower several traits and trackers of a character',
  description:
    'Adds to the current values, to all of them or to none. All of several concurrent adjustments count. The reply has the trackers that the request names. Each changed trait and tracker has an event of its own.',
  body: CharacterAdjust,
  reply: [200, AdjustedCharacter],
  emits: ['character.adjusted', 'tracker.adjusted', 'tracker.filled', 'tracker.emptied', 'tracker.created', 'tracker.updated'],
  conflicts: OUT_OF_RANGE,
  recheck: ({ db, body, reply, ...context }) => recheckAdjustment(db, context, body, reply),
  run: ({ db, body, ...context }) => adjustCharacter(db, context, body),
})

export const trackers = resource(
  {
    'Campaign trackers': 'Clocks and other numbers of a campaign, open or hidden from players',
    'Character trackers': 'Hit points, hunger, stress and other numbers of a character that move during play',
  },
  [...OWNERS.flatMap(operationsFor), adjust],
)
