import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { sql } from '../src/db/sql.ts'
import { call, db, newCompany, newDatabase, url } from './harness.ts'
import { guildhall, guildhallProcess, launch, newFolder, startService } from './service.ts'

const on = { DATABASE_URL: url }
const json = async (args: string[], env: Record<string, string> = on) => {
  const { code, output } = await guildhall([...args, '--json'], env)
  assert.equal(code, 0, output)
  return JSON.parse(output)
}

test('an operator works from the first developer to the last key', async () => {
  const created = await json(['developers', 'create', 'Night Club Bot', '--issue-key'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: created.key })).body.name, 'Night Club Bot')
  const issued = await json(['keys', 'issue', 'Night Club Bot'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: issued.key })).status, 200)
  const rotated = await json(['keys', 'rotate', issued.id, '--overlap', '0'])
  assert.equal((await call('GET', '/api/v1/developers/me', { key: issued.key })).status, 401)
  assert.equal((await json(['keys', 'list', created.id])).length, 2)
  assert.deepEqual(await json(['keys', 'revoke', rotated.id, '--yes']), { revoked: rotated.id })
  assert.equal((await call('GET', '/api/v1/developers/me', { key: rotated.key })).status, 401)
  const { company_id, base, owner } = await newCompany()
  await json(['grants', 'set', 'Night Club Bot', company_id, 'admin'])
  assert.equal((await call('GET', `${base}/audit-logs`, { key: created.key })).status, 200)
  assert.deepEqual((await json(['developers', 'show', created.id])).companies, [{ company_id, permission: 'ADMIN' }])
  await json(['grants', 'remove', created.id, company_id, '--yes'])
  const last = await guildhall(['grants', 'remove', owner.id, company_id, '--yes'], on)
  assert.deepEqual(
    [last.code, last.output],
    [1, 'This is the last OWNER of the company. Give another developer the permission OWNER first.\n'],
  )
  assert.deepEqual(await json(['developers', 'delete', 'Night Club Bot', '--yes']), { deleted: created.id })
  const events = await db.query<{ type: string }>(
    sql`SELECT type FROM events WHERE company_id = ${created.id} AND developer_id IS NULL ORDER BY id`,
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['developer.created', 'api_key.issued', 'api_key.issued', 'api_key.rotated', 'api_key.revoked', 'developer.deleted'],
  )
})

test('output is a table unless JSON is requested', async () => {
  await guildhall(['developers', 'create', 'Zed'], on)
  const { output } = await guildhall(['developers', 'list'], on)
  assert.match(output, /^ID +NAME +IS GLOBAL ADMIN +COMPANIES +DATE CREATED\n/)
  assert.match(output, / {2}Zed {2}/)
  assert.match((await guildhall(['developers', 'show', 'Zed'], on)).output, /It has access to no company\./)
})

test('invalid arguments give one line and exit code 2', async () => {
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

test('names and ids that do not exist give one line and exit code 1', async () => {
  for (const args of [
    ['developers', 'show', 'nobody'],
    ['keys', 'revoke', 'x', '--yes'],
    ['companies', 'show', 'x'],
    ['companies', 'show', '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    ['grants', 'list', '--developer', 'nobody'],
    ['grants', 'list', '--company', 'x'],
    ['keys', 'list', '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    ['grants', 'set', 'nobody', 'x', 'USER'],
  ]) {
    const { code, output } = await guildhall(args, on)
    assert.deepEqual([code, output.trim().split('\n').length], [1, 1], `${args.join(' ')}: ${output}`)
  }
  const { code } = await guildhall(['developers', 'list'], { DATABASE_URL: 'mysql://nonsense' })
  assert.equal(code, 1)
})

test('a noun alone lists its commands', async () => {
  const { code, output } = await guildhall(['keys', '--help'])
  assert.deepEqual([code, output.trim().split('\n').length], [0, 4])
  assert.match((await guildhall(['keys'])).output, /^Usage: guildhall keys issue\|list\|rotate\|revoke\./)
})

test('help has examples for every command', async () => {
  const { code, output } = await guildhall(['--help'])
  assert.equal(code, 0)
  const commands = [...output.matchAll(/^ {2}guildhall ((?:[a-z-]+ ?)+)/gm)].map(([, words]) => (words as string).trim())
  assert.equal(commands.length, 28)
  for (const command of commands)
    assert.match((await guildhall([...command.split(' '), '--help'])).output, /Usage: guildhall .*\n[\s\S]*Examples:\n {2}/)
})

test('commands work on the embedded database, whether the service runs or not', async () => {
  const env = { GUILDHALL_DATA_DIR: newFolder() }
  await json(['migrate'], env)
  const created = await json(['developers', 'create', 'First', '--global-admin', '--issue-key'], env)
  const service = await startService(env)
  assert.equal((await fetch(`${service.base}/api/v1/developers/me`, { headers: { 'x-api-key': created.key } })).status, 200)
  const issued = await json(['keys', 'issue', 'First'], env)
  assert.equal((await fetch(`${service.base}/api/v1/developers/me`, { headers: { 'x-api-key': issued.key } })).status, 200)
  assert.equal(await service.kill('SIGTERM'), 0)
  assert.equal((await json(['keys', 'list', 'First'], env)).length, 2)
})

test('concurrent commands on an embedded database that is not running all work', async () => {
  const env = { GUILDHALL_DATA_DIR: newFolder() }
  await json(['migrate'], env)
  await json(['developers', 'create', 'First'], env)
  const made = await Promise.all(['A', 'B', 'C'].map((name) => guildhallProcess(['developers', 'create', name, '--json'], env)))
  assert.deepEqual(new Set(made.map(({ output }) => JSON.parse(output).name)), new Set(['A', 'B', 'C']))
  assert.equal(new Set(made.map(({ output }) => JSON.parse(output).id)).size, 3)
})

test('migrate prints the migrations that it applied', async () => {
  const fresh = await newDatabase({ empty: true })
  assert.match((await guildhall(['migrate'], { DATABASE_URL: fresh })).output, /^Applied 0001_start\.sql/)
  assert.equal((await guildhall(['migrate'], { DATABASE_URL: fresh })).output, 'The database is up to date.\n')
})

test('in a folder without a database, a command refuses with one line and creates nothing', async () => {
  const folder = newFolder()
  const refusal = `There is no database in ${folder}. Start the service there with guildhall serve, or set GUILDHALL_DATA_DIR or DATABASE_URL.\n`
  const id = '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'
  const commands = [
    ['developers', 'list'],
    ['developers', 'create', 'A'],
    ['developers', 'delete', 'A', '--yes'],
    ['keys', 'list', 'A'],
    ['companies', 'list'],
    ['companies', 'show', id],
    ['grants', 'list'],
    ['grants', 'set', 'A', id, 'USER'],
    ['backup', join(folder, '..', 'x.backup')],
    ['doctor'],
    ['recount'],
  ]
  for (const folderExists of [false, true]) {
    if (folderExists) mkdirSync(folder)
    for (const args of commands) {
      const { code, output } = await guildhall(args, { GUILDHALL_DATA_DIR: folder })
      assert.deepEqual([code, output], [2, refusal], args.join(' '))
    }
  }
  assert.deepEqual(readdirSync(folder), [])
})

test('companies and grants are listed', async () => {
  const { company_id, owner, base, key, developer } = await newCompany()
  const other = await developer('USER')
  const archived = await newCompany()
  await call('DELETE', archived.base, { key: archived.key })
  const companies = (await json(['companies', 'list'])) as { id: string; name: string }[]
  assert.deepEqual(
    [companies.find(({ id }) => id === company_id)?.name, companies.some(({ id }) => id === archived.company_id)],
    ['Test company', false],
  )
  const { developers, ...shown } = await json(['companies', 'show', company_id])
  assert.deepEqual(shown, (await call('GET', base, { key })).body)
  const access = (id: string, permission: string) => ({ developer_id: id, developer_name: 'Test developer', permission })
  const expected = [access(owner.id, 'OWNER'), access(other.id, 'USER')]
  assert.deepEqual(developers, expected)
  const grants = async (...flags: string[]) =>
    ((await json(['grants', 'list', ...flags])) as Record<string, string>[]).map(({ date_created, ...grant }) => grant)
  const company = { company_id, company_name: 'Test company' }
  const all = expected.map((grant) => ({ ...grant, ...company }))
  assert.deepEqual(await grants('--company', company_id), all)
  assert.deepEqual(await grants('--developer', other.id), [all[1]])
  assert.deepEqual(await grants('--developer', other.id, '--company', company_id), [all[1]])
  assert.deepEqual(await grants('--developer', archived.owner.id), [])
  const every = await grants()
  for (const grant of all) assert.ok(every.some((found) => found.developer_id === grant.developer_id))
  assert.match((await guildhall(['companies', 'show', company_id], on)).output, /DEVELOPER ID +DEVELOPER NAME +PERMISSION\n/)
  assert.match((await guildhall(['grants', 'list'], on)).output, /^DEVELOPER ID +DEVELOPER NAME +COMPANY ID +COMPANY NAME +PERMISSION/)
  assert.equal((await guildhall(['grants', 'list', '--developer', archived.owner.id], on)).output, 'There are no grants.\n')
})

test('a second developer of the same name is created with a warning', async () => {
  const first = await json(['developers', 'create', 'Twin'])
  const { child, output } = launch(['developers', 'create', 'Twin', '--json'], on)
  let printed = ''
  child.stdout.on('data', (text) => (printed += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.notEqual(JSON.parse(printed).id, first.id)
  assert.ok(output().includes(`Warning: developer ${first.id} is also named 'Twin'. Use ids to tell them apart.\n`), output())
})

test('a command that deletes needs --yes outside a terminal', async () => {
  const { company_id, developer } = await newCompany()
  const { id, key_id, key } = await developer('USER')
  for (const args of [
    ['developers', 'delete', id],
    ['grants', 'remove', id, company_id],
    ['keys', 'revoke', key_id],
  ]) {
    const { code, output } = await guildhall(args, on)
    const sentence = `guildhall ${args.slice(0, 2).join(' ')} needs a confirmation. Run it in a terminal, or add --yes.\n`
    assert.deepEqual([code, output], [2, sentence])
  }
  assert.equal((await call('GET', `/api/v1/companies/${company_id}`, { key })).status, 200, 'nothing was deleted')
})

const SCRIPT = '/usr/bin/script'

test('in a terminal a deletion asks, and any answer but yes deletes nothing', {
  skip: !existsSync(SCRIPT) && 'script is not installed',
}, async () => {
  const { id } = await json(['developers', 'create', 'Short-lived'])
  const bin = new URL('../bin/guildhall.mjs', import.meta.url).pathname
  const inTerminal = async (answer: string) => {
    const command = `${process.execPath} ${bin} developers delete ${id}`
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], { env: { ...process.env, ...on }, stdio: ['pipe', 'pipe', 'ignore'] })
    let output = ''
    let asked = false
    child.stdout.on('data', (text) => {
      // Without the codes that move the cursor.
      output += stripVTControlCharacters(String(text))
      if (!asked && output.includes('[y/N] ')) {
        asked = true
        child.stdin.write(answer)
      }
    })
    after(() => child.kill('SIGKILL'))
    const [code] = await once(child, 'close')
    return { code, output }
  }
  // Enter, a word, Ctrl-C, Ctrl-D.
  for (const answer of ['\n', 'no\n', '\x03', '\x04']) {
    const { code, output } = await inTerminal(answer)
    assert.match(output, new RegExp(`^Delete developer '${id}' with its keys and its access to companies\\? \\[y/N\\] `))
    assert.match(output, /Cancelled\. Nothing was changed\./)
    assert.equal(code, 1)
  }
  assert.equal((await json(['developers', 'show', id])).id, id)
  const { code, output } = await inTerminal('y\n')
  assert.deepEqual([code, output.includes(`Developer ${id} is deleted.`)], [0, true], output)
})

test('the last global admin is not deleted at the command line either', async () => {
  const fresh = { DATABASE_URL: await newDatabase() }
  const { id } = await json(['developers', 'create', 'operator', '--global-admin'], fresh)
  const { code, output } = await guildhall(['developers', 'delete', id, '--yes'], fresh)
  assert.deepEqual([code, output], [1, 'This is the last global admin of the service. Make another developer a global admin first.\n'])
  await json(['developers', 'create', 'second', '--global-admin'], fresh)
  assert.deepEqual(await json(['developers', 'delete', id, '--yes'], fresh), { deleted: id })
})
