import type { WriteOptions } from '@guildhall/client'

/** The metadata by which a repeated setup finds the resources of an earlier run. */
const MARK = 'guildhall_setup'

interface Marked {
  metadata: Record<string, string>
}

/** True if the setup made this resource for this key. */
export const isMarked = (resource: Marked, key: string): boolean => resource.metadata[MARK] === key

/** Metadata that marks a resource. */
export const markOf = (key: string): Record<string, string> => ({ [MARK]: key })

/**
 * Makes a resource once, however often and in however many tabs the setup runs. Resources of an earlier run are found by their metadata. Runs at the same time send the same
 * Idempotency-Key, for which the service executes one of them.
 */
export async function once<T extends Marked>(
  existing: readonly T[],
  key: string,
  make: (metadata: Record<string, string>, options: WriteOptions) => Promise<T>,
): Promise<T> {
  return existing.find((resource) => isMarked(resource, key)) ?? make(markOf(key), onceOptions(key))
}

/** The options of a request that several runs of the setup may send. */
export const onceOptions = (key: string): WriteOptions => ({ idempotencyKey: `setup ${key}` })
