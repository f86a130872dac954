interface Entry<T> {
  tenant: string
  value: T
  size: number
}

/**
 * A cache with a limit, in which a tenant cannot push out what others use (max-min fairness). When it is full, the tenant who takes the most gives up the entry that it has not
 * used for longest, so that a tenant who takes no more than an even share keeps everything.
 */
export class SharedCache<T> {
  readonly #max: number
  readonly #entries = new Map<string, Entry<T>>()
  /** The keys of each tenant, the last used one at the end, and the sum of their sizes. */
  readonly #tenants = new Map<string, { keys: Set<string>; size: number }>()
  #size = 0

  constructor(max: number) {
    this.#max = max
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    if (!entry) return undefined
    const { keys } = this.#tenants.get(entry.tenant) as { keys: Set<string> }
    keys.delete(key)
    keys.add(key)
    return entry.value
  }

  /** Sets an entry. Its size is counted in the unit of the limit. */
  set(tenant: string, key: string, value: T, size = 1): void {
    this.delete(key)
    const own = this.#tenants.get(tenant) ?? { keys: new Set(), size: 0 }
    this.#tenants.set(tenant, own)
    this.#entries.set(key, { tenant, value, size })
    own.keys.add(key)
    own.size += size
    this.#size += size
    while (this.#size > this.#max) this.delete(this.#leastUsedOfLargest())
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    const { tenant, size } = entry
    const own = this.#tenants.get(tenant) as { keys: Set<string>; size: number }
    this.#entries.delete(key)
    own.keys.delete(key)
    own.size -= size
    this.#size -= size
    if (own.keys.size === 0) this.#tenants.delete(tenant)
  }

  #leastUsedOfLargest(): string {
    const [first, ...others] = this.#tenants.values()
    if (!first) throw new Error('An empty cache is full.')
    const { keys } = others.reduce((largest, each) => (each.size > largest.size ? each : largest), first)
    return keys.values().next().value as string
  }
}
