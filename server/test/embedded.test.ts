import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runningUrl } from '../src/db/embedded/server.ts'
import { ask, guildhall, launch, type Service, startService, type Wire } from './service.ts'

// The embedded server as people get it: durable, started by the service, on data folders of its own.

function newFolder(prefix = 'guildhall-data-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}
const start = (dataDir: string) => startService({ GUILDHALL_DATA_DIR: dataDir })
const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'operator.key'), 'utf8').trim()
const postmaster = (dataDir: string) => Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
const post = (service: Service, key: string, name: string): Promise<Wire | undefined> =>
  ask(service, 'POST', '/api/v1/companies', key, { name }, { 'idempotency-key': name }).catch(() => undefined)

const dataDir = newFolder()

test('the first start makes an operator, whose key works and lies in a private file', async () => {
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

test('a later start keeps the key, prints it no more, and answers within three seconds', async () => {
  const began = Date.now()
  const service = await start(dataDir)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  assert.ok(Date.now() - began < 3000, `it took ${Date.now() - began} ms`)
  assert.equal(service.output().includes(keyOf(dataDir)), false)
  assert.match(service.output(), /operator\.key/)
  await service.kill('SIGTERM')
})

test('it listens on no port, syncs to disk, and does not run as root', async () => {
  const service = await start(dataDir)
  const psql = (text: string) =>
    guildhall(['migrate', '--json'], { GUILDHALL_DATA_DIR: dataDir }).then(async () => {
      const { connect } = await import('../src/db/client.ts')
      const { sql } = await import('../src/db/sql.ts')
      const db = connect(runningUrl(dataDir) as string, { readers: 1, writers: 1 })
      const rows = await db.query<{ value: string }>(sql`SELECT current_setting(${text}) AS value`)
      await db.close()
      return rows[0]?.value
    })
  assert.deepEqual([await psql('listen_addresses'), await psql('fsync'), await psql('full_page_writes')], ['', 'on', 'on'])
  assert.equal(await psql('synchronous_commit'), 'on')
  await service.kill('SIGTERM')
})

test('after kill -9 of the service the next start stops the orphan, and no committed row is lost', async () => {
  let service = await start(dataDir)
  const key = keyOf(dataDir)
  const made: string[] = []
  for (let round = 0; round < 3; round++) {
    let going = true
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let i = 0; going; i++) {
        const name = `${round}-${writer}-${i}`
        if ((await post(service, key, name))?.status === 201) made.push(name)
      }
    })
    await sleep(200 + Math.random() * 200)
    await service.kill('SIGKILL')
    going = false
    await Promise.all(writers)
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

test('a start that finds the orphan still running ends it and takes its place', async () => {
  const service = await start(dataDir)
  const orphan = postmaster(dataDir)
  process.kill(orphan, 'SIGSTOP')
  await service.kill('SIGKILL')
  await sleep(100)
  const next = start(dataDir)
  await sleep(300)
  process.kill(orphan, 'SIGCONT')
  const taken = await next
  assert.notEqual(postmaster(dataDir), orphan)
  assert.equal((await ask(taken, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await taken.kill('SIGTERM')
})

test('kill -9 of PostgreSQL: 503 with Retry-After, then service again without a restart, nothing lost', async () => {
  const service = await start(dataDir)
  const key = keyOf(dataDir)
  const before = postmaster(dataDir)
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let going = true
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let i = 0; going; i++) {
      const name = `crash-${writer}-${i}`
      const reply = await post(service, key, name)
      assert.ok(reply, 'the service itself must stay')
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
      if (reply.status === 201) acknowledged.push(reply.body.id)
      else {
        assert.equal(reply.status, 503, reply.text)
        assert.equal(reply.headers.get('retry-after'), '1', reply.text)
        await sleep(20)
      }
    }
  })
  await sleep(300)
  process.kill(before, 'SIGKILL')
  const began = Date.now()
  await sleep(50)
  while ((await fetch(`${service.base}/health/ready`)).status !== 200) {
    assert.ok(Date.now() - began < 20_000, 'it did not come back')
    await sleep(50)
  }
  await sleep(300)
  going = false
  await Promise.all(writers)
  assert.ok((statuses.get(503) ?? 0) > 0, 'some requests met the crash')
  assert.notEqual(postmaster(dataDir), before)
  for (const id of acknowledged) assert.equal((await ask(service, 'GET', `/api/v1/companies/${id}`, key)).status, 200, `${id} is lost`)
  await service.kill('SIGTERM')
})

test('a second service on the same folder is refused with a sentence; a process shares it through the socket', async () => {
  const service = await start(dataDir)
  const second = await guildhall(['serve'], { GUILDHALL_DATA_DIR: dataDir })
  assert.deepEqual(
    [second.code, second.output],
    [1, `The data folder ${dataDir} is in use by another Guildhall: stop it, or set another GUILDHALL_DATA_DIR.\n`],
  )
  const shared = await startService({ DATABASE_URL: runningUrl(dataDir) as string })
  assert.equal((await ask(shared, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await shared.kill('SIGTERM')
  await service.kill('SIGTERM')
})

test('a data folder that is no folder, or of another major version, is refused with a sentence', async () => {
  const file = newFolder()
  writeFileSync(file, 'in the way')
  const blocked = await guildhall(['serve'], { GUILDHALL_DATA_DIR: join(file, 'below') })
  assert.deepEqual([blocked.code, blocked.output.split('\n').length], [1, 2])
  assert.match(blocked.output, /cannot be made/)
  const old = newFolder()
  mkdirSync(join(old, 'postgres'), { recursive: true })
  writeFileSync(join(old, 'postgres', 'PG_VERSION'), '14\n')
  const refused = await guildhall(['serve'], { GUILDHALL_DATA_DIR: old })
  assert.deepEqual([refused.code, refused.output.split('\n').length], [1, 2])
  assert.match(refused.output, /holds a PostgreSQL 14 database/)
})

test('a data folder that is not writable is refused with a sentence', {
  skip: process.getuid?.() !== 0 && 'needs root to become another user',
}, () => {
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  chmodSync(join(folder, '..'), 0o755)
  // Loaded before it gives up its rights: the code may lie where nobody can read it.
  const script = `
    const { prepareFolder } = await import(${JSON.stringify(new URL('../src/db/embedded/folder.ts', import.meta.url).pathname)})
    process.setgid(65534)
    process.setuid(65534)
    try { prepareFolder(${JSON.stringify(folder)}) } catch (error) { console.log(error.message) }`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.match(stdout, /is not writable \(EPERM\)|is not writable \(EACCES\)/)
})

test('a deep data folder gets its socket in a short one', async () => {
  const deep = join(newFolder(), 'x'.repeat(60), 'y'.repeat(60))
  const service = await start(deep)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(deep))).status, 200)
  assert.ok(!(runningUrl(deep) as string).includes('yyyy'))
  await service.kill('SIGTERM')
})

test('a first start killed half-way does not trip the next', async () => {
  const folder = newFolder()
  for (let round = 0; round < 3; round++) {
    const starting = start(folder).catch(() => undefined)
    await sleep(150 + round * 250)
    for (const pid of spawnSync('pgrep', ['-f', `GUILDHALL_NONE|${folder}`], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter(Boolean)) {
      try {
        process.kill(Number(pid), 'SIGKILL')
      } catch {}
    }
    const service = await starting
    await service?.kill('SIGKILL')
  }
  const service = await start(folder)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(folder))).status, 200)
  await service.kill('SIGTERM')
})

test('where user namespaces are forbidden it runs as nobody, and the data can go back and forth', {
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

test('a folder has one owner under all its names, and a link to it is the folder', async () => {
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

test('a pid file whose number belongs to somebody else now does not keep it from starting', async () => {
  writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(dataDir, 'postgres')}\n1\n5432\n\n\n  1 1\nready\n`)
  const service = await start(dataDir)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', keyOf(dataDir))).status, 200)
  await service.kill('SIGTERM')
})

test('a folder that holds other things is left alone', async () => {
  const folder = newFolder()
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'thesis.txt'), 'x')
  const { code, output } = await guildhall(['serve'], { GUILDHALL_DATA_DIR: folder })
  assert.deepEqual([code, output], [1, `The folder ${folder} holds other things: set GUILDHALL_DATA_DIR to a new or empty folder.\n`])
  assert.equal(statSync(folder).mode & 0o777, 0o755)
})

test('a first start that finds its port taken makes no operator, so that the next one can show the key', async () => {
  const folder = newFolder()
  const service = await start(dataDir)
  const port = new URL(service.base).port
  assert.equal((await guildhall(['serve'], { GUILDHALL_DATA_DIR: folder, PORT: port })).code, 1)
  await service.kill('SIGTERM')
  const later = await start(folder)
  assert.match(later.output(), /shown this once: glh_/)
  await later.kill('SIGTERM')
})

const isolated = ['unshare', '--net', '--pid', '--ipc', '--mount', '--fork', '--mount-proc']
const canIsolate = spawnSync(isolated[0] as string, [...isolated.slice(1), 'true']).status === 0

test('a service in another container on the same volume is refused too', { skip: !canIsolate && 'needs namespaces' }, async () => {
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

test('a signal during the start stops what was started', async () => {
  const before = () => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && linkOf(pid) === join(dataDir, 'postgres')).length
  for (const pause of [300, 600, 900]) {
    const { child } = launch(['serve'], { GUILDHALL_DATA_DIR: dataDir, PATH: withoutSetpriv() })
    await sleep(pause)
    child.kill('SIGTERM')
    await once(child, 'close')
    assert.equal(child.exitCode ?? 0, 0)
    assert.equal(before(), 0, `a PostgreSQL was left after ${pause} ms`)
  }
})

const linkOf = (pid: string) => {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** A PATH in which setpriv does not work, so that nothing but ourselves ends the database. */
function withoutSetpriv(): string {
  const bin = mkdtempSync(join(tmpdir(), 'guildhall-bin-'))
  after(() => rmSync(bin, { recursive: true, force: true }))
  writeFileSync(join(bin, 'setpriv'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${bin}:${process.env.PATH}`
}
