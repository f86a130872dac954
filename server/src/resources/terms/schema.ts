import { type Static, Type } from '@guildhall/rules/type'
import { archivable, Id, Name, Nullable, WithDefault } from '../../core/fields.ts'
import { archives } from '../../core/page.ts'

export const MAX_TERMS = 5000
const MAX_SYNONYMS = 20
const MAX_DEFINITION_LENGTH = 2000
const MAX_LINK_LENGTH = 2000

/** The fields that clients may write. */
const writable = {
  term: Name('The word or phrase; unique in the company, ignoring case and accents', 'Armor class'),
  definition: Type.String({
    minLength: 1,
    maxLength: MAX_DEFINITION_LENGTH,
    'x-trim': true,
    description: 'The meaning of the term',
    examples: ['The number that an attack must reach to hit.'],
  }),
  synonyms: Type.Array(Name('Another word for the term', 'AC'), {
    maxItems: MAX_SYNONYMS,
    'x-unique': true,
    description: `Other words for the term, at most ${MAX_SYNONYMS}. No two are equal, ignoring case and accents`,
    examples: [['AC', 'Defense']],
  }),
  link: Nullable(
    Type.String({
      minLength: 1,
      maxLength: MAX_LINK_LENGTH,
      'x-trim': true,
      description: 'The address of a page about the term, with http or https; null if there is none',
      examples: ['https://rules.example.com/armor-class'],
    }),
  ),
}

export const Term = Type.Object(
  { id: Id('Term identifier'), company_id: Id('Owning company'), ...writable, ...archivable },
  { title: 'Term', description: "An entry of a company's glossary" },
)
export type Term = Static<typeof Term>

export const TermCreate = Type.Object(
  { ...writable, synonyms: WithDefault(writable.synonyms, []), link: WithDefault(writable.link, null) },
  { title: 'TermCreate' },
)
export type TermCreate = Static<typeof TermCreate>

export const TermPatch = Type.Partial(Type.Object(writable), { title: 'TermPatch' })
export type TermPatch = Static<typeof TermPatch>

export const TermsQuery = Type.Object({
  ...archives,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Part of the term, of a synonym or of the definition. A text without three letters or digits in a row matches only the beginning of the term, of a synonym or of a line of the definition. Case and accents are ignored',
      examples: ['armor'],
    }),
  ),
})
