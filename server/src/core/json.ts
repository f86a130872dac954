const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Serializes a value with sorted keys: equal values have equal texts. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
  return `{${pairs.join(',')}}`
}

/** Returns true if two JSON values are equal. The order of the keys does not matter. */
export const isSameJson = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && canonical(a) === canonical(b))

/** JSON Merge Patch (RFC 7396): null removes a key, objects merge, everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    // Assigning to `__proto__` would change the prototype instead of adding a key.
    else {
      const current = Object.hasOwn(merged, key) ? merged[key] : undefined
      Object.defineProperty(merged, key, { value: mergePatch(current, value), writable: true, enumerable: true, configurable: true })
    }
  }
  return merged
}

/** Returns the texts that differ from those of the other object. */
export const changedOnly = (texts: Record<string, string>, others: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([name, text]) => !Object.hasOwn(others, name) || others[name] !== text))
