/** The kinds of persons who sign in: users play, developers administer. */
export type Person = 'user' | 'developer'

// The code of a user's link names its company and its user, and is therefore longer than that of a developer.
const FORMATS: readonly (readonly [Person, RegExp])[] = [
  ['user', /^gll_[0-9A-Za-z]{80}$/],
  ['developer', /^gll_[0-9A-Za-z]{36}$/],
]

/** Returns the kind of person whom the code of a sign-in link is for, or undefined for a code that is not complete. */
export const personOfCode = (code: string): Person | undefined => FORMATS.find(([, format]) => format.test(code))?.[0]
