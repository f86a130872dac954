import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/db/client.ts'
import { runningUrl } from '../src/db/embedded/server.ts'
import { sql } from '../src/db/sql.ts'
import { randomOf } from './random.ts'
import { ask, keyOf, launch, newFolder, type Service, startOn as start, type Wire } from './service.ts'
import { repeat, until } from './until.ts'

// The embedded server as in production: durable, started by the service, on data folders of its own.

const postmaster = (dataDir: string) => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
const post = (service: Service, key: string, name: string): Promise<Wire | undefined> =>
  ask(service, 'POST', '/api/v1/companies', key, { name }, { 'idempotency-key': name }).catch(() => undefined)

const random = randomOf()
const dataDir = newFolder()

test('the first start creates an operator, whose key works and is stored in a private file', async () => {
  const service = await start(dataDir)
  const key = keyOf(dataDir)
  assert.match(service.output(), new RegExp(key))
  assert.equal(statSync(join(dataDir, 'operator.key')).mode & 0o777, 0o600)
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  const me = await ask(service, 'GET', '/api/v1/developers/me', key)
  assert.deepEqual([me.body.name, me.body.is_global_admin], ['operator', true])
  assert.equal(await service.kill('SIGTERM'), 0)
  assert.deepEqual(readdirSync(join(dataDir, 'postgres')).includes('postmaster.pid'), false, 'the database was stopped')
})

test('a later start keeps the key and does not print it', async () => {
  const service = await start(dataDir)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  assert.equal(service.output().includes(keyOf(dataDir)), false)
  assert.match(service.output(), /operator\.key/)
  await service.kill('SIGTERM')
})

test('the server listens on no port, syncs to disk, and does not run as root', async () => {
  const service = await start(dataDir)
  const db = connect(runningUrl(dataDir) as string, { readers: 1, writers: 1 })
  const [settings] = await db.query(sql`
    SELECT current_setting('listen_addresses') AS listen_addresses, current_setting('fsync') AS fsync,
           current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit`)
  assert.deepEqual(settings, { listen_addresses: '', fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' })
  await db.close()
  if (process.platform === 'linux') assert.match(readFileSync(`/proc/${postmaster(dataDir)}/status`, 'utf8'), /^CapEff:\s+0+$/m)
  await service.kill('SIGTERM')
})

test('after kill -9 of the service the next start stops the orphan, and no committed row is lost', async () => {
  let service = await start(dataDir)
  const key = keyOf(dataDir)
  const made: string[] = []
  for (let round = 0; round < 3; round++) {
    const stop = repeat(async (i, writer) => {
      const name = `${round}-${writer}-${i}`
      if ((await post(service, key, name))?.status === 201) made.push(name)
    }, 6)
    // Kill during the work, however slow the machine is.
    const enough = made.length + 5 + random.below(20)
    await until(() => made.length >= enough, 'rows')
    await service.kill('SIGKILL')
    await stop()
    service = await start(dataDir)
  }
  assert.ok(made.length > 10)
  const { body } = await ask(service, 'GET', '/api/v1/companies?limit=0', key)
  assert.ok(body.total >= made.length, `${body.total} of ${made.length}`)
  for (const name of made.slice(-20)) {
    const found = await ask(service, 'GET', `/api/v1/companies?q=${name}&limit=100`, key)
    assert.ok(
      found.body.items.some((item) => item.name === name),
      `${name} is lost`,
    )
  }
  await service.kill('SIGTERM')
})

test('a start stops an orphaned server that is still running, and replaces it', async () => {
  const service = await start(dataDir)
  const orphan = postmaster(dataDir)
  process.kill(orphan, 'SIGSTOP')
  await service.kill('SIGKILL')
  const next = start(dataDir)
  // The signal that stops it waits until it goes on.
  const hasSignal = () => /^ShdPnd:\s+0*[1-9a-f]/m.test(readFileSync(`/proc/${orphan}/status`, 'utf8'))
  if (process.platform === 'linux') await until(hasSignal, 'the next start to stop the orphan')
  process.kill(orphan, 'SIGCONT')
  const taken = await next
  assert.notEqual(postmaster(dataDir), orphan)
  assert.equal((await ask(taken, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await taken.kill('SIGTERM')
})

test('after kill -9 of PostgreSQL requests get 503 with Retry-After, then succeed without a restart, and nothing is lost', async () => {
  const service = await start(dataDir)
  const key = keyOf(dataDir)
  const before = postmaster(dataDir)
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  const stop = repeat(async (i, writer) => {
    const reply = await post(service, key, `crash-${writer}-${i}`)
    assert.ok(reply, 'the service itself must stay')
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
    if (reply.status === 201) acknowledged.push(reply.body.id)
    else assert.deepEqual([reply.status, reply.headers.get('retry-after')], [503, '1'], reply.text)
  }, 6)
  await until(() => acknowledged.length > 5, 'rows')
  process.kill(before, 'SIGKILL')
  await until(() => statuses.get(503), 'requests that meet the crash')
  await until(async () => (await fetch(`${service.base}/health/ready`)).status === 200, 'it to come back')
  const enough = acknowledged.length + 5
  await until(() => acknowledged.length > enough, 'more rows')
  await stop()
  assert.notEqual(postmaster(dataDir), before)
  for (const id of acknowledged) assert.equal((await ask(service, 'GET', `/api/v1/companies/${id}`, key)).status, 200, `${id} is lost`)
  await service.kill('SIGTERM')
})

test('a first start that is killed halfway does not affect the next one', async () => {
  const folder = newFolder()
  // Halfway is where one of these appears: the database is being created, is complete, or is starting.
  for (const pattern of ['postgres.new-*', 'postgres.new-*/base/1', 'postgres', 'postgres/postmaster.pid']) {
    // With its time, because an earlier one may be left.
    const find = () =>
      globSync(pattern, { cwd: folder }).map((name) => `${name} ${statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs}`)
    const before = new Set(find())
    const { child } = launch(['serve'], { GUILDHALL_DATA_DIR: folder })
    await until(() => find().some((name) => !before.has(name)), pattern)
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  const service = await start(folder)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(folder))).status, 200)
  await service.kill('SIGTERM')
})

test('a signal during the start stops the database, without an error message', {
  skip: process.platform !== 'linux' && 'looks into /proc',
}, async () => {
  const left = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && linkOf(pid) === join(dataDir, 'postgres')).length
  for (const pause of [0, 10, 30, 100]) {
    const { child, output } = launch(['serve'], { GUILDHALL_DATA_DIR: dataDir, PATH: withoutSetpriv() })
    // As soon as the database is starting.
    await until(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid')), 'the database to start')
    await sleep(pause)
    child.kill('SIGTERM')
    await once(child, 'close')
    assert.equal(child.exitCode ?? 0, 0)
    assert.equal(left(), 0, `a PostgreSQL was left after ${pause} ms`)
    assert.doesNotMatch(output(), /Error|cannot/)
  }
})

const linkOf = (pid: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** Returns a PATH without a working setpriv, so that only the service itself ends the database. */
function withoutSetpriv(): string {
  const bin = mkdtempSync(join(tmpdir(), 'guildhall-bin-'))
  after(() => rmSync(bin, { recursive: true, force: true }))
  writeFileSync(join(bin, 'setpriv'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${bin}:${process.env.PATH}`
}
