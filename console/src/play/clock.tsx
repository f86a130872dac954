import { text } from './text.ts'

const [CENTER, OUTER, INNER] = [50, 47, 22]
/** Half of the gap between two segments. */
const HALF_GAP = 2.6

/** The point at a distance from the center and an angle, moved by half a gap so that the sides of a gap are parallel. */
function point(radius: number, angle: number, side: 1 | -1): string {
  const turn = angle + (side * HALF_GAP) / radius
  return `${(CENTER + radius * Math.sin(turn)).toFixed(1)} ${(CENTER - radius * Math.cos(turn)).toFixed(1)}`
}

function segment(index: number, count: number): string {
  const [from, to] = [(index / count) * 2 * Math.PI, ((index + 1) / count) * 2 * Math.PI]
  // An arc of half a circle or more is the large one of the two between its ends.
  const isLarge = count < 2 ? 1 : 0
  return `M${point(OUTER, from, 1)}A${OUTER} ${OUTER} 0 ${isLarge} 1 ${point(OUTER, to, -1)}L${point(INNER, to, -1)}A${INNER} ${INNER} 0 ${isLarge} 0 ${point(INNER, from, 1)}z`
}

/** A ring in as many segments as the tracker has steps. */
export function Clock({ value, maximum, label }: { value: number; maximum: number; label: string }) {
  return (
    <svg viewBox="0 0 100 100" role="img" aria-label={text.tracker.value(label, value, maximum)}>
      {Array.from({ length: maximum }, (_, index) => (
        <path key={index} class={index < value ? 'full' : undefined} d={segment(index, maximum)} />
      ))}
    </svg>
  )
}
