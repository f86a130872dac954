import type { Db, Tx } from '../../db/client.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import { characterFor, characters, refuseSheetReplay } from '../characters/queries.ts'
import { refuseBroken } from '../characters/ruled-sheet.ts'
import type { Character } from '../characters/schema.ts'
import { moveTrackers, recheckMove, type TrackerContext } from './queries.ts'
import { followSheet } from './ruled.ts'
import { adjustedTraits, movedTo, moveEvents, refuseNothing, shownTo, traitChanges } from './rules.ts'
import type { CharacterAdjust } from './schema.ts'

type Context = TrackerContext & { character: NonNullable<TrackerContext['character']> }

const seenIn = (context: Context) => characters.seenBy(sightIn(context))
const scopeOf = ({ actor, campaign, character }: Context) => ({ company_id: actor.company_id, campaign_id: campaign.id, id: character.id })

/** The patch is a merge patch: traits that it does not name keep their values. */
async function adjustTraits(db: Tx, context: Context, deltas: Record<string, number>, clamp: boolean) {
  const change = await seenIn(context).update(db, scopeOf(context), ({ traits }) => ({ traits: adjustedTraits(traits, deltas, clamp) }))
  await refuseBroken(db, context, change.before, change.after)
  return change
}

/** Adds to several traits and trackers of a character: to all of them, or, if one cannot be changed, to none. */
export async function adjustCharacter(db: Tx, context: Context, body: CharacterAdjust) {
  refuseNothing(body)
  const { traits, trackers, clamp, reason } = body
  // Every transaction locks a character before its trackers.
  const change = traits && (await adjustTraits(db, context, traits, clamp))
  const followed = change ? await followSheet(db, context, change.after) : []
  const moved = trackers
    ? await moveTrackers(db, context, Object.keys(trackers), (row) => movedTo(row, { by: trackers[row.key] as number, clamp }))
    : []
  const character = change ? characterFor(context, change.after) : await seenIn(context).get(db, scopeOf(context))
  const traitEvents = (change ? traitChanges(change) : []).map((one) => ({
    ...one,
    type: 'character.adjusted' as const,
    ...(reason !== undefined && { reason }),
  }))
  const reply = { ...character, trackers: moved.map(({ after }) => shownTo(context.campaign)(after)) }
  // No change is the main one, so each has a side event.
  return { before: null, after: null, reply, sideEvents: [...traitEvents, ...followed, ...moveEvents(moved, reason)] }
}

/** Repeats the checks of the sheet and the trackers before the reply is replayed. */
export async function recheckAdjustment(db: Db, context: Context, { trackers }: CharacterAdjust, reply: Character): Promise<void> {
  await refuseSheetReplay(db, context, reply)
  if (trackers) await recheckMove(db, context, Object.keys(trackers))
}
