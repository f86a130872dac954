/** A test: its file, as `npm test` names it, and its title. */
export type Test = readonly [file: string, title: string]

/** A pattern that matches the text itself. */
export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** A fault that is planted in the code, and the test that must fail because of it. */
export interface Mutant {
  /** The behavior of a service with this fault, in a sentence. */
  fault: string
  /** The file, relative to the repository. */
  file: string
  /** The text that the fault takes the place of. It occurs once in the file. */
  text: string
  planted: string
  seenBy: Test
  /** The test that saw the same fault at commit abbb00e, since which tests were merged, moved and made smaller; or the reason for which none did. */
  before: Test | 'No test saw it' | 'This code did not exist'
  /** The server that the test needs, if not the embedded one. */
  target?: 'citus'
}
