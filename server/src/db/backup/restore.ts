import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import copy from 'pg-copy-streams'
import { Refusal } from '../../core/refusal.ts'
import { inSchemaChange } from '../distribute.ts'
import { engineOf } from '../driver/engine.ts'
import { MIGRATION_LOCK, migrate, migrations } from '../migrate.ts'
import { COPY_SETTINGS, END_OF_TABLE, type End, type Head, type Progress, type TableHead, tablesOf, wholeLines } from './format.ts'

const linesOf = (file: string) => {
  const packed = createReadStream(file)
  const plain = createGunzip()
  packed.on('error', (error) => plain.destroy(error))
  return wholeLines(packed.pipe(plain))
}

const damaged = (file: string, reason: string) =>
  new Refusal(`${file} is damaged or not a backup of Guildhall: ${reason}. Nothing was restored.`)

/** Reads a backup to its end and returns its head and end. Refuses one that is incomplete or damaged. */
export async function check(file: string): Promise<Head & End> {
  const hash = createHash('sha256')
  let head: Head | undefined
  // The last line is the end, which is not part of its own checksum.
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
    if ((error as { code?: string }).code === 'ENOENT') throw new Refusal(`There is no file ${file}. Check the path.`)
    throw damaged(file, (error as Error).message)
  }
  if (head?.guildhall !== 1) throw damaged(file, 'its first line is not the head of a backup')
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

interface RestoreOptions {
  pooler: boolean
  progress: Progress
  loadDeclarations?: () => Promise<unknown>
  /** Runs after the last row, in the transaction of the restored data: a restore that is killed leaves both or neither. */
  beforeCommit(client: pg.ClientBase): Promise<unknown>
}

/** Restores a backup into an empty database, in one transaction, and migrates it to this version. */
export async function restore(url: string, file: string, options: RestoreOptions): Promise<Head & End> {
  const { progress, beforeCommit, ...migrating } = options
  const contents = await check(file)
  const known = migrations()
  const newest = Math.max(...known.map(({ version }) => version))
  if (contents.migration > newest)
    throw new Refusal(`${file} was made by a newer Guildhall. Restore it with that version. Nothing was restored.`)
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-restore' }).on('error', () => {})
  await client.connect()
  try {
    await refuseUsed(client, contents.migration)
    await migrate(url, { known: known.filter(({ version }) => version <= contents.migration), ...migrating })
    await client.query('BEGIN')
    await client.query(COPY_SETTINGS)
    if ((await engineOf(client)) === 'citus') await client.query(inSchemaChange)
    // One restore at a time: a second one finds that the database is no longer empty.
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await refuseUsed(client, contents.migration)
    const tables = await tablesOf(client)
    await trustReferences(client)
    await emptyFilled(client, tables)
    const rows = await load(client, file, tables, progress)
    if (rows !== contents.rows) throw damaged(file, `it has ${rows} rows and not ${contents.rows}`)
    await beforeCommit(client)
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
  await migrate(url, migrating)
  return contents
}

/** Tables with rows that a migration makes. Those of the backup replace them. */
const FILLED_BY_MIGRATIONS = ['feed_state']

/** Deletes the rows that the migrations made. */
async function emptyFilled(client: pg.Client, tables: TableHead[]): Promise<void> {
  for (const { table } of tables) if (FILLED_BY_MIGRATIONS.includes(table)) await client.query(`DELETE FROM ${pg.escapeIdentifier(table)}`)
}

async function refuseUsed(client: pg.Client, migration: number): Promise<void> {
  for (const { table } of await tablesOf(client)) {
    if (FILLED_BY_MIGRATIONS.includes(table)) continue
    const { rowCount } = await client.query(`SELECT FROM ${pg.escapeIdentifier(table)} LIMIT 1`)
    if (rowCount) throw new Refusal('This database is not empty. Restore into a new one. Nothing was restored.')
  }
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS exists")
  if (!rows[0]?.exists) return
  const { rows: applied } = await client.query<{ version: number }>('SELECT max(version) AS version FROM schema_migrations')
  if ((applied[0]?.version ?? 0) > migration)
    throw new Refusal('This database was prepared by a newer Guildhall than the backup. Restore into a new one. Nothing was restored.')
}

/** Turns off the check of foreign keys, if the role may: the rows come from one snapshot, so their references are valid. */
async function trustReferences(client: pg.Client): Promise<void> {
  await client.query('SAVEPOINT trust')
  await client.query("SET LOCAL session_replication_role = 'replica'").catch(() => client.query('ROLLBACK TO SAVEPOINT trust'))
}

/** Splits lines into the rows of a table, and the rest after its end if the end is among them. */
function splitAtEnd(lines: Buffer): [rows: Buffer, rest: Buffer | undefined] {
  if (lines.subarray(0, END_OF_TABLE.length).equals(Buffer.from(END_OF_TABLE)))
    return [lines.subarray(0, 0), lines.subarray(END_OF_TABLE.length)]
  const end = lines.indexOf(`\n${END_OF_TABLE}`) + 1
  return end === 0 ? [lines, undefined] : [lines.subarray(0, end), lines.subarray(end + END_OF_TABLE.length)]
}

/** Loads the rows. Refuses tables and columns that the schema does not have: a file is not trusted. */
async function load(client: pg.Client, file: string, tables: TableHead[], progress: Progress): Promise<number> {
  let stream: ReturnType<typeof copy.from> | undefined
  let rows = 0
  for await (const piece of linesOf(file)) {
    for (let lines: Buffer | undefined = piece; lines?.length; ) {
      if (stream) {
        const [tableRows, rest] = splitAtEnd(lines)
        if (tableRows.length && !stream.write(tableRows)) await once(stream, 'drain')
        lines = rest
        if (!rest) continue
        stream.end()
        await finished(stream)
        rows += stream.rowCount ?? 0
        progress('restored', rows)
        stream = undefined
        continue
      }
      const end: number = lines.indexOf(0x0a) + 1
      const line = JSON.parse(lines.subarray(0, end).toString()) as Head | TableHead | End
      lines = lines.subarray(end)
      if (!('table' in line)) continue
      const known = tables.find(({ table }) => table === line.table)
      if (!known || !line.columns.every((column) => known.columns.includes(column)))
        throw damaged(file, `it has an unknown table ${line.table}, or unknown columns of it`)
      const names = line.columns.map((name) => pg.escapeIdentifier(name)).join(', ')
      stream = client.query(copy.from(`COPY ${pg.escapeIdentifier(line.table)} (${names}) FROM STDIN`))
      stream.on('error', () => {})
    }
  }
  return rows
}
