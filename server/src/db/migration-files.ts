import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Refusal } from '../core/refusal.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
/** The advisory lock of migrations, an arbitrary number: its holder changes the schema, other processes wait. */
export const MIGRATION_LOCK = 7_415_001

export interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

/** Returns the migrations of this version, in order. */
export function migrations(folder: URL = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      return { version: Number.parseInt(file, 10), name: file, checksum: createHash('sha256').update(text).digest('hex'), text }
    })
}

/** Returns the migrations that a database does not have yet. Refuses a database that was built by other ones. */
export function pendingOf(applied: Omit<Migration, 'text'>[], known: Migration[]): Migration[] {
  for (const { version, name, checksum } of applied) {
    const expected = known.find((migration) => migration.version === version)
    if (!expected) throw new Refusal(`The database is newer than this version: it has migration ${name}. Run the newer Guildhall.`)
    if (expected.checksum !== checksum) {
      throw new Refusal(`Migration ${name} differs from the one this database was built with. Restore the original file.`)
    }
  }
  const done = new Set(applied.map(({ version }) => version))
  return known.filter(({ version }) => !done.has(version))
}
