import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runningUrl } from '../src/db/embedded/server.ts'
import { ask, guildhall, keyOf, newFolder, startOn as start, startService } from './service.ts'

// The data folder of the embedded server: its owner, its location, and what is refused.

const dataDir = newFolder()

test('a second service on the same folder is refused with one line; another process can use its socket', async () => {
  const service = await start(dataDir)
  const second = await guildhall(['serve'], { GUILDHALL_DATA_DIR: dataDir })
  assert.deepEqual(
    [second.code, second.output],
    [1, `The data folder ${dataDir} is in use by another Guildhall. Stop it, or set another GUILDHALL_DATA_DIR.\n`],
  )
  const shared = await startService({ DATABASE_URL: runningUrl(dataDir) as string })
  assert.equal((await ask(shared, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await shared.kill('SIGTERM')
  await service.kill('SIGTERM')
})

test('a folder has one owner under all its names, including symbolic links', async () => {
  const link = join(dataDir, '..', 'link')
  symlinkSync(dataDir, link)
  const service = await start(link)
  const second = await guildhall(['serve'], { GUILDHALL_DATA_DIR: dataDir })
  assert.deepEqual([second.code, /is in use by another Guildhall/.test(second.output)], [1, true])
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await service.kill('SIGKILL')
  const next = await start(link)
  assert.equal((await ask(next, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await next.kill('SIGTERM')
})

test('a pid file whose number belongs to an unrelated process does not prevent the start', async () => {
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n\n  1 1\nready\n`)
  const service = await start(dataDir)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await service.kill('SIGTERM')
})

const isolated = ['unshare', '--net', '--pid', '--ipc', '--mount', '--fork', '--mount-proc']
const canIsolate = spawnSync(isolated[0] as string, [...isolated.slice(1), 'true']).status === 0

test('a service in another container on the same volume is refused, too', { skip: !canIsolate && 'needs namespaces' }, async () => {
  const service = await start(dataDir)
  const bin = new URL('../bin/guildhall.mjs', import.meta.url).pathname
  const env = { ...process.env, GUILDHALL_DATA_DIR: dataDir, PORT: '0' }
  const other = spawnSync(isolated[0] as string, [...isolated.slice(1), process.execPath, bin, 'serve'], {
    encoding: 'utf8',
    env,
    timeout: 20_000,
  })
  assert.equal(other.status, 1)
  assert.match(other.stderr, /is in use by another Guildhall/)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await service.kill('SIGTERM')
})

test('a data folder that is a file, or of another major version, is refused with one line', async () => {
  const file = newFolder()
  writeFileSync(file, 'in the way')
  const blocked = await guildhall(['serve'], { GUILDHALL_DATA_DIR: join(file, 'below') })
  assert.deepEqual([blocked.code, blocked.output.split('\n').length], [1, 2])
  assert.match(blocked.output, /cannot be created/)
  const old = newFolder()
  mkdirSync(join(old, 'postgres'), { recursive: true })
  writeFileSync(join(old, 'postgres', 'PG_VERSION'), '14\n')
  const refused = await guildhall(['serve'], { GUILDHALL_DATA_DIR: old })
  assert.deepEqual([refused.code, refused.output.split('\n').length], [1, 2])
  assert.match(refused.output, /has a database of PostgreSQL 14,/)
})

test('a data folder that is not writable is refused with one line', {
  skip: process.getuid?.() !== 0 && 'needs root to become another user',
}, () => {
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  chmodSync(join(folder, '..'), 0o755)
  // The code is loaded before the process gives up its privileges, because it may not be readable afterwards.
  const script = `
    const { prepareFolder } = await import(${JSON.stringify(new URL('../src/db/embedded/folder.ts', import.meta.url).pathname)})
    process.setgid(65534)
    process.setuid(65534)
    try { prepareFolder(${JSON.stringify(folder)}) } catch (error) { console.log(error.message) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.match(stdout, /is not writable \(EPERM\)|is not writable \(EACCES\)/)
})

test('a folder with other files is left alone', async () => {
  const folder = newFolder()
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'thesis.txt'), 'x')
  const { code, output } = await guildhall(['serve'], { GUILDHALL_DATA_DIR: folder })
  assert.deepEqual([code, output], [1, `The folder ${folder} contains other files. Set GUILDHALL_DATA_DIR to a new or empty folder.\n`])
  assert.equal(statSync(folder).mode & 0o777, 0o755)
})

test('a data folder with a long path has its socket in a folder with a short path', async () => {
  const deep = join(newFolder(), 'x'.repeat(60), 'y'.repeat(60))
  const service = await start(deep)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(deep))).status, 200)
  assert.ok(!(runningUrl(deep) as string).includes('yyyy'))
  await service.kill('SIGTERM')
})

test('a first start whose port is in use creates no operator, so that the next one can show the key', async () => {
  const folder = newFolder()
  const service = await start(dataDir)
  const port = new URL(service.base).port
  assert.equal((await guildhall(['serve'], { GUILDHALL_DATA_DIR: folder, PORT: port })).code, 1)
  await service.kill('SIGTERM')
  const later = await start(folder)
  assert.match(later.output(), /shown this once: glh_/)
  await later.kill('SIGTERM')
})

test('without user namespaces the server runs as nobody, and the data can be used both ways', {
  skip: process.getuid?.() !== 0 && 'only root needs another identity',
}, async () => {
  const folder = newFolder()
  chmodSync(join(folder, '..'), 0o755)
  const bin = join(folder, '..', 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const forbidden = { PATH: `${bin}:${process.env.PATH}` }
  const owner = () => statSync(join(folder, 'postgres')).uid
  const owners: number[] = []
  for (const env of [forbidden, {}, forbidden] as Record<string, string>[]) {
    const service = await startService({ GUILDHALL_DATA_DIR: folder, ...env })
    assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(folder))).status, 200)
    owners.push(owner())
    assert.equal(await service.kill('SIGTERM'), 0)
  }
  assert.deepEqual(owners, [65_534, 0, 65_534])
  const hidden = join(folder, '..', 'hidden')
  mkdirSync(hidden, { mode: 0o700 })
  const refused = await guildhall(['serve'], { GUILDHALL_DATA_DIR: join(hidden, 'data'), ...forbidden })
  assert.deepEqual([refused.code, refused.output.split('\n').length], [1, 2])
  assert.match(refused.output, /the user nobody cannot enter/)
})
