const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const ROUGH = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })

/** The smallest share that a percentage with one decimal can show. */
const MIN_SHOWN = 0.0005

/** A probability as a percentage. Only an impossible event has 0%, and only a certain one 100%. */
export function percent(value: number): string {
  if (value > 0 && value < MIN_SHOWN) return '<0.1%'
  if (value < 1 && value > 1 - MIN_SHOWN) return '>99.9%'
  return PERCENT.format(value)
}

/** The tolerance for rounding errors of long sums. */
const ROUNDING = 1e-9

/** A probability as people say it: how often something happens. */
export function howOften(value: number): string {
  if (value <= ROUNDING) return 'never'
  if (value >= 1 - ROUNDING) return 'always'
  if (value > 0.995) return 'almost always'
  if (value >= 0.905) return `about ${Math.round(value * 100)} times in 100`
  if (value >= 0.475 && value <= 0.525) return 'about half the time'
  if (value >= 0.15) return `about ${Math.round(value * 10)} times in 10`
  return `about once in ${ROUGH.format(1 / value)}`
}
