/** A set of names. */
export interface Names extends Iterable<string> {
  has(name: string): boolean
}

/** Everything that a formula may name. */
export interface Scope {
  /** Whole numbers, such as `strength`, `hp.max` or `class.hit_die`. */
  numbers: Names
  tables: ReadonlySet<string>
  /** The traits in each group and with each tag. */
  groups: ReadonlyMap<string, readonly string[]>
  /** The options of each slot, and of each input of a roll that is chosen. */
  choices: ReadonlyMap<string, ReadonlySet<string>>
  /** The groups of dice that have been rolled. Without them, a formula cannot ask about dice. */
  dice?: ReadonlySet<string>
}

/** Returns advice about an unknown name, such as `: did you mean strength?`, or an empty text. */
export type Suggest = (name: string, known: Iterable<string>) => string

/** Names on top of others. They are not copied, because each value of each roll adds one. */
function addedTo(names: Names, more: ReadonlySet<string>): Names {
  return {
    has: (name) => more.has(name) || names.has(name),
    *[Symbol.iterator]() {
      yield* names
      yield* more
    },
  }
}

export const withNumbers = (scope: Scope, ...more: string[]): Scope => ({ ...scope, numbers: addedTo(scope.numbers, new Set(more)) })
