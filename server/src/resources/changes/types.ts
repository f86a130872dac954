import { EVENTS, FEED_ONLY_EVENTS } from '../../events/catalog.ts'
import { KINDS } from './kinds.ts'

const kindOf = (type: string) => type.split('.')[0] as string

/** Every type that a reader can be told, with its sentence. Resources that no GET shows are left out. */
const TOLD = Object.fromEntries(
  Object.entries({ ...EVENTS, ...FEED_ONLY_EVENTS })
    .filter(([type]) => type in FEED_ONLY_EVENTS || kindOf(type) in KINDS)
    .sort(),
)

export const FEED_TYPES = Object.keys(TOLD)

/** The values that the filter `types` accepts: `character.*` stands for all types of characters. */
export const TYPE_FILTERS = [...new Set(FEED_TYPES.flatMap((type) => [`${kindOf(type)}.*`, type]))]

/** The types and their sentences as a Markdown list. */
export const TYPES_EXPLAINED = Object.entries(TOLD)
  .map(([type, sentence]) => `- \`${type}\`: ${sentence}`)
  .join('\n')
