import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { Refusal } from '../../core/refusal.ts'
import { LOCK, migrate, migrations } from '../migrate.ts'
import { END_OF_TABLE, type End, type Head, PLAINLY, type Progress, type TableHead, tablesOf, wholeLines } from './format.ts'

const linesOf = (file: string) => {
  const packed = createReadStream(file)
  const plain = createGunzip()
  packed.on('error', (error) => plain.destroy(error))
  return wholeLines(packed.pipe(plain))
}

const damaged = (file: string, why: string) => new Refusal(`${file} is damaged or no backup of Guildhall: ${why}. Nothing was restored.`)

/** Reads a backup to its end, and tells what it says of itself; one that is not whole is refused. */
export async function check(file: string): Promise<Head & End> {
  const hash = createHash('sha256')
  let head: Head | undefined
  // The last line is the end, and not part of what it vouches for.
  let last = Buffer.alloc(0)
  try {
    for await (const lines of linesOf(file)) {
      head ??= JSON.parse(lines.subarray(0, lines.indexOf(0x0a)).toString()) as Head
      hash.update(last)
      const cut = lines.lastIndexOf(0x0a, lines.length - 2) + 1
      hash.update(lines.subarray(0, cut))
      last = Buffer.from(lines.subarray(cut))
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new Refusal(`There is no file ${file}.`)
    throw damaged(file, (error as Error).message)
  }
  if (head?.guildhall !== 1) throw damaged(file, 'it does not begin as one')
  const end = (() => {
    try {
      return JSON.parse(last.toString()) as End
    } catch {
      throw damaged(file, 'its end is missing')
    }
  })()
  if (end.sha256 !== hash.digest('hex')) throw damaged(file, 'its checksum is wrong')
  return { ...head, ...end }
}

export interface RestoreOptions {
  pooler: boolean
  progress: Progress
  /** Runs after the last row, in the transaction of the restored data: a restore that is killed leaves the work of both, or of neither. */
  beforeCommit(client: pg.ClientBase): Promise<unknown>
}

/** Puts a backup into an empty database, all or nothing, and brings that up to this code. */
export async function restore(url: string, file: string, { pooler, progress, beforeCommit }: RestoreOptions): Promise<Head & End> {
  const told = await check(file)
  const known = migrations()
  const newest = Math.max(...known.map(({ version }) => version))
  if (told.migration > newest) throw new Refusal(`${file} was made by a newer Guildhall: run that one to restore it. Nothing was restored.`)
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-restore' }).on('error', () => {})
  await client.connect()
  try {
    await refuseUsed(client, told.migration)
    await migrate(url, { known: known.filter(({ version }) => version <= told.migration), pooler })
    await client.query('BEGIN')
    await client.query(PLAINLY)
    // One at a time: who comes second finds that it is not empty any more.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await refuseUsed(client, told.migration)
    const tables = await tablesOf(client)
    await trustReferences(client)
    const rows = await load(client, file, tables, progress)
    if (rows !== told.rows) throw damaged(file, `it has ${rows} rows and not ${told.rows}`)
    await beforeCommit(client)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
  await migrate(url, { pooler })
  return told
}

async function refuseUsed(client: pg.Client, migration: number): Promise<void> {
  for (const { table } of await tablesOf(client)) {
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`)
    if (rowCount) throw new Refusal('This database is not empty: restore into a new one. Nothing was restored.')
  }
  const { rows } = await client.query<{ there: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS there")
  if (!rows[0]?.there) return
  const { rows: applied } = await client.query<{ version: number }>('SELECT max(version) AS version FROM schema_migrations')
  if ((applied[0]?.version ?? 0) > migration)
    throw new Refusal('This database was prepared by a newer Guildhall than the backup: restore into a new one. Nothing was restored.')
}

/** What was copied from one snapshot refers to what is there; where we may, that is not checked again row by row. */
async function trustReferences(client: pg.Client): Promise<void> {
  await client.query('SAVEPOINT trust')
  await client.query("SET LOCAL session_replication_role = 'replica'").catch(() => client.query('ROLLBACK TO SAVEPOINT trust'))
}

/** The rows of a table up to its end, and what comes after that, if the end is there. */
function splitAtEnd(lines: Buffer): [rows: Buffer, rest: Buffer | undefined] {
  if (lines.subarray(0, END_OF_TABLE.length).equals(Buffer.from(END_OF_TABLE)))
    return [lines.subarray(0, 0), lines.subarray(END_OF_TABLE.length)]
  const at = lines.indexOf(`\n${END_OF_TABLE}`) + 1
  return at === 0 ? [lines, undefined] : [lines.subarray(0, at), lines.subarray(at + END_OF_TABLE.length)]
}

/** Only into tables and columns that are ours: what else a file names is not to be trusted. */
async function load(client: pg.Client, file: string, tables: TableHead[], progress: Progress): Promise<number> {
  let into: ReturnType<typeof copy.from> | undefined
  let rows = 0
  for await (const piece of linesOf(file)) {
    for (let lines: Buffer | undefined = piece; lines?.length; ) {
      if (into) {
        const [some, rest] = splitAtEnd(lines)
        if (some.length && !into.write(some)) await once(into, 'drain')
        lines = rest
        if (!rest) continue
        into.end()
        await finished(into)
        rows += into.rowCount ?? 0
        progress('restored', rows)
        into = undefined
        continue
      }
      const end: number = lines.indexOf(0x0a) + 1
      const line = JSON.parse(lines.subarray(0, end).toString()) as Head | TableHead | End
      lines = lines.subarray(end)
      if (!('table' in line)) continue
      const known = tables.find(({ table }) => table === line.table)
      if (!known || !line.columns.every((column) => known.columns.includes(column)))
        throw damaged(file, `it names a table ${line.table} that is not ours`)
      const names = line.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
      into = client.query(copy.from(`COPY ${pg.escapeIdentifier(line.table)} (${names}) FROM STDIN`))
      into.on('error', () => {})
    }
  }
  return rows
}
