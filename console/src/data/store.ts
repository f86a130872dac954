import { useEffect, useState } from 'preact/hooks'

/** A value that components can follow. */
export class Store<T> {
  #value: T
  #listeners = new Set<() => void>()

  constructor(value: T) {
    this.#value = value
  }

  get(): T {
    return this.#value
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const listener of this.#listeners) listener()
  }

  update(change: (value: T) => T): void {
    this.set(change(this.#value))
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

/** The value of a store. The component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({})
  useEffect(() => {
    // The value may have changed between the first rendering and this effect.
    render({})
    return store.subscribe(() => render({}))
  }, [store])
  return store.get()
}
