import { EVENTS, FEED_ONLY_EVENTS } from './catalog.ts'

/** Resources that no GET of a company shows, which are credentials and accounts, and creations: the character that one ends with is told. */
const UNTOLD = ['api_key', 'console_link', 'console_session', 'creation', 'developer', 'sign_in_link', 'user_token']

const kindOf = (type: string) => type.split('.')[0] as string

/** Every type that a reader can be told, with its sentence. */
const TOLD = Object.fromEntries(
  Object.entries({ ...EVENTS, ...FEED_ONLY_EVENTS })
    .filter(([type]) => !UNTOLD.includes(kindOf(type)))
    .sort(),
)

export const FEED_TYPES = Object.keys(TOLD)

/** The values that the filter `types` accepts: `character.*` stands for all types of characters. */
export const TYPE_FILTERS = [...new Set(FEED_TYPES.flatMap((type) => [`${kindOf(type)}.*`, type]))]

/** The types and their sentences as a Markdown list. */
export const TYPES_EXPLAINED = Object.entries(TOLD)
  .map(([type, sentence]) => `- \`${type}\`: ${sentence}`)
  .join('\n')
