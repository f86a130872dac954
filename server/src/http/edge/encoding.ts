import { weightedValues } from '../../core/quality-values.ts'

/**
 * Chooses the content coding of a response by the Accept-Encoding of its request; undefined for none. Of codings with the same weight the first one that is offered
 * wins. A request without the header gets none, although it would accept any: its client might not be able to decode.
 */
export function negotiate<Coding extends string>(acceptEncoding: string | undefined, offered: readonly Coding[]): Coding | undefined {
  if (!acceptEncoding) return undefined
  const weights = new Map<string, number>()
  for (const { value, quality } of weightedValues(acceptEncoding)) {
    // Two names of one coding (RFC 9110, 8.4.1.3).
    const coding = value === 'x-gzip' ? 'gzip' : value
    // An element that cannot be understood is no wish.
    if (quality !== undefined && !weights.has(coding)) weights.set(coding, quality)
  }
  const others = weights.get('*') ?? 0
  let [best, most] = [undefined as Coding | undefined, 0]
  for (const coding of offered) {
    const weight = weights.get(coding) ?? others
    if (weight > most) [best, most] = [coding, weight]
  }
  // Unless the client says so, it does not prefer the response without a coding.
  return most >= (weights.get('identity') ?? 0) ? best : undefined
}
