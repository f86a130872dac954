import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Id, MAX_METADATA_KEYS, Nullable, stored, Timestamp } from '../../core/fields.ts'

const MAX_VALUE_LENGTH = 10_000
/** In all, as JSON: a campaign with its parts has to fit into one response. */
export const MAX_SECRET_METADATA_BYTES = 200_000

const secretMetadata = (title: string, type: string | string[], description: string, max: object = {}) =>
  Type.Unsafe<Record<string, string>>({
    title,
    type: 'object',
    ...max,
    propertyNames: { type: 'string', minLength: 1, maxLength: 40 },
    additionalProperties: { type, maxLength: MAX_VALUE_LENGTH, examples: ['The landlord is the ghoul'] },
    maxProperties: MAX_METADATA_KEYS,
    description,
    examples: [{ plot: 'The landlord is the ghoul' }],
  })

/** Texts of the client application that only storytellers see. Stored as `json`, in the order in which they were sent. */
export const SecretTexts = secretMetadata(
  'SecretTexts',
  'string',
  `Data of the client application that only storytellers see: up to ${MAX_METADATA_KEYS} texts of up to 10,000 characters, by keys of 1 to 40 characters, at most 200,000 bytes as JSON`,
  { 'x-max-bytes': MAX_SECRET_METADATA_BYTES },
)

const fields = {
  campaign_id: Id('Campaign of the secret metadata'),
  character_id: Nullable(Id('Character that has it; null if the campaign has it')),
  metadata: SecretTexts,
}

/** A row of the table. There is none until something is written. `parent_id` is the character or campaign that has it. */
export const SecretMetadataRow = Type.Object({
  id: Id('Identifier'),
  company_id: Id('Owning company'),
  ...fields,
  parent_id: Id('Character or campaign that has the secret metadata'),
  visibility: Enum('SecretMetadataVisibility', ['STORYTELLER'], 'Always for storytellers only'),
  ...stored,
})
export type SecretMetadataRow = Static<typeof SecretMetadataRow>

export const SecretMetadata = Type.Object(
  {
    ...fields,
    date_modified: Nullable(Timestamp('When it last changed; null if nothing was ever written')),
    version: stored.version,
  },
  { title: 'SecretMetadata', description: 'Data of the client application on a campaign or character, for its storytellers only' },
)
export type SecretMetadata = Static<typeof SecretMetadata>

export const SecretMetadataPatch = Type.Object(
  {
    metadata: secretMetadata(
      'SecretTextsPatch',
      ['string', 'null'],
      'Texts to set by key. null removes a key; keys that are not named stay',
    ),
  },
  { title: 'SecretMetadataPatch' },
)
export type SecretMetadataPatch = Static<typeof SecretMetadataPatch>
