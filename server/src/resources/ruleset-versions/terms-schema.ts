import { TERM_KINDS } from '@guildhall/rules/ruleset/glossary'
import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Nullable, Text } from '../../core/fields.ts'
import { paging } from '../../core/page.ts'

const kind = (description: string) => Enum('RulesetTermKind', TERM_KINDS, description)

export const RulesetTerm = Type.Object(
  {
    term: Text(100, 'The word, or the label of a part of the ruleset', 'Pool'),
    kind: kind('Kind of the entry: a term of the glossary, or a part of the ruleset'),
    name: Nullable(Text(129, 'The name in formulas and requests; null for a term', 'class.fighter')),
    definition: Nullable(Text(2000, 'What it means; null if the document does not say', 'The dice of a test')),
    synonyms: Type.Array(Text(100, 'Another word for it', 'Dice pool'), { maxItems: 20, description: 'Other words for it' }),
  },
  { title: 'RulesetTerm', description: 'An entry of the glossary of a ruleset' },
)

export const TermsQuery = Type.Object({
  ...paging,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Part of the word, of a synonym or of the definition. Words that begin with it come first. Case and accents are ignored',
      examples: ['pool'],
    }),
  ),
  kind: Type.Optional(kind('Only entries of this kind')),
})
export type TermsQuery = Static<typeof TermsQuery>
