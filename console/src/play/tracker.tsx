import type { Tracker as TrackerData } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { IconButton } from '../ui/button.tsx'
import { Secret } from '../ui/marks.tsx'
import { text } from './text.ts'

interface TrackerProps {
  tracker: TrackerData
  /** Moves the value. Without it, the tracker is only shown. */
  onMove?: ((change: { by: number } | { to: number }) => void) | undefined
  busy?: boolean
  /** The amount by which one press moves the value. */
  step?: number
  /** A control between minus and plus, for example for the amount. */
  between?: ComponentChildren
}

/** A tracker with more steps than this is shown as a number. */
const MAX_DRAWN = 12

/** A tracker as its style wants: a number, boxes to press, or a clock. */
export function Tracker({ tracker, onMove, busy = false, step = 1, between }: TrackerProps) {
  const { label, value, maximum, minimum, style, visibility } = tracker
  const isDrawn = maximum !== null && minimum === 0 && maximum <= MAX_DRAWN && value !== null
  return (
    <div class={`tracker as-${style.toLowerCase()}`} data-key={tracker.key} aria-busy={busy || undefined}>
      <span class="tracker-label">
        {label}
        {visibility === 'STORYTELLER' && <Secret />}
        {visibility === 'NAME_ONLY' && <Secret>{text.tracker.hidden}</Secret>}
      </span>
      {style === 'CLOCK' && isDrawn && <Clock value={value} maximum={maximum} label={label} />}
      {style === 'BOXES' && isDrawn ? (
        <Boxes tracker={tracker} value={value} maximum={maximum} onMove={onMove} />
      ) : (
        <span class="tracker-value">
          <span class="visually-hidden">{text.tracker.value(label, value, maximum)}</span>
          <span aria-hidden="true">{value === null ? '?' : maximum === null ? value : `${value} / ${maximum}`}</span>
        </span>
      )}
      {onMove && !(style === 'BOXES' && isDrawn) && (
        <span class="tracker-buttons">
          <IconButton
            label={text.tracker.lower(label, step)}
            icon="minus"
            disabled={value !== null && value <= minimum}
            onClick={() => onMove({ by: -step })}
          />
          {between}
          <IconButton
            label={text.tracker.raise(label, step)}
            icon="plus"
            disabled={value !== null && maximum !== null && value >= maximum}
            onClick={() => onMove({ by: step })}
          />
        </span>
      )}
    </div>
  )
}

interface BoxesProps {
  tracker: TrackerData
  value: number
  maximum: number
  onMove: TrackerProps['onMove']
}

/** Boxes that are filled one by one. Pressing the last full one empties it. */
function Boxes({ tracker: { label }, value, maximum, onMove }: BoxesProps) {
  return (
    <fieldset class="boxes">
      <legend class="visually-hidden">{text.tracker.value(label, value, maximum)}</legend>
      {Array.from({ length: maximum }, (_, index) => {
        const next = index + 1 === value ? index : index + 1
        return (
          <button
            key={index}
            type="button"
            class={index < value ? 'box full' : 'box'}
            disabled={!onMove}
            aria-label={text.tracker.setTo(label, next)}
            onClick={() => onMove?.({ to: next })}
          />
        )
      })}
    </fieldset>
  )
}

const RADIUS = 20

/** A circle in as many segments as the tracker has steps. */
function Clock({ value, maximum, label }: { value: number; maximum: number; label: string }) {
  const point = (step: number) => {
    const angle = (step / maximum) * 2 * Math.PI
    return `${(24 + RADIUS * Math.sin(angle)).toFixed(2)} ${(24 - RADIUS * Math.cos(angle)).toFixed(2)}`
  }
  return (
    <svg class="clock" viewBox="0 0 48 48" width="56" height="56" role="img" aria-label={text.tracker.value(label, value, maximum)}>
      {Array.from({ length: maximum }, (_, index) => (
        <path
          key={index}
          class={index < value ? 'full' : undefined}
          d={
            maximum === 1
              ? 'M24 4a20 20 0 1 1 0 40 20 20 0 1 1 0-40'
              : `M24 24L${point(index)}A${RADIUS} ${RADIUS} 0 ${maximum === 2 ? 1 : 0} 1 ${point(index + 1)}Z`
          }
        />
      ))}
    </svg>
  )
}
