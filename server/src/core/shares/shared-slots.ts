import type { Holder } from './holder.ts'

interface Slot {
  giveBack(): void
}

interface Part {
  /** In the order in which they were taken. */
  slots: Set<Slot>
}

interface Tenant {
  count: number
  parts: Map<string, Part>
}

/**
 * A fixed number of slots that are held for long, in fair shares (max-min fairness). Any holder takes what is free. When nothing is free, the holder with the most
 * gives its newest slot back to one that has at least two fewer: first among the tenants, then among the parts of one tenant. So slots that pass from one
 * holder to another only make their numbers more equal, and nothing passes back and forth.
 */
export class SharedSlots {
  readonly #max: number
  readonly #tenants = new Map<string, Tenant>()
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  get count(): number {
    return this.#count
  }

  get isFull(): boolean {
    return this.#count >= this.#max
  }

  /** True if nothing is free, and nobody has to give a slot back to this holder. */
  refuses(holder: Holder): boolean {
    return this.isFull && !this.#giverTo(holder)
  }

  /**
   * Takes a slot for a holder who is not refused. `giveBack` is called at most once, if the slot has to be given back: it is another holder's by then. Returns the function
   * that releases the slot, which does nothing from the second call on, or after it was given back.
   */
  take(holder: Holder, giveBack: () => void): () => void {
    const given = this.isFull ? this.#takeBackFor(holder) : undefined
    const slot = { giveBack }
    this.#add(holder, slot)
    given?.giveBack()
    return () => this.#remove(holder, slot)
  }

  #takeBackFor(holder: Holder): Slot {
    const giver = this.#giverTo(holder)
    if (!giver) throw new Error('The holder of a slot was refused.')
    const slot = [...(this.#tenants.get(giver[0])?.parts.get(giver[1])?.slots ?? [])].at(-1) as Slot
    this.#remove(giver, slot)
    return slot
  }

  /** The holder whose newest slot this one would get. */
  #giverTo([tenant, part]: Holder): Holder | undefined {
    const own = this.#tenants.get(tenant)
    const [largest, { count, parts }] = largestOf(this.#tenants, ({ count }) => count)
    if (count > (own?.count ?? 0) + 1) return [largest, largestOf(parts, sizeOf)[0]]
    if (!own) return undefined
    const [largestPart, { slots }] = largestOf(own.parts, sizeOf)
    return slots.size > (own.parts.get(part)?.slots.size ?? 0) + 1 ? [tenant, largestPart] : undefined
  }

  #add([tenant, part]: Holder, slot: Slot): void {
    const own = getOrAdd(this.#tenants, tenant, () => ({ count: 0, parts: new Map() }))
    getOrAdd(own.parts, part, () => ({ slots: new Set() })).slots.add(slot)
    own.count++
    this.#count++
  }

  #remove([tenant, part]: Holder, slot: Slot): void {
    const own = this.#tenants.get(tenant)
    const slots = own?.parts.get(part)?.slots
    if (!own || !slots?.delete(slot)) return
    this.#count--
    if (slots.size === 0) own.parts.delete(part)
    if (--own.count === 0) this.#tenants.delete(tenant)
  }
}

const sizeOf = ({ slots }: Part) => slots.size

/** The entry with the highest number; the first one of several. */
function largestOf<T>(entries: Map<string, T>, numberOf: (value: T) => number): [string, T] {
  return [...entries].reduce((largest, entry) => (numberOf(entry[1]) > numberOf(largest[1]) ? entry : largest))
}

function getOrAdd<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known) return known
  const made = make()
  map.set(key, made)
  return made
}
