import type { Tracker as TrackerData } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { Icon } from '../ui/icon.tsx'
import { Secret } from '../ui/marks.tsx'
import { Clock } from './clock.tsx'
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
  /** The place around the tracker says that it is secret. */
  isMarked?: boolean
}

/** With more steps than these, boxes and clocks are drawn as a bar. */
const MAX_BOXES = 10
const MAX_SEGMENTS = 12

/** A tracker between less and more, as its style wants: a number with a bar, boxes to press, or a clock. */
export function Tracker({ tracker, onMove, busy = false, step = 1, between, isMarked = false }: TrackerProps) {
  const { key, label, value, maximum, minimum, style, visibility } = tracker
  const hasRange = maximum !== null && value !== null && maximum > minimum
  const isWhole = hasRange && minimum === 0
  const marks = !isMarked && (
    <>
      {visibility === 'STORYTELLER' && <Secret />}
      {visibility === 'NAME_ONLY' && <Secret>{text.tracker.hidden}</Secret>}
    </>
  )
  const less = onMove && (
    <Step
      label={text.tracker.lower(label, step)}
      icon="minus"
      disabled={value !== null && value <= minimum}
      onPress={() => onMove({ by: -step })}
    />
  )
  const more = onMove && (
    <Step
      label={text.tracker.raise(label, step)}
      icon="plus"
      disabled={value !== null && maximum !== null && value >= maximum}
      onPress={() => onMove({ by: step })}
    />
  )
  const attributes = { 'data-key': key, 'aria-busy': busy || undefined }
  if (style === 'CLOCK' && isWhole && maximum <= MAX_SEGMENTS)
    return (
      <div class={visibility === 'STORYTELLER' ? 'clock secret' : 'clock'} {...attributes}>
        <span class="clock-face">
          <Clock value={value} maximum={maximum} label={label} />
          <b class="tracker-value" aria-hidden="true">{`${value} / ${maximum}`}</b>
        </span>
        <p>
          {label} {marks}
        </p>
        {onMove && (
          <span class="clock-steps">
            {less}
            {between}
            {more}
          </span>
        )}
      </div>
    )
  const isBoxes = style === 'BOXES' && isWhole && maximum <= MAX_BOXES
  return (
    <div class="tracker" {...attributes}>
      {less}
      <div class="tracker-middle">
        <p class="tracker-line">
          <span>
            {label} {marks}
          </span>
          {between}
          <span class="tracker-value" aria-hidden="true">
            <b>{value ?? '?'}</b>
            {value !== null && maximum !== null && ` / ${maximum}`}
          </span>
        </p>
        {isBoxes && <Boxes tracker={tracker} value={value} maximum={maximum} onMove={onMove} />}
        {!isBoxes && hasRange && <Bar tracker={tracker} share={(value - minimum) / (maximum - minimum)} />}
        {!isBoxes && !hasRange && <span class="visually-hidden">{text.tracker.value(label, value, maximum)}</span>}
      </div>
      {more}
    </div>
  )
}

interface StepProps {
  label: string
  icon: 'minus' | 'plus'
  disabled?: boolean
  busy?: boolean
  onPress: () => void
}

/** A round button next to a number: less on the left, more on the right. */
export function Step({ label, icon, disabled = false, busy = false, onPress }: StepProps) {
  return (
    <button
      type="button"
      class="round"
      aria-label={label}
      title={label}
      disabled={disabled}
      aria-busy={busy || undefined}
      onClick={() => !busy && onPress()}
    >
      <Icon name={icon} />
    </button>
  )
}

/** From these shares down, a bar runs low. */
const [LOW, VERY_LOW] = [0.5, 0.25]

/** A bar. What it was follows behind what it is, so that one sees the wound. */
function Bar({ tracker: { label, value, maximum }, share }: { tracker: TrackerData; share: number }) {
  const tone = share <= VERY_LOW ? ' very-low' : share <= LOW ? ' low' : ''
  const width = `${Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 10}%`
  return (
    <svg class={`bar${tone}`} role="img" aria-label={text.tracker.value(label, value, maximum)}>
      <rect class="bar-was" width={width} height="100%" />
      <rect class="bar-now" width={width} height="100%" />
    </svg>
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
