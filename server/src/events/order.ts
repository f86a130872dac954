/** An event that has no position yet. */
export interface Waiting {
  company_id: string
  id: string
  resource_id: string
  /** The version of the resource that the event led to; null if the resource has none. */
  version: number | null
}

const byId = (a: Waiting, b: Waiting) => (a.id < b.id ? -1 : 1)

/**
 * Orders the events of a company. Ids sort by time, but the clocks of two processes differ: events of one resource take the places that their ids
 * have, in the order of their versions.
 */
export function inOrder(events: Waiting[]): Waiting[] {
  const sorted = [...events].sort(byId)
  const places = new Map<string, number[]>()
  for (const [place, { resource_id, version }] of sorted.entries()) {
    if (version === null) continue
    const known = places.get(resource_id)
    if (known) known.push(place)
    else places.set(resource_id, [place])
  }
  const ordered = [...sorted]
  for (const ofResource of places.values()) {
    if (ofResource.length === 1) continue
    const versions = ofResource.map((place) => sorted[place] as Waiting)
    // The sort is stable: several events of one change, which have the same version, stay in the order of their ids.
    versions.sort((a, b) => (a.version as number) - (b.version as number))
    for (const [i, place] of ofResource.entries()) ordered[place] = versions[i] as Waiting
  }
  return ordered
}
