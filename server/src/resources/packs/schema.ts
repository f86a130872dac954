import { type Static, Type } from '@guildhall/rules/type'
import { Int, Nullable, Text } from '../../core/fields.ts'

export const PackId = (description: string) => Type.String({ minLength: 1, maxLength: 64, description, examples: ['d10-pool'] })

const license = Text(64, 'License of the game: an SPDX identifier', 'CC-BY-4.0')

const fields = {
  id: PackId('Pack identifier'),
  name: Text(100, 'Name of the game', 'Neutral d10 pool'),
  description: Nullable(Text(1000, 'What the game is', 'Dots from 1 to 5, and pools of ten-sided dice')),
  license,
  attribution: Nullable(Text(1000, 'The sentence that names the authors. Show it to those who play with it', 'This work is based on …')),
  url: Nullable(Text(1000, 'Where the work can be found', 'https://www.example.com/srd')),
  changes: Nullable(Text(1000, 'How the work was changed', 'Names and numbers only, put into the ruleset format.')),
  bytes: Int(2, 262_144, 'Length of the document in bytes', 8812),
  sha256: Text(64, 'SHA-256 of the document, in hexadecimal digits', 'a3'.repeat(32)),
}

export const Pack = Type.Object(fields, { title: 'Pack', description: 'A game that the service brings, to be copied into a company' })
export type Pack = Static<typeof Pack>

export const PackWithDocument = Type.Object(
  {
    ...fields,
    document: Type.Unsafe<object>({
      type: 'object',
      'x-max-bytes': 262_144,
      additionalProperties: true,
      description: 'The game as data. Its format is that of `/ruleset.schema.json`',
      examples: [{ format: 1, name: 'Neutral d10 pool' }],
    }),
  },
  { title: 'PackWithDocument', description: 'A pack, with its document' },
)
