import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'

/** The width of the light edge that readers need, in modules. */
const QUIET = 4

/** A link as a QR code, for the camera of a phone. It is drawn in the page: no other service learns the link. */
export function Qr({ of, label, hint }: { of: string; label: string; hint?: string }) {
  // Level M is still read if 15 % of it is covered.
  const { data, size: modules } = useMemo(() => encode(of, { ecc: 'M', border: 0 }), [of])
  const size = modules + 2 * QUIET
  return (
    <figure class="qr">
      <svg role="img" aria-label={label} viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`} shape-rendering="crispEdges">
        <path d={outlineOf(data)} />
      </svg>
      {hint && <figcaption class="hint">{hint}</figcaption>}
    </figure>
  )
}

/** The dark modules as one path: a rectangle for each run in a row. */
const outlineOf = (code: boolean[][]) =>
  code
    .flatMap((row, y) =>
      [...row.map(Number).join('').matchAll(/1+/g)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`),
    )
    .join('')
