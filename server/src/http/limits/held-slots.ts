import type { Caller } from '../caller.ts'

/**
 * The names that a stream or a waiting request of a caller counts for. With a key these are the developer and the acting user. With a user token it is
 * only the user: the players of one application must not use up what its developer may have.
 */
export function slotHoldersOf({ developer, token, actor }: Caller): string[] {
  if (!actor) return [developer.id]
  return token ? [actor.id] : [developer.id, actor.id]
}

/** Counts what each caller keeps open: streams, or requests that wait. */
export class HeldSlots {
  readonly #countByHolder = new Map<string, number>()

  of(holder: string | undefined): number {
    return (holder && this.#countByHolder.get(holder)) || 0
  }

  take(holders: string[]): void {
    for (const holder of holders) this.#countByHolder.set(holder, this.of(holder) + 1)
  }

  release(holders: string[]): void {
    for (const holder of holders) {
      const count = this.of(holder) - 1
      if (count > 0) this.#countByHolder.set(holder, count)
      else this.#countByHolder.delete(holder)
    }
  }
}
