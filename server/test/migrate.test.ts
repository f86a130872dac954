import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrate, migrations } from '../src/db/migrate.ts'
import { newDatabase } from './harness.ts'
import { guildhall } from './service.ts'

const known = migrations()
const next = { version: 9999, name: '9999_next.sql', checksum: 'x', text: 'CREATE TABLE next_things (id int)' }

test('migrations apply once, also when five start at once', async () => {
  const url = await newDatabase({ empty: true })
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  assert.deepEqual(
    applied.flat(),
    known.map(({ name }) => name),
  )
  assert.deepEqual(await migrate(url), [])
})

test('a migration that fails leaves nothing behind', async () => {
  const url = await newDatabase({ empty: true })
  const broken = { ...next, text: 'CREATE TABLE half (id int); SELECT nonsense' }
  await assert.rejects(migrate(url, [...known, broken]), /nonsense/)
  assert.deepEqual(
    await migrate(url),
    known.map(({ name }) => name),
  )
})

test('a changed old migration is refused with a sentence', async () => {
  const url = await newDatabase()
  const [first, ...rest] = known
  await assert.rejects(
    migrate(url, [{ ...(first as typeof next), checksum: 'other' }, ...rest]),
    /differs from the one this database was built with/,
  )
})

test('a database newer than the code is refused with a sentence', async () => {
  const url = await newDatabase()
  assert.deepEqual(await migrate(url, [...known, next]), ['9999_next.sql'])
  const { code, output } = await guildhall(['serve'], { DATABASE_URL: url })
  assert.deepEqual([code, output], [1, 'The database is newer than this code: it has migration 9999_next.sql. Run the newer Guildhall.\n'])
})

test('a database that cannot be reached is one sentence', async () => {
  for (const url of [
    'postgres://guildhall@127.0.0.1:1/x',
    'postgres://guildhall@/nonsense?host=/nowhere',
    (await newDatabase()).replace('?', '_none?'),
  ]) {
    const { code, output } = await guildhall(['migrate'], { DATABASE_URL: url })
    assert.equal(code, 1)
    assert.match(output, /^The database cannot be reached: .*Check DATABASE_URL\.\n$/)
  }
})
