/** The value of a record under a name, and never one of its prototype: documents may use names such as `constructor`. */
export const own = <Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  values && Object.hasOwn(values, name) ? values[name] : undefined
