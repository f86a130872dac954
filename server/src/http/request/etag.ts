import { hash } from 'node:crypto'
import { type Fault, preconditionFailed } from '../../core/problem.ts'

type Row = { version?: number } | null

/** `"<version>-<hash of the body>"`: the first part guards writes, the whole tells whether a read is still fresh. */
export const etag = (row: Row, body: string) =>
  typeof row?.version === 'number' ? `"${row.version}-${hash('sha1', body, 'base64url').slice(0, 16)}"` : undefined

const tags = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** If-None-Match compares all of it. */
export const isFresh = (header: string | undefined, tag: string) =>
  header !== undefined && (header.trim() === '*' || tags(header).includes(tag))

/** `*`, or entity tags separated by commas (RFC 9110); empty elements between the commas are ignored. */
const MATCH = /^\s*\*\s*$|^[\s,]*(?:W\/)?"[^"]*"(?:\s*,[\s,]*(?:W\/)?"[^"]*")*[\s,]*$/

/** A tag without its quotes would never match: the client is told the form instead of 412. */
export const matchFaults = (header: string | undefined): Fault[] =>
  header === undefined || MATCH.test(header)
    ? []
    : [{ field: 'If-Match', message: 'must be the ETag with its double quotes, such as "3-Zm9vYmFyYmF6cXV4", a list of them, or *' }]

/** If-Match compares the version only: a row is unchanged even where a count beside it moved. */
export function checkMatch(header: string | undefined, before: unknown): void {
  if (header === undefined) return
  if (before && header.trim() === '*') return
  const versions = tags(header).map((tag) => /^"(\d+)(?:-[\w-]*)?"$/.exec(tag)?.[1])
  if (!before || !versions.includes(String((before as { version?: number }).version))) preconditionFailed()
}
