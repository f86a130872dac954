import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { call, db, newCompany, newDatabase, url } from './harness.ts'
import { guildhall, newFolder, startService } from './service.ts'

const on = { DATABASE_URL: url }
const json = async (args: string[], env: Record<string, string> = on) => {
  const { code, output } = await guildhall([...args, '--json'], env)
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

test('an operator works from the first developer to the last key', async () => {
  const made = await json(['developers', 'create', 'Night Club Bot', '--issue-key'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: made.key })).body.name, 'Night Club Bot')
  const issued = await json(['keys', 'issue', 'Night Club Bot'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: issued.key })).status, 200)
  const rotated = await json(['keys', 'rotate', issued.id, '--overlap', '0'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: issued.key })).status, 401)
  assert.equal((await json(['keys', 'list', made.id])).length, 2)
  assert.deepEqual(await json(['keys', 'revoke', rotated.id]), { revoked: rotated.id })
  assert.equal((await call('GET', '/api/v1/developers/me', { key: rotated.key })).status, 401)
  const { company_id, base, owner } = await newCompany()
  await json(['grants', 'set', 'Night Club Bot', company_id, 'admin'])
  assert.equal((await call('GET', `${base}/audit-logs`, { key: made.key })).status, 200)
  assert.deepEqual((await json(['developers', 'show', made.id])).companies, [{ company_id, permission: 'ADMIN' }])
  await json(['grants', 'remove', made.id, company_id])
  const last = await guildhall(['grants', 'remove', owner.id, company_id], on)
  assert.deepEqual([last.code, last.output], [1, 'This is the last OWNER of the company: give another developer OWNER first.\n'])
  assert.deepEqual(await json(['developers', 'delete', 'Night Club Bot']), { deleted: made.id })
  const events = await db.query<{ type: string }>(
    sql`SELECT type FROM events WHERE company_id = ${made.id} AND developer_id IS NULL ORDER BY id`,
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['developer.created', 'api_key.issued', 'api_key.issued', 'api_key.rotated', 'api_key.revoked', 'developer.deleted'],
  )
})

test('people get tables', async () => {
  await guildhall(['developers', 'create', 'Zed'], on)
  const { output } = await guildhall(['developers', 'list'], on)
  assert.match(output, /^ID +NAME +IS GLOBAL ADMIN +COMPANIES +DATE CREATED\n/)
  assert.match(output, / {2}Zed {2}/)
  assert.match((await guildhall(['developers', 'show', 'Zed'], on)).output, /It reaches no company\./)
})

test('bad arguments are one sentence and exit code 2', async () => {
  const cases = [
    ['nonsense'],
    ['developers'],
    ['developers', 'create'],
    ['developers', 'create', 'a', 'b'],
    ['developers', 'list', '--nonsense'],
    ['grants', 'set', 'a', 'b', 'KING'],
    ['keys', 'rotate', 'x', '--overlap', 'soon'],
    ['keys', 'rotate', 'x', '--overlap', ''],
    ['keys', 'rotate', 'x', '--overlap', '-1'],
    ['developers', 'create', ' '],
  ]
  for (const args of cases) {
    const { code, output } = await guildhall(args, on)
    assert.deepEqual([code, output.trim().split('\n').length], [2, 1], `${args.join(' ')}: ${output}`)
  }
})

test('what does not exist is one sentence and exit code 1', async () => {
  for (const args of [
    ['developers', 'show', 'nobody'],
    ['keys', 'revoke', 'x'],
    ['keys', 'list', '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    ['grants', 'set', 'nobody', 'x', 'USER'],
  ]) {
    const { code, output } = await guildhall(args, on)
    assert.deepEqual([code, output.trim().split('\n').length], [1, 1], `${args.join(' ')}: ${output}`)
  }
  const { code } = await guildhall(['developers', 'list'], { DATABASE_URL: 'mysql://nonsense' })
  assert.equal(code, 1)
})

test('a noun alone tells its commands', async () => {
  const { code, output } = await guildhall(['keys', '--help'])
  assert.deepEqual([code, output.trim().split('\n').length], [0, 4])
  assert.match((await guildhall(['keys'])).output, /^Usage: guildhall keys issue\|list\|rotate\|revoke\./)
})

test('help has examples for every command', async () => {
  const { code, output } = await guildhall(['--help'])
  assert.equal(code, 0)
  const commands = [...output.matchAll(/^ {2}guildhall ((?:[a-z-]+ ?)+)/gm)].map(([, words]) => (words as string).trim())
  assert.equal(commands.length, 17)
  for (const command of commands)
    assert.match((await guildhall([...command.split(' '), '--help'])).output, /Usage: guildhall .*\n[\s\S]*Examples:\n {2}/)
})

test('it works on the embedded database, whether the service runs or not', async () => {
  const env = { GUILDHALL_DATA_DIR: newFolder() }
  const made = await json(['developers', 'create', 'First', '--global-admin', '--issue-key'], env)
  const service = await startService(env)
  assert.equal((await fetch(`${service.base}/api/v1/developers/me`, { headers: { 'x-api-key': made.key } })).status, 200)
  const issued = await json(['keys', 'issue', 'First'], env)
  assert.equal((await fetch(`${service.base}/api/v1/developers/me`, { headers: { 'x-api-key': issued.key } })).status, 200)
  assert.equal(await service.kill('SIGTERM'), 0)
  assert.equal((await json(['keys', 'list', 'First'], env)).length, 2)
})

test('two commands at once on a database that nobody runs both work', async () => {
  const env = { GUILDHALL_DATA_DIR: newFolder() }
  await json(['developers', 'create', 'First'], env)
  const made = await Promise.all(['A', 'B', 'C'].map((name) => json(['developers', 'create', name], env)))
  assert.equal(new Set(made.map(({ id }) => id)).size, 3)
})

test('migrate tells what it did', async () => {
  const fresh = await newDatabase({ empty: true })
  assert.match((await guildhall(['migrate'], { DATABASE_URL: fresh })).output, /^Applied 0001_start\.sql/)
  assert.equal((await guildhall(['migrate'], { DATABASE_URL: fresh })).output, 'The database is up to date.\n')
})
