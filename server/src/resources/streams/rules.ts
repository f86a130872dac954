import { administers } from '../../core/access.ts'
import { NOBODY } from '../../core/ids.ts'
import type { Viewer } from '../campaigns/across.ts'

/** Readers who are told the same about some events. */
export interface ReaderClass {
  key: string
  /** The reader for whom the events are read. */
  viewer: Viewer
  /** The acting user of the viewer, if that is nobody in particular. */
  shared_id?: string
}

/**
 * The class of a reader for some events. A user who has a part in them is a class of their own. All others of a role share one, which is read for a user who
 * does not exist: nothing that somebody sees because of who they are can get into it. Players in the same campaigns share one, too: the memberships of one of
 * them open private campaigns to it, and nothing else, because only a higher role in the company makes a storyteller. `parts` are the parts of the reader in
 * the campaigns of the events. Keys without an acting user see the same if their permissions are the same.
 */
export function classOf(viewer: Viewer, hasPart: boolean, parts: string | null): ReaderClass {
  const { company_id, actor, permission } = viewer
  if (!actor) return { key: `key ${permission}`, viewer }
  // The permission of the key of an acting user matters only for grants and webhooks.
  const rights = administers(viewer) ? 'administers' : ''
  if (hasPart || (parts !== null && actor.role !== 'PLAYER')) return { key: `user ${actor.id} ${actor.role} ${rights}`, viewer }
  const nobody: Viewer = { company_id, permission: rights ? 'ADMIN' : 'USER', actor: { ...actor, id: NOBODY, name: '' } }
  if (parts !== null)
    return { key: `members ${parts} ${actor.role} ${rights}`, viewer: { ...nobody, member_id: actor.id }, shared_id: NOBODY }
  return { key: `role ${actor.role} ${rights}`, viewer: nobody, shared_id: NOBODY }
}
