import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './free-port.ts'
import { guildhall, launch, type Service, startService } from './service.ts'
import { until } from './until.ts'

const root = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'guildhall-start-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('the commands on the screen set up a table and create a company', async () => {
  const service = await startService({ GUILDHALL_DATA_DIR: join(folder, 'data'), RATE_LIMIT: 'on' })
  const commandsOf = (started: Service) => started.output().match(/(?<=^ {4})\S.*/gm) ?? []
  const [demo = '', create = '', ...others] = commandsOf(service)
  assert.deepEqual([demo.replace(/^PORT=\d+ /, ''), others], ['npm run -s guildhall -- demo', []])
  const made = await guildhall(['demo'], { GUILDHALL_DATA_DIR: join(folder, 'data'), PORT: new URL(service.base).port })
  assert.match(made.output, /^The table is ready: 'Nine Strokes at Wendlemere', in the company 'The Second Kettle'/)
  assert.deepEqual(made.output.match(/\/console\/#code=gll_/g)?.length, 4)
  assert.equal(JSON.parse(spawnSync('sh', ['-c', create], { encoding: 'utf8' }).stdout).name, 'My first company')
  assert.equal(await service.kill('SIGTERM'), 0)
  const later = await startService({ GUILDHALL_DATA_DIR: join(folder, 'data'), RATE_LIMIT: 'on' })
  const [again = ''] = commandsOf(later)
  assert.equal(JSON.parse(spawnSync('sh', ['-c', again], { encoding: 'utf8' }).stdout).total, 2)
  await later.kill('SIGTERM')
})

for (const flags of [[], ['--processes', '2']])
  test(`a first start is ready only when the operator key works: serve ${flags.join(' ')}`, async () => {
    const port = await freePort()
    const dataDir = join(mkdtempSync(join(folder, 'first-')), 'data')
    const { child, output } = launch(['serve', ...flags], { GUILDHALL_DATA_DIR: dataDir, PORT: port })
    const ended = once(child, 'close')
    after(() => child.kill('SIGKILL') && ended)
    const base = `http://127.0.0.1:${port}`
    await until(async () => {
      assert.equal(child.exitCode, null, output())
      return (await fetch(`${base}/health/ready`).catch(() => undefined))?.status === 200
    }, output)
    const key = readFileSync(join(dataDir, 'operator.key'), 'utf8').trim()
    assert.equal((await fetch(`${base}/api/v1/developers/me`, { headers: { 'x-api-key': key } })).status, 200)
    child.kill('SIGTERM')
    await ended
  })

test('a port in use gives one line and exit code 1', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const { code, output } = await guildhall(['serve'], { GUILDHALL_DATA_DIR: join(folder, 'data'), PORT: String(port) })
  assert.deepEqual(
    [code, output],
    [1, `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with PORT=8081 npm start.\n`],
  )
})

test('the start warns if limits are off', async () => {
  const service = await startService({ GUILDHALL_DATA_DIR: join(folder, 'data') })
  assert.match(service.output(), /RATE LIMITS ARE OFF/)
  await service.kill('SIGTERM')
})

test('a platform without embedded binaries gives one line', () => {
  const script = `
    Object.defineProperty(process, 'arch', { value: 'sparc' })
    process.argv.splice(1, process.argv.length, 'guildhall')
    const { main } = await import(${JSON.stringify(`${root}server/src/cli/main.ts`)})
    await main(['serve'])`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', cwd: folder })
  assert.equal(status, 1, stderr)
  assert.match(stderr, /^There is no embedded PostgreSQL for this platform \(\w+-sparc\)\. Set DATABASE_URL[^\n]+\n$/)
})

test('npm start on Windows says what to use instead', () => {
  const script = `
    Object.defineProperty(process, 'platform', { value: 'win32' })
    await import(${JSON.stringify(`${root}scripts/prepare.mjs`)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr)
  assert.match(stderr, /^Guildhall does not run on Windows\. Run it in WSL 2: /)
})

test('a Node version that is too old gives one line', () => {
  const script = `
    Object.defineProperty(process.versions, 'node', { value: '20.1.0' })
    await import(${JSON.stringify(`${root}server/bin/guildhall.mjs`)})`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.deepEqual([status, stderr.split('\n').length], [1, 2])
  assert.match(stderr, /needs Node 22\.18 or later, and this is 20\.1\.0/)
})
