import type { Readable } from 'node:stream'
import type pg from 'pg'

// A backup consists of gzipped lines: a head; for each table its name and columns, its rows in the format of COPY, and `\.`; and an end
// with the SHA-256 of all lines before it.

export interface Head {
  guildhall: 1
  /** The last migration of the database that was backed up. */
  migration: number
  date: string
}

export interface TableHead {
  table: string
  columns: string[]
}

export interface End {
  rows: number
  sha256: string
}

export const END_OF_TABLE = '\\.\n'

/** The settings for writing and reading values independently of the defaults of the database, without time limits. */
export const COPY_SETTINGS = `SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL timezone = 'UTC'; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 3;
  SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`

/** Returns the tables with their columns, each after the tables it refers to. Generated columns are left out. */
export async function tablesOf(client: pg.ClientBase): Promise<TableHead[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string[]; refers: string[] }>(`
    SELECT c.relname AS name,
      (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
      ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
        WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.confrelid <> c.oid) AS refers
    FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'schema_migrations' ORDER BY 1`)
  const ordered: TableHead[] = []
  const isOrdered = (name: string) => ordered.some(({ table }) => table === name)
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, refers }) => !isOrdered(name) && refers.every(isOrdered))
    if (next.length === 0) throw new Error('The foreign keys of the tables form a cycle')
    for (const { name, columns } of next) ordered.push({ table: name, columns })
  }
  return ordered
}

/** Yields a stream in pieces that end with a complete line. */
export async function* wholeLines(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf(0x0a) + 1
    if (end === 0) {
      rest.push(chunk)
      continue
    }
    yield Buffer.concat([...rest, chunk.subarray(0, end)])
    rest = end < chunk.length ? [chunk.subarray(end)] : []
  }
  if (rest.length) yield Buffer.concat(rest)
}

/** Called from time to time with the progress of a long operation. */
export type Progress = (stage: string, rows: number) => void
