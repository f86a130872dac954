import assert from 'node:assert/strict'

/**
 * Tries every way the dice can fall, one by one: each branch of the roll, weighted by its probability. Dice that explode without end need a
 * `least` probability, below which a branch is left out.
 */
export function bruteForce(roll: (draw: ((sides: number) => number) & { used: number }) => number, least = 0): Map<number, number> {
  const found = new Map<number, number>()
  const walk = (path: number[]): void => {
    let weight = 1
    let drawn = 0
    let open = 0
    const draw = Object.assign(
      (sides: number) => {
        const face = path[drawn++]
        if (face === undefined) {
          open = sides
          throw new Error('more')
        }
        weight /= sides
        return face
      },
      { used: 0 },
    )
    try {
      const value = roll(draw)
      found.set(value, (found.get(value) ?? 0) + weight)
    } catch (error) {
      if (!open) throw error
      if (weight >= least) for (let face = 0; face < open; face++) walk([...path, face])
    }
  }
  walk([])
  return found
}

/** Fails unless both have the same probabilities, up to what is missing from the expected ones, and the actual ones sum to 1. */
export function agree(actual: Map<number, number>, expected: Map<number, number>, label: string) {
  const missing = Math.max(0, 1 - [...expected.values()].reduce((a, b) => a + b, 0))
  assert.ok(missing < 1e-6, `${label}: brute force leaves out ${missing}`)
  const values = new Set([...actual.keys(), ...expected.keys()])
  for (const value of values)
    assert.ok(
      Math.abs((actual.get(value) ?? 0) - (expected.get(value) ?? 0)) < missing + 1e-12,
      `${label}: ${value} is ${actual.get(value)}, not ${expected.get(value)}`,
    )
  const sum = [...actual.values()].reduce((a, b) => a + b, 0)
  assert.ok(Math.abs(sum - 1) < 1e-12, `${label}: ${sum}`)
}
