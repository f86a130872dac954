import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { sql } from '../src/db/sql.ts'
import { AuditLogRow } from '../src/resources/audit-logs/schema.ts'
import { BookRow } from '../src/resources/books/schema.ts'
import { CampaignRow } from '../src/resources/campaigns/schema.ts'
import { ChapterRow } from '../src/resources/chapters/schema.ts'
import { Character } from '../src/resources/characters/schema.ts'
import { Company } from '../src/resources/companies/schema.ts'
import { DeveloperRow } from '../src/resources/developers/schema.ts'
import { DiceRoll } from '../src/resources/dice-rolls/schema.ts'
import { Entry } from '../src/resources/experience/schema.ts'
import { Grant } from '../src/resources/grants/schema.ts'
import { Item } from '../src/resources/inventory/schema.ts'
import { ApiKey } from '../src/resources/keys/schema.ts'
import { Member } from '../src/resources/members/schema.ts'
import { NoteRow } from '../src/resources/notes/schema.ts'
import { QuickRoll } from '../src/resources/quick-rolls/schema.ts'
import { User } from '../src/resources/users/schema.ts'
import { TABLES } from '../src/upkeep/tables.ts'
import { db } from './harness.ts'

/** Tables that belong to no company, or are the company. */
const REFERENCE = ['api_keys', 'companies', 'developers', 'schema_migrations']

const tables = (
  await db.query<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
).map(({ name }) => name)
const tenants = tables.filter((name) => !REFERENCE.includes(name))

test('every tenant table has company_id in its primary key, every unique index and every foreign key', async () => {
  assert.ok(tenants.length >= 4)
  const keys = await db.query<{ table: string; name: string; columns: string[] }>(sql`
    SELECT t.relname AS table, i.relname AS name, array_agg(a.attname::text ORDER BY k.ord) AS columns
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS k (attnum, ord)
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum
    WHERE x.indisunique AND t.relnamespace = 'public'::regnamespace GROUP BY 1, 2`)
  for (const table of tenants)
    assert.ok(
      keys.some((key) => key.table === table && key.name === `${table}_pkey`),
      `${table} has no primary key`,
    )
  for (const { table, name, columns } of keys.filter((key) => tenants.includes(key.table)))
    assert.equal(columns[0], 'company_id', `${table}.${name}`)
  const references = await db.query<{ table: string; target: string; columns: string[] }>(sql`
    SELECT c.conrelid::regclass::text AS table, c.confrelid::regclass::text AS target, array_agg(a.attname::text) AS columns
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' GROUP BY c.oid, c.conrelid, c.confrelid`)
  for (const { table, target, columns } of references) {
    if (tenants.includes(target)) assert.ok(columns.includes('company_id'), `${table} -> ${target}`)
  }
})

test('every foreign key has an index to be checked by: what it points at can be deleted', async () => {
  const missing = await db.query<{ name: string }>(sql`
    SELECT c.conrelid::regclass || ' ' || c.conname AS name FROM pg_constraint c
    WHERE c.contype = 'f' AND NOT EXISTS (
      SELECT FROM pg_index x WHERE x.indrelid = c.conrelid
        AND (SELECT array_agg(k ORDER BY k) FROM unnest((x.indkey::int2[])[0:cardinality(c.conkey) - 1]) k) = (SELECT array_agg(k ORDER BY k) FROM unnest(c.conkey) k)
        AND (x.indpred IS NULL OR pg_get_expr(x.indpred, x.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))`)
  assert.deepEqual(
    missing.map(({ name }) => name),
    [],
  )
})

test('no index of a tenant table leads with anything but the company', async () => {
  const rows = await db.query<{ table: string; name: string; column: string }>(sql`
    SELECT t.relname AS table, i.relname AS name, a.attname AS column
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] WHERE t.relnamespace = 'public'::regnamespace`)
  // Across companies on purpose: whose grants a developer has, and what the upkeep may delete.
  const across = ['grants_by_developer', 'idempotency_keys_by_age']
  for (const { table, name, column } of rows) {
    if (tenants.includes(table) && !across.includes(name) && !name.endsWith('_to_purge'))
      assert.equal(column, 'company_id', `${table}.${name}`)
  }
})

test('nothing that correctness needs is lost on distributed PostgreSQL: no triggers, cascades, deferred or exclusion constraints', async () => {
  assert.deepEqual(await db.query(sql`SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`), [])
  assert.deepEqual(
    await db.query(sql`
      SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        AND (condeferrable OR contype = 'x' OR (contype = 'f' AND (confdeltype <> 'a' OR confupdtype <> 'a')))`),
    [],
  )
})

test('columns have no defaults: what is inserted is the reply, and is not asked for', async () => {
  const rows = await db.query<{ column: string }>(sql`
    SELECT table_name || '.' || column_name || ' ' || column_default AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default IS NOT NULL AND table_name <> 'schema_migrations' AND is_generated = 'NEVER' ORDER BY 1`)
  const defaults = rows.map(({ column }) => column).filter((column) => !column.endsWith('.version 1'))
  // The first is always given by who inserts; the others are in no reply.
  assert.deepEqual(defaults, ['developers.is_global_admin false', 'dice_seeds.nonce 0', 'experience_balances.spent 0'])
})

test('timestamps are instants with milliseconds, texts are bounded', async () => {
  const columns = await db.query<{ table: string; name: string; type: string }>(sql`
    SELECT table_name AS table, column_name AS name, data_type || coalesce(datetime_precision::text, '') AS type
    FROM information_schema.columns WHERE table_schema = 'public'`)
  for (const { table, name, type } of columns.filter((column) => column.name.startsWith('date_') && column.table !== 'schema_migrations')) {
    assert.equal(type, 'timestamp with time zone3', `${table}.${name}`)
  }
})

/** The migrations are history and written by hand; this holds them to the schemas. */
const RESOURCES = {
  developers: DeveloperRow,
  api_keys: ApiKey,
  companies: Company,
  users: User,
  events: AuditLogRow,
  grants: Grant,
  campaigns: CampaignRow,
  members: Member,
  characters: Character,
  inventory: Item,
  books: BookRow,
  chapters: ChapterRow,
  notes: NoteRow,
  dice_rolls: DiceRoll,
  quick_rolls: QuickRoll,
  experience_entries: Entry,
}
/** Fields that are read from elsewhere. */
const JOINED = ['grants.name', 'members.id', 'members.name', 'experience_entries.reversed_by']

for (const [table, schema] of Object.entries(RESOURCES)) {
  test(`table ${table} holds what its schema says`, async () => {
    const rows = await db.query<{ name: string; nullable: boolean }>(sql`
      SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns WHERE table_name = ${table}`)
    const actual = new Map(rows.map(({ name, nullable }) => [name, nullable]))
    for (const [field, { type }] of Object.entries(schema.properties as Record<string, TSchema & { type?: string | string[] }>)) {
      if (!JOINED.includes(`${table}.${field}`))
        assert.equal(actual.get(field), Array.isArray(type) && type.includes('null'), `${table}.${field}`)
    }
  })
}

test('every enumeration of a schema is a CHECK of its table, value for value', async () => {
  const checks = await db.query<{ table: string; text: string }>(sql`
    SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = 'c'`)
  const walk = (table: string, field: string, value: TSchema & { enum?: string[]; properties?: Record<string, TSchema> }): void => {
    for (const [name, inner] of Object.entries(value.properties ?? {})) walk(table, name, inner)
    if (!value.enum) return
    const words = value.enum.filter(Boolean).join()
    const found = checks.filter((row) => row.table === table && new RegExp(`\\b${field}\\b`).test(row.text))
    assert.ok(
      found.some(({ text }) => [...text.matchAll(/'([A-Z_]+)'/g)].map(([, word]) => word).join() === words),
      `${table}.${field} has no CHECK of ${words}`,
    )
  }
  for (const [table, schema] of Object.entries(RESOURCES)) walk(table, '', schema as TSchema)
})

test('what is named can be searched and sorted, what is archived can be listed apart', async () => {
  const rows = await db.query<{ table: string; text: string }>(sql`
    SELECT tablename AS table, indexdef AS text FROM pg_indexes WHERE schemaname = 'public'`)
  const has = (table: string, shape: RegExp) => rows.some((row) => row.table === table && shape.test(row.text))
  for (const [table, schema] of Object.entries(RESOURCES)) {
    const fields = Object.keys(schema.properties)
    if (fields.includes('name') && !JOINED.includes(`${table}.name`)) {
      assert.ok(has(table, /\(([\w, ]*, )?name_key, id\)/), `${table} has no index by name_key, id`)
      assert.ok(has(table, /USING gin \(.*name_key gin_trgm_ops\)/), `${table} has no search index on name_key`)
    }
    if (fields.includes('date_archived'))
      assert.ok(has(table, /WHERE \(date_archived IS NOT NULL\)/), `${table} has no index of what is archived`)
  }
})

test('docs/scaling.md says of every table how it is distributed', () => {
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| (?:distributed|reference|on one)[^|]*\| ([\w, ]+) \|$/gm)].flatMap(([, names]) =>
    (names as string).split(', '),
  )
  assert.deepEqual(listed.sort(), tables.sort())
})

test('a purge knows every table of a company, its key, and deletes what refers before what is referred to', async () => {
  assert.deepEqual(TABLES.map(({ name }) => name).sort(), tenants.sort())
  const keys = await db.query<{ table: string; columns: string[] }>(sql`
    SELECT x.indrelid::regclass::text AS table, array_agg(a.attname::text ORDER BY k.ord) AS columns
    FROM pg_index x CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS k (attnum, ord)
    JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum WHERE x.indisprimary GROUP BY 1`)
  for (const { name, key } of TABLES) assert.deepEqual(keys.find(({ table }) => table === name)?.columns, key, name)
  const place = (name: string) => TABLES.findIndex((table) => table.name === name)
  const references = await db.query<{ source: string; target: string }>(sql`
    SELECT DISTINCT conrelid::regclass::text AS source, confrelid::regclass::text AS target FROM pg_constraint WHERE contype = 'f'`)
  for (const { source, target } of references) {
    if (tenants.includes(target) && source !== target) assert.ok(place(source) < place(target), `${source} -> ${target}`)
  }
})
