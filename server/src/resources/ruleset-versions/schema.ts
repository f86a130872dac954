import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Flag, Id, Int, Nullable, stored, Text, Timestamp } from '../../core/fields.ts'
import { modifiable, page } from '../../core/page.ts'
import { AnyDocument, MAX_DOCUMENT_BYTES, MAX_VERSIONS } from '../rulesets/schema.ts'

const status = (description: string) => Enum('RulesetVersionStatus', ['DRAFT', 'PUBLISHED', 'RETIRED'], description, 'PUBLISHED')
const count = (description: string, example: number) => Int(0, 2_147_483_647, description, example)

export const RulesetVersion = Type.Object(
  {
    id: Id('Version identifier'),
    company_id: Id('Owning company'),
    ruleset_id: Id('The ruleset'),
    number: Nullable(Int(1, MAX_VERSIONS, 'Number of the version, in the order of publishing; null for a draft', 1)),
    status: status(
      'DRAFT: it can change, and no campaign can use it. PUBLISHED: it never changes. RETIRED: campaigns that use it keep it, and no other can choose it',
    ),
    game: Nullable(Text(100, 'Name of the game in the document; null while a draft has none', 'Neutral d10 pool')),
    license: Nullable(Text(64, 'License of the game: an SPDX identifier, or one that begins with LicenseRef-', 'CC0-1.0')),
    attribution: Nullable(Text(2000, 'The sentence that names the authors. Show it to those who play', 'This work is based on …')),
    source_url: Nullable(Text(2000, 'Where the work can be found', 'https://www.example.com/srd')),
    source_changes: Nullable(Text(2000, 'How the work was changed', 'Names and numbers only.')),
    valid: Flag('True if the document has no fault and all its examples hold. Every published version is valid'),
    sha256: Text(64, 'SHA-256 of the document as it is exported, in hexadecimal digits', 'a3'.repeat(32)),
    bytes: Int(2, MAX_DOCUMENT_BYTES, 'Length of the document as it is exported', 8812),
    traits: count('Number of traits', 26),
    derived: count('Number of derived values', 3),
    rolls: count('Number of rolls', 1),
    cost: count('The most steps that computing a sheet takes', 412),
    used: Flag('True once a campaign was played by it. It is then kept, even if its ruleset is archived'),
    date_published: Nullable(Timestamp('When the version was published; null for a draft')),
    ...stored,
  },
  { title: 'RulesetVersion', description: 'A state of a ruleset, with the facts about its document' },
)
export type RulesetVersion = Static<typeof RulesetVersion>

export const DocumentBody = Type.Object({ document: AnyDocument }, { title: 'RulesetDocumentBody' })

export const VersionsQuery = Type.Object({
  ...page,
  ...modifiable,
  status: Type.Optional(status('Only versions with this status')),
})
export type VersionsQuery = Static<typeof VersionsQuery>

/** 500 traits with their labels take the most. */
const MAX_SCHEMA_BYTES = 1_000_000
export const CharacterSchema = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  'x-max-bytes': MAX_SCHEMA_BYTES,
  additionalProperties: true,
  title: 'CharacterSchema',
  description: 'A JSON Schema (2020-12) of the traits, choices and conditions of a character',
  examples: [{ $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties: {} }],
})
