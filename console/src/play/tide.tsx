import type { ComponentChildren } from 'preact'

const STEPS = [8, 13, 18, 24, 29]
const HEIGHT = 30
/** The highest danger, and the highest desperation. */
export const MAX_TIDE: number = STEPS.length

/** Danger or desperation as a tide of five. */
function Tide({ value, label, isDespair }: { value: number; label: string; isDespair: boolean }) {
  return (
    <svg
      class={isDespair ? 'tide despair' : 'tide'}
      viewBox={`0 0 44 ${HEIGHT}`}
      role="img"
      aria-label={`${label}: ${value} of ${MAX_TIDE}`}
    >
      {STEPS.map((height, index) => (
        <rect
          key={height}
          class={index < value ? 'full' : undefined}
          x={index * 9 + 0.5}
          y={HEIGHT - height - 0.5}
          width="7"
          height={height}
          rx="2"
        />
      ))}
    </svg>
  )
}

interface GaugeProps {
  value: number
  label: string
  isDespair?: boolean
  /** The buttons before and after it. */
  less?: ComponentChildren
  more?: ComponentChildren
}

/** A tide with its number and its name. */
export function Gauge({ value, label, isDespair = false, less, more }: GaugeProps) {
  return (
    <div class="gauge">
      {less}
      <Tide value={value} label={label} isDespair={isDespair} />
      <p class="gauge-name" aria-hidden="true">
        <b>
          {value} / {MAX_TIDE}
        </b>
        {label}
      </p>
      {more}
    </div>
  )
}
