import { mutants } from './index.ts'
import type { Mutant, Test } from './mutant.ts'

const nameOf = ([file, title]: Test) => `\`${file.startsWith('../') ? file.slice(3) : `server/${file}`}\`: ${title}`

const beforeOf = ({ before, seenBy }: Mutant) =>
  typeof before === 'string' ? before : before.join() === seenBy.join() ? 'The same' : nameOf(before)

/** The rows of the table in docs/mutants.md. */
export const mutantRows = () =>
  mutants
    .map((mutant) => {
      const { fault, seenBy, target } = mutant
      return `| ${fault} | ${nameOf(seenBy)}${target === 'citus' ? ' (on a Citus cluster)' : ''} | ${beforeOf(mutant)} |\n`
    })
    .join('')
