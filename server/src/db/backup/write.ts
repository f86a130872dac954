import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { Refusal } from '../../core/refusal.ts'
import { END_OF_TABLE, type End, type Head, type Progress, tablesOf } from './format.ts'

/** Writes all of a database to a file: one snapshot, while others go on writing. */
export async function backup(url: string, file: string, now: Date, progress: Progress): Promise<End> {
  if (existsSync(file)) throw new Refusal(`${file} is there already: choose another name, or remove it first.`)
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-backup' }).on('error', () => {})
  await client.connect()
  const partial = `${file}.partial`
  const end: End = { rows: 0, sha256: '' }
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0')
    await pipeline(
      Readable.from(content(client, now, end, progress), { objectMode: false }),
      createGzip({ level: 6 }),
      createWriteStream(partial, { mode: 0o600 }),
    )
    await client.query('COMMIT')
    renameSync(partial, file)
    return end
  } catch (error) {
    rmSync(partial, { force: true })
    if ((error as { code?: string }).code === 'ENOENT' || (error as { code?: string }).code === 'EACCES')
      throw new Refusal(`${file} cannot be written: ${(error as Error).message}.`)
    throw error
  } finally {
    await client.end()
  }
}

async function* content(client: pg.Client, now: Date, end: End, progress: Progress): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (piece: Buffer | string) => {
    const bytes = Buffer.from(piece as Buffer)
    hash.update(bytes)
    return bytes
  }
  const line = (value: object) => hashed(`${JSON.stringify(value)}\n`)
  const { rows } = await client.query<{ migration: number }>('SELECT max(version) AS migration FROM schema_migrations')
  const head: Head = { guildhall: 1, migration: rows[0]?.migration ?? 0, date: now.toISOString() }
  yield line(head)
  for (const table of await tablesOf(client)) {
    yield line(table)
    const names = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
    const source = client.query(copy.to(`COPY ${pg.escapeIdentifier(table.table)} (${names}) TO STDOUT`))
    for await (const chunk of source.pipe(new PassThrough()) as AsyncIterable<Buffer>) yield hashed(chunk)
    end.rows += (source as unknown as { rowCount: number }).rowCount
    progress(table.table, end.rows)
    yield hashed(END_OF_TABLE)
  }
  end.sha256 = hash.digest('hex')
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}
