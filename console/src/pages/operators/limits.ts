/** A rate limit of the service, and the requests that remain in its window. */
export interface Policy {
  name: string
  quota: number
  window: number
  left: number | undefined
}

const partsOf = (header: string | null) => (header ?? '').split(',').flatMap((part) => (part.trim() ? [part.trim()] : []))
const parameterOf = (part: string, name: string) => {
  const value = new RegExp(`;\\s*${name}=(\\d+)`).exec(part)?.[1]
  return value === undefined ? undefined : Number(value)
}
const nameOf = (part: string) => /^"([^"]*)"/.exec(part)?.[1]

/** Reads the limits from the headers RateLimit-Policy and RateLimit of a reply. */
export function policiesIn(headers: Headers | undefined): Policy[] {
  const left = new Map(partsOf(headers?.get('ratelimit') ?? null).map((part) => [nameOf(part), parameterOf(part, 'r')]))
  return partsOf(headers?.get('ratelimit-policy') ?? null).flatMap((part) => {
    const [name, quota, window] = [nameOf(part), parameterOf(part, 'q'), parameterOf(part, 'w')]
    return name && quota !== undefined && window !== undefined ? [{ name, quota, window, left: left.get(name) }] : []
  })
}
