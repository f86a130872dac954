import { hash } from 'node:crypto'
import { type Fault, preconditionFailed } from '../../core/problem.ts'

type Row = { version?: number } | null

const hashOf = (body: string) => hash('sha1', body, 'base64url').slice(0, 16)

/** `"<version>-<hash of the body>"`: If-Match compares the version, If-None-Match the whole. */
export const etag = (row: Row, body: string) => (typeof row?.version === 'number' ? `"${row.version}-${hashOf(body)}"` : undefined)

/** A list has no version: its ETag is the hash of its body, in a form that If-Match takes for no version. */
export const etagOfList = (body: string) => `"list-${hashOf(body)}"`

/** A file has the SHA-256 of its bytes, which clients can compute, too. */
export const etagOfFile = (body: string) => `"${hash('sha256', body, 'hex')}"`

/** The ETag of a compressed reply. A strong one would promise the same bytes as those of the plain reply, which has the same hash. */
export const weak = (tag: string) => `W/${tag}`

const tags = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** If-None-Match compares the whole ETag, except whether it is weak: the compressed and the plain reply are the same one. */
export const isFresh = (header: string | undefined, tag: string) =>
  header !== undefined && (header.trim() === '*' || tags(header).includes(tag))

/** `*`, or entity tags separated by commas (RFC 9110); empty elements between the commas are ignored. */
const MATCH = /^\s*\*\s*$|^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/

/** Explains the form of an ETag that is sent without its quotes, which would otherwise never match. */
export const matchFaults = (header: string | undefined): Fault[] =>
  header === undefined || MATCH.test(header)
    ? []
    : [{ field: 'If-Match', message: 'must be the ETag with its double quotes, such as "3-Zm9vYmFyYmF6cXV4", a list of them, or *' }]

/** If-Match compares the version only, because counts in a reply may change while the row does not. */
export function checkMatch(header: string | undefined, before: unknown): void {
  if (header === undefined) return
  if (before && header.trim() === '*') return
  const versions = tags(header).map((tag) => /^"(\d+)(?:-[\w-]*)?"$/.exec(tag)?.[1])
  if (!before || !versions.includes(String((before as { version?: number }).version))) preconditionFailed()
}
