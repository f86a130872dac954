/** A function that is made when it is first called: a start need not wait for what may never be asked. */
export function lazy<Args extends unknown[], Result>(make: () => (...args: Args) => Result): (...args: Args) => Result {
  let made: ((...args: Args) => Result) | undefined
  return (...args) => {
    made ??= make()
    return made(...args)
  }
}
