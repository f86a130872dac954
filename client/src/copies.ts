// Keeps copies of resources up to date with the events of the feed, a stream or webhooks. Of the client, it imports only types.
import type { FeedItem } from './generated.ts'

/** A resource that an application keeps a copy of. */
export interface Copy {
  id: string
  campaign_id?: string | null | undefined
  version?: number | undefined
  date_created?: string | undefined
}

/** The parts of an event that say what to do with copies. */
export interface CopyChange extends Pick<FeedItem, 'campaign_id'> {
  data: Pick<FeedItem['data'], 'change' | 'id'> & { resource_type: string; resource: object | null }
}

/**
 * A type, and the key of what belongs to a resource of it and names it, in a field such as `character_id`. Much names a user or a version of a ruleset and does not belong to
 * it: of a user, only the memberships do.
 */
const PART = /^((company|campaign|character|book|chapter|ruleset) |user member )/

/** The key of a copy. A member has the id of its user, in every campaign. */
export const copyKey = (type: string, { id, campaign_id }: Copy): string => `${type} ${id}${type === 'member' ? ` ${campaign_id}` : ''}`

/** True if a copy is newer than a resource. A member who left and came back is another one, whose versions begin with 1 again. */
const isNewer = (copy: Copy, resource: Copy) => copy.date_created === resource.date_created && (copy.version ?? 0) > (resource.version ?? 0)

/** Deletes everything that belongs to a resource, and what belongs to that. Returns true if there was any. */
function deleteParts(copies: Map<string, Copy>, key: string): boolean {
  const parents = [key]
  // The loop comes to the keys that it adds.
  for (const parent of parents) {
    const [type, id] = parent.split(' ')
    for (const [part, copy] of copies)
      if (copy[`${type}_id` as keyof Copy] === id && PART.test(`${type} ${part}`)) {
        copies.delete(part)
        parents.push(part)
      }
  }
  return parents.length > 1
}

/**
 * Does to copies what an event says, and returns true if they changed:
 *
 * - UPSERT puts its resource in the place of the copy, unless the copy is newer. A list that was just read may be ahead of the events.
 * - REMOVE deletes the copy and everything that belongs to it, whatever their versions are: a change that hides a resource has none.
 * - RESYNC puts its resource as UPSERT does, and deletes everything that belongs to it. Read the lists of that before you apply the next event.
 *
 * A resource that is left out because it is large changes nothing. Read it by its `path`, and apply the event with it.
 */
export function applyChange<T extends Copy>(
  copies: Map<string, T>,
  { campaign_id, data: { change, resource_type, id, resource } }: CopyChange,
): boolean {
  const key = copyKey(resource_type, { id, campaign_id })
  const known = copies.get(key)
  const next = resource as unknown as T | null
  const hadParts = change !== 'UPSERT' && deleteParts(copies, key)
  if (change === 'REMOVE') copies.delete(key)
  else if (next && !(known && isNewer(known, next))) copies.set(key, next)
  return hadParts || copies.get(key) !== known
}
