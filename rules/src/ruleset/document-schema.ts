import { RulesetDocument } from './document.ts'

/** The JSON Schema of a document, for editors. */
export const rulesetSchema = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...RulesetDocument,
})
