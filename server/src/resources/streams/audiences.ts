import type { Db } from '../../db/client.ts'
import type { Viewer } from '../campaigns/across.ts'
import type { FeedEvent } from '../changes/rules.ts'
import { readChanges, type Shown } from '../changes/visible-changes.ts'
import type { Follower } from './follower.ts'
import { classOf, type ReaderClass } from './rules.ts'
import { fingerprintOf, type Standings } from './standings.ts'

/** A class of readers, and its followers. */
export interface Audience extends ReaderClass {
  followers: Follower[]
}

/** Groups followers by what they see. */
export function audiencesOf(
  readers: { follower: Follower; viewer: Viewer }[],
  standings: Standings,
  participants: Set<string>,
): Audience[] {
  const audiences = new Map<string, Audience>()
  for (const { follower, viewer } of readers) {
    const user_id = follower.user_id ?? ''
    const found = classOf(viewer, participants.has(user_id), standings.users.get(user_id)?.parts ?? null)
    const audience = audiences.get(found.key) ?? { ...found, followers: [] }
    audiences.set(found.key, audience)
    audience.followers.push(follower)
  }
  return [...audiences.values()]
}

/** The followers of an audience whose rights are not those with which something was read for it. */
export function changedIn({ followers, viewer: { member_id } }: Audience, before: Standings, after: Standings): Follower[] {
  const changed = followers.filter((follower) => fingerprintOf(follower, before) !== fingerprintOf(follower, after))
  // It was read with the memberships of this one.
  return member_id !== undefined && changed.some(({ user_id }) => user_id === member_id) ? followers : changed
}

export type ChangesOf = (ids: string[]) => Promise<Map<string, Shown>>

/** Reads the changes of a batch once for all audiences, and not before the first one needs them. */
export function changesOnce(db: Db, company_id: string, events: FeedEvent[]): ChangesOf {
  let shown: Promise<Map<string, Shown>> | undefined
  return async (ids) => {
    if (ids.length === 0) return new Map()
    shown ??= readChanges(
      db,
      company_id,
      events.map(({ id }) => id),
    )
    return shown
  }
}
