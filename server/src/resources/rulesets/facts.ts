import { hash } from 'node:crypto'
import { invalid } from '../../core/problem.ts'
import { checkDocument, faultsOfCarrying, faultsToPublish } from './check.ts'
import { MAX_DOCUMENT_BYTES } from './schema.ts'

/** The text of a document as it is stored and exported: the same values in the same order, without spaces. */
export function textOf(document: object): string {
  const text = JSON.stringify(document)
  const bytes = Buffer.byteLength(text)
  if (bytes > MAX_DOCUMENT_BYTES)
    invalid([{ field: 'document', message: `must have at most ${MAX_DOCUMENT_BYTES} bytes without spaces; it has ${bytes}` }])
  return text
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** A text of a document that may be faulty. */
const textIn = (value: unknown, maxLength: number) =>
  typeof value === 'string' && value !== '' && [...value].length <= maxLength ? value : null
const countIn = (value: unknown) => (isRecord(value) ? Object.keys(value).length : 0)

/** Everything that a list of versions says about a document, after the text of the version `before`. A faulty document says as much as can be read. */
export function factsOf(document: Record<string, unknown>, text: string, before?: string) {
  const checked = checkDocument(document)
  const source = isRecord(document.source) ? document.source : {}
  return {
    game: textIn(document.name, 100),
    license: textIn(source.license, 64),
    attribution: textIn(source.attribution, 2000),
    source_url: textIn(source.url, 2000),
    source_changes: textIn(source.changes, 2000),
    valid: faultsToPublish(checked).length === 0 && faultsOfCarrying(before, checked).length === 0,
    sha256: hash('sha256', text, 'hex'),
    bytes: Buffer.byteLength(text),
    traits: countIn(document.traits),
    derived: countIn(document.derived),
    rolls: countIn(document.rolls),
    cost: Math.min(checked.cost, 2_147_483_647),
  }
}
