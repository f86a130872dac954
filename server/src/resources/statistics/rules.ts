/** Shares in percent with one decimal that add up to 100, by the largest-remainder method. All are 0 if the counts are. */
export function percentages(counts: number[]): number[] {
  const sum = counts.reduce((all, count) => all + count, 0)
  if (sum === 0) return counts.map(() => 0)
  const exact = counts.map((count) => (count * 1000) / sum)
  const tenths = exact.map(Math.floor)
  const missing = 1000 - tenths.reduce((all, share) => all + share, 0)
  const byRemainder = exact.map((share, i) => [share - Math.floor(share), i] as const).sort(([a, i], [b, j]) => b - a || i - j)
  for (const [, i] of byRemainder.slice(0, missing)) tenths[i] = (tenths[i] as number) + 1
  return tenths.map((share) => share / 10)
}

/** The mean with two decimals, or null if there is nothing to count. */
export const mean = (sum: number, count: number): number | null => (count === 0 ? null : Math.round((sum * 100) / count) / 100)

/** The logarithm of the gamma function by Stirling's series, from arguments of at least 10, where it is exact to the last digits. */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x)
  const square = 1 / (x * x)
  const series = (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / x
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series
}

const MIN_RELATIVE_STEP = 1e-15
const MAX_TERMS = 10_000

/** The upper regularized incomplete gamma function Q(a, x): by its series below a + 1, by its continued fraction above. */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a))
  if (x < a + 1) {
    let term = 1 / a
    let sum = term
    for (let n = 1; n < MAX_TERMS && term > sum * MIN_RELATIVE_STEP; n++) {
      term *= x / (a + n)
      sum += term
    }
    return 1 - scale * sum
  }
  let b = x + 1 - a
  let c = 1 / Number.MIN_VALUE ** 0.5
  let d = 1 / b
  let fraction = d
  for (let n = 1; n < MAX_TERMS; n++) {
    const a_n = -n * (n - a)
    b += 2
    d = 1 / (a_n * d + b)
    c = b + a_n / c
    fraction *= d * c
    if (Math.abs(d * c - 1) < MIN_RELATIVE_STEP) break
  }
  return scale * fraction
}

/** The chi-square test of faces against a uniform distribution, with the probability that fair dice deviate at least as much. */
export function chiSquare(faces: number[]): { chi_square: number; p_value: number } {
  const expected = faces.reduce((all, count) => all + count, 0) / faces.length
  if (expected === 0) return { chi_square: 0, p_value: 1 }
  const chi_square = faces.reduce((all, count) => all + (count - expected) ** 2 / expected, 0)
  const p_value = upperGamma((faces.length - 1) / 2, chi_square / 2)
  return { chi_square: round(chi_square), p_value: round(Math.min(Math.max(p_value, 0), 1)) }
}

const round = (value: number) => Number(value.toPrecision(6))

const DAY_MS = 86_400_000

/** The given number of dates in UTC up to and including today, earliest first. */
export const daysUntil = (today: Date, count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(today.getTime() - (count - 1 - i) * DAY_MS).toISOString().slice(0, 10))
