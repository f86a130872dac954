/** Makes a function on its first call, so that the start of the service does not wait for it. */
export function lazy<Args extends unknown[], Result>(make: () => (...args: Args) => Result): (...args: Args) => Result {
  let created: ((...args: Args) => Result) | undefined
  return (...args) => {
    created ??= make()
    return created(...args)
  }
}
