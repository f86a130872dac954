import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { TSchema } from '@guildhall/rules/type'
import { sql } from '../src/db/sql.ts'
import { companyTables, type DeclaredTable, declaredTables, isPartOf, referencesOf } from '../src/resources/declarations.ts'
import { db } from './harness.ts'

const tables = (
  await db.query<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  )
).map(({ name }) => name)
const declared = new Map(declaredTables().map((table) => [table.name, table]))
const tenants = companyTables().map(({ name }) => name)

test('every table is declared once, with its primary key', async () => {
  assert.deepEqual([...declared.keys()].sort(), tables)
  const keys = await db.query<{ table: string; columns: string[] }>(sql`
    SELECT x.indrelid::regclass::text AS table, array_agg(a.attname::text ORDER BY k.ord) AS columns
    FROM pg_index x CROSS JOIN unnest(x.indkey::int2[]) WITH ORDINALITY AS k (attnum, ord)
    JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.attnum
    WHERE x.indisprimary AND x.indrelid::regclass::text = ANY (${tables}) GROUP BY 1`)
  assert.deepEqual(
    new Map(keys.map(({ table, columns }) => [table, columns])),
    new Map([...declared].map(([name, { key }]) => [name, key])),
  )
})

test('every foreign key is declared as a reference', async () => {
  const references = await db.query<{ source: string; target: string; columns: string[] }>(sql`
    SELECT c.conrelid::regclass::text AS source, c.confrelid::regclass::text AS target, array_agg(a.attname::text) AS columns
    FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f' AND c.conrelid::regclass::text = ANY (${tables}) GROUP BY c.oid, c.conrelid, c.confrelid`)
  for (const { source, target, columns } of references) {
    const [column] = columns.filter((name) => name !== 'company_id')
    const table = declared.get(source) as DeclaredTable
    if (target === 'companies') assert.equal(table.distribution, 'company', `${source} -> ${target}`)
    else if (target === source) assert.equal(table.refersToItself, column, `${source} -> ${target}`)
    else assert.equal(referencesOf(table)[target], column, `${source} -> ${target}`)
  }
})

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

test('every foreign key has an index, so that the rows it refers to can be deleted quickly', async () => {
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

test('every index of a tenant table begins with the company, except those declared otherwise', async () => {
  const rows = await db.query<{ table: string; name: string; column: string }>(sql`
    SELECT t.relname AS table, i.relname AS name, a.attname AS column
    FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] WHERE t.relnamespace = 'public'::regnamespace`)
  const across = declaredTables().flatMap(({ indexesAcrossCompanies }) => indexesAcrossCompanies)
  for (const index of across)
    assert.ok(
      rows.some(({ name }) => name === index),
      `${index} does not exist`,
    )
  for (const { table, name, column } of rows) {
    if (tenants.includes(table) && !across.includes(name) && !name.endsWith('_to_purge'))
      assert.equal(column, 'company_id', `${table}.${name}`)
  }
})

test('correctness needs nothing that distributed PostgreSQL lacks: no triggers, cascades, deferred or exclusion constraints', async () => {
  // Citus has a trigger of its own on distributed tables, and some in its schemas.
  const triggers = await db.query(sql`
    SELECT tgname FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace AND tgname NOT LIKE 'truncate\\_trigger\\_%'`)
  assert.deepEqual(triggers, [])
  assert.deepEqual(
    await db.query(sql`
      SELECT conname FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        AND (condeferrable OR contype = 'x' OR (contype = 'f' AND (confdeltype <> 'a' OR confupdtype <> 'a')))`),
    [],
  )
})

/** Processes of the previous version insert rows without these columns while a migration has added them. This version supplies them. */
const FOR_THE_PREVIOUS_VERSION = [
  "campaigns.access 'COMPANY'::text",
  "campaigns.experience_per 'USER'::text",
  "campaigns.joining 'OPEN'::text",
  "campaigns.levels_display 'SHOWN'::text",
  "campaigns.trait_changes 'ANYONE'::text",
  "characters.choices '{}'::jsonb",
  "characters.conditions '{}'::jsonb",
  "characters.details '{}'::jsonb",
  "characters.sheet_visibility 'EVERYONE'::text",
  'dice_rolls.naturals false',
  "dice_rolls.source 'SERVER'::text",
  "dice_rolls.terms '[]'::jsonb",
  "dice_rolls.values '[]'::jsonb",
  ...['natural_max', 'natural_min', 'manual_rolls', 'manual_botches', 'manual_failures', 'manual_successes', 'manual_criticals'].map(
    (name) => `dice_tallies.${name} 0`,
  ),
  'dice_tallies.voided_rolls 0',
  "user_tokens.kind 'TOKEN'::text",
  'trackers.by_ruleset false',
  'trackers.hidden_changes 0',
]

test('every constraint holds for all rows: none is left NOT VALID', async () => {
  const rows = await db.query<{ name: string }>(sql`
    SELECT conrelid::regclass || ' ' || conname AS name FROM pg_constraint
    WHERE NOT convalidated AND connamespace = 'public'::regnamespace ORDER BY 1`)
  assert.deepEqual(rows, [])
})

test('columns have no defaults, because an inserted row is the reply and is not read back', async () => {
  const rows = await db.query<{ column: string }>(sql`
    SELECT table_name || '.' || column_name || ' ' || column_default AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND column_default IS NOT NULL AND table_name <> 'schema_migrations' AND is_generated = 'NEVER' ORDER BY 1`)
  // The default of metadata is for rows of processes of the version before the column.
  const defaults = rows.map(({ column }) => column).filter((column) => !/\.version 1$|\.metadata '\{\}'::json$/.test(column))
  // The first is given in every insert; the others are in no reply.
  assert.deepEqual(
    defaults.filter((column) => !FOR_THE_PREVIOUS_VERSION.includes(column)),
    ['developers.is_global_admin false', 'dice_seeds.nonce 0', 'experience_balances.spent 0', 'feed_heads.unplaced 0'],
  )
})

test('timestamps are instants with milliseconds', async () => {
  const columns = await db.query<{ table: string; name: string; type: string }>(sql`
    SELECT table_name AS table, column_name AS name, data_type || coalesce(datetime_precision::text, '') AS type
    FROM information_schema.columns WHERE table_schema = 'public'`)
  for (const { table, name, type } of columns.filter((column) => column.name.startsWith('date_') && column.table !== 'schema_migrations')) {
    assert.equal(type, 'timestamp with time zone3', `${table}.${name}`)
  }
})

/** The migrations are written by hand and never change; these tests compare them with the schemas. */
const schemas = declaredTables().flatMap(({ name, schema, joined }) => (schema ? [{ table: name, schema, joined }] : []))

for (const { table, schema, joined } of schemas) {
  test(`table ${table} has the columns of its schema`, async () => {
    const rows = await db.query<{ name: string; nullable: boolean }>(sql`
      SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns WHERE table_name = ${table}`)
    const actual = new Map(rows.map(({ name, nullable }) => [name, nullable]))
    for (const [field, { type }] of Object.entries(schema.properties as Record<string, TSchema & { type?: string | string[] }>)) {
      if (!joined.includes(field)) assert.equal(actual.get(field), Array.isArray(type) && type.includes('null'), `${table}.${field}`)
    }
  })
}

test('every enumeration of a schema is a CHECK of its table, with the same values', async () => {
  const checks = await db.query<{ table: string; text: string }>(sql`
    SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = 'c'
    UNION ALL
    SELECT conrelid::regclass::text, line FROM pg_constraint c JOIN pg_proc f ON pg_get_constraintdef(c.oid) LIKE '%' || f.proname || '(%'
    CROSS JOIN regexp_split_to_table(f.prosrc, '\n') AS line WHERE c.contype = 'c' AND f.proname LIKE 'is\_valid\_%'`)
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
  for (const { table, schema } of schemas) walk(table, '', schema as TSchema)
})

test('named rows have indexes for search and sorting, archived rows for their own list', async () => {
  const rows = await db.query<{ table: string; text: string }>(sql`
    SELECT tablename AS table, indexdef AS text FROM pg_indexes WHERE schemaname = 'public'`)
  const has = (table: string, shape: RegExp) => rows.some((row) => row.table === table && shape.test(row.text))
  for (const { table, schema, joined } of schemas) {
    const fields = Object.keys(schema.properties)
    if (fields.includes('name') && !joined.includes('name')) {
      assert.ok(has(table, /\(([\w, ]*, )?name_key, id\)/), `${table} has no index by name_key, id`)
      assert.ok(has(table, /USING gin \(.*name_key gin_trgm_ops\)/), `${table} has no search index on name_key`)
    }
    if (fields.includes('date_archived'))
      assert.ok(has(table, /WHERE \(date_archived IS NOT NULL\)/), `${table} has no index of archived rows`)
  }
})

test('docs/scaling.md shows how every table is distributed, as it is declared', () => {
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8')
  const kinds = {
    company: 'distributed by `company_id`',
    id: 'distributed by `id`',
    reference: 'reference, on every machine',
    single: 'on one machine',
  }
  for (const [kind, label] of Object.entries(kinds)) {
    const line = page.split('\n').find((text) => text.startsWith(`| ${label} |`)) ?? ''
    const shown = (line.split('|')[2]?.trim() ?? '').split(', ').filter(Boolean).sort()
    const names = declaredTables().flatMap(({ name, distribution }) => (distribution === kind ? [name] : []))
    assert.deepEqual(shown, names.sort(), label)
  }
})

test('rows are deleted before the rows that they refer to', () => {
  const position = new Map(companyTables().map(({ name }, i) => [name, i]))
  for (const table of companyTables()) {
    for (const target of Object.keys(referencesOf(table))) {
      const [own, other] = [position.get(table.name) as number, position.get(target)]
      if (other !== undefined) assert.ok(own < other, `${table.name} -> ${target}`)
    }
  }
})

test('a campaign is purged with every row that refers to it, and with the parts of its parts', () => {
  const isPart = (table: DeclaredTable) => isPartOf(table, 'campaigns', { company_id: 'company', id: 'id' }) !== undefined
  // Tallies are not deleted as rows: the rolls of the campaign are subtracted from them first.
  for (const table of companyTables())
    if ('campaigns' in referencesOf(table) && table.name !== 'dice_tallies') assert.ok(isPart(table), table.name)
  assert.ok(isPart(declared.get('inventory') as DeclaredTable), 'through the characters')
  for (const name of ['users', 'counters', 'grants']) assert.equal(isPart(declared.get(name) as DeclaredTable), false, name)
})
