import { hash } from 'node:crypto'
import { preconditionFailed } from '../core/problem.ts'

type Row = { version?: number } | null

/** `"<version>-<hash of the body>"`: the first part guards writes, the whole tells whether a read is still fresh. */
export const etag = (row: Row, body: string) =>
  typeof row?.version === 'number' ? `"${row.version}-${hash('sha1', body, 'base64url').slice(0, 16)}"` : undefined

const tags = (header: string) => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

/** If-None-Match compares all of it. */
export const isFresh = (header: string | undefined, tag: string) =>
  header !== undefined && (header.trim() === '*' || tags(header).includes(tag))

/** If-Match compares the version only: a row is unchanged even where a count beside it moved. */
export function checkMatch(header: string | undefined, before: unknown): void {
  if (header === undefined) return
  if (before && header.trim() === '*') return
  const versions = tags(header).map((tag) => /^"(\d+)(?:-[\w-]*)?"$/.exec(tag)?.[1])
  if (!before || !versions.includes(String((before as { version?: number }).version))) preconditionFailed()
}
