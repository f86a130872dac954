import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pruneLogs } from '../src/db/embedded/log.ts'
import { ask, keyOf, newFolder, startOn } from './service.ts'

const namesIn = (folder: string) => readdirSync(folder).sort()
const bytesIn = (folder: string) => namesIn(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)

/** Creates a sparse file that looks large, with a date some days ago. */
function oldLog(folder: string, name: string, bytes: number, daysAgo: number): void {
  const path = join(folder, name)
  writeFileSync(path, '')
  truncateSync(path, bytes)
  const time = Date.now() / 1000 - daysAgo * 86_400
  utimesSync(path, time, time)
}

test('rejected duplicates leave no trace in the log of the embedded server', async () => {
  const dataDir = newFolder()
  const service = await startOn(dataDir)
  const key = keyOf(dataDir)
  const log = join(dataDir, 'postgres', 'log')
  const company = await ask(service, 'POST', '/api/v1/companies', key, { name: 'Duplicates' })
  const external_id = 'discord:quizzaciously-unusual'
  const post = () => ask(service, 'POST', `/api/v1/companies/${company.body.id}/users`, key, { name: 'A', role: 'PLAYER', external_id })
  assert.equal((await post()).status, 201)
  const before = bytesIn(log)
  for (let round = 0; round < 10; round++) {
    const replies = await Promise.all(Array.from({ length: 20 }, post))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([409]))
  }
  assert.equal(await service.kill('SIGTERM'), 0)
  const text = namesIn(log)
    .map((name) => readFileSync(join(log, name), 'utf8'))
    .join('')
  assert.match(text, /database system is ready to accept connections/, 'what the server does is logged')
  assert.equal(text.includes(external_id), false)
  assert.doesNotMatch(text, /ERROR|STATEMENT/)
  assert.ok(bytesIn(log) - before < 2000, `${bytesIn(log) - before} bytes for 200 duplicates`)
})

test('a start deletes old log files beyond 50 MB, the oldest first', async () => {
  const dataDir = newFolder()
  await (await startOn(dataDir)).kill('SIGTERM')
  const log = join(dataDir, 'postgres', 'log')
  for (let i = 1; i <= 8; i++) oldLog(log, `old-${i}.log`, 10_000_000, i)
  oldLog(log, 'postgresql-Mon.log', 1000, 9)
  const service = await startOn(dataDir)
  const old = namesIn(log).filter((name) => name.startsWith('old') || name.includes('Mon'))
  assert.deepEqual(old, ['old-1.log', 'old-2.log', 'old-3.log', 'old-4.log'])
  await service.kill('SIGTERM')
})

test('the log that is being written stays, however large it is', () => {
  const folder = newFolder()
  mkdirSync(folder)
  oldLog(folder, 'current.log', 2000, 0)
  oldLog(folder, 'older.log', 10, 1)
  oldLog(folder, 'other.txt', 5000, 2)
  pruneLogs(folder, 1000)
  assert.deepEqual(namesIn(folder), ['current.log', 'other.txt'])
  pruneLogs(join(folder, 'missing'))
})

test('at most 100 log files are kept', () => {
  const folder = newFolder()
  mkdirSync(folder)
  for (let i = 0; i < 120; i++) oldLog(folder, `${i}.log`, 10, i)
  pruneLogs(folder)
  const names = namesIn(folder)
  assert.deepEqual([names.length, names.includes('0.log'), names.includes('99.log'), names.includes('100.log')], [100, true, true, false])
})
