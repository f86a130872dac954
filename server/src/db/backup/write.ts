import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { Refusal } from '../../core/refusal.ts'
import { COPY_SETTINGS, END_OF_TABLE, type End, type Head, type Progress, tablesOf } from './format.ts'

/** Writes a whole database to a file, from one snapshot. The service can keep running. */
export async function backup(url: string, file: string, now: Date, progress: Progress): Promise<End> {
  if (existsSync(file)) throw new Refusal(`${file} already exists. Choose another name, or remove it first.`)
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-backup' }).on('error', () => {})
  await client.connect().catch((error: Error) => {
    throw new Refusal(`The database cannot be reached: ${error.message}. Check DATABASE_URL.`)
  })
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  const end: End = { rows: 0, sha256: '' }
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query(COPY_SETTINGS)
    await pipeline(
      Readable.from(content(client, now, end, progress), { objectMode: false }),
      createGzip({ level: 6 }),
      createWriteStream(partial, { mode: 0o600, flags: 'wx' }),
    )
    await client.query('COMMIT')
    renameSync(partial, file)
    return end
  } catch (error) {
    try {
      rmSync(partial, { force: true })
    } catch {}
    if (/^(ENOENT|EACCES|ENOTDIR|ENAMETOOLONG|EROFS|ENOSPC|EISDIR)$/.test((error as { code?: string }).code ?? ''))
      throw new Refusal(`${file} cannot be written: ${(error as Error).message}. Choose another path.`)
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
  const { rows: last } = await client.query<{ migration: number }>('SELECT max(version) AS migration FROM schema_migrations').catch(() => {
    throw new Refusal('This database has no tables of Guildhall. There is nothing to back up.')
  })
  const head: Head = { guildhall: 1, migration: last[0]?.migration ?? 0, date: now.toISOString() }
  yield line(head)
  for (const table of await tablesOf(client)) {
    yield line(table)
    const names = table.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
    const source = client.query(copy.to(`COPY ${pg.escapeIdentifier(table.table)} (${names}) TO STDOUT`))
    const rows = new PassThrough()
    source.on('error', (error) => rows.destroy(error))
    for await (const chunk of source.pipe(rows) as AsyncIterable<Buffer>) yield hashed(chunk)
    end.rows += (source as unknown as { rowCount: number }).rowCount
    progress(table.table, end.rows)
    yield hashed(END_OF_TABLE)
  }
  end.sha256 = hash.digest('hex')
  yield Buffer.from(`${JSON.stringify(end)}\n`)
}
