/** A generator of numbers that gives the same ones for the same seed (mulberry32). The seed of a run is printed: TEST_SEED=... repeats it. */
export function randomOf(seed = Number(process.env.TEST_SEED)) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  const below = (count: number) => Math.floor(next() * count)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T
  return { next, below, pick }
}
