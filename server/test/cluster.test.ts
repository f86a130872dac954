import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { db, newCompany, url } from './harness.ts'
import { ask, guildhall, keyOf, newFolder, startService } from './service.ts'
import { repeat, until } from './until.ts'

/** Returns the child processes of a process. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]) === pid
      } catch {
        return false
      }
    })
    .map(Number)
const isServing = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('serve')
const alive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const linux = { skip: process.platform !== 'linux' && 'processes are looked up in /proc' }

test(
  'several processes share a port; one that dies is restarted; SIGTERM ends all of them after their running requests',
  linux,
  async () => {
    const service = await startService({ DATABASE_URL: url }, '--processes', '3')
    const { base, key, company_id } = await newCompany()
    const workers = childrenOf(service.pid)
    assert.equal(workers.length, 3)
    const statuses = new Map<number | string, number>()
    const stop = repeat(async () => {
      const status = await ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' }).then(
        (answer) => answer.status,
        (error) => String(error.cause?.code ?? error),
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }, 6)
    const untilMore = (enough = (statuses.get(201) ?? 0) + 5) => until(() => (statuses.get(201) ?? 0) > enough, 'more answers')
    await untilMore()
    process.kill(workers[0] as number, 'SIGKILL')
    await until(() => {
      const children = childrenOf(service.pid)
      return children.length === 3 && !children.includes(workers[0] as number)
    }, 'the third process to come back')
    await untilMore()
    await stop()
    assert.equal(statuses.get(500), undefined)
    const [...serving] = childrenOf(service.pid)
    const last = Array.from({ length: 20 }, () =>
      ask(service, 'POST', `${base}/users`, key, { name: 'Last', role: 'PLAYER' }).then(
        ({ status }) => status,
        () => 'not accepted',
      ),
    )
    await Promise.race(last)
    const ended = service.kill('SIGTERM')
    const answers = await Promise.all(last)
    assert.equal(await ended, 0)
    assert.deepEqual(serving.filter(alive), [])
    for (const answer of answers) assert.ok([201, 503, 'not accepted'].includes(answer), String(answer))
    const made = await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND name = 'Last'`)
    assert.equal(made.length, answers.filter((answer) => answer === 201).length, 'what was done was answered')
  },
)

test('several processes share the embedded database and its operator', linux, async () => {
  const dataDir = newFolder()
  const service = await startService({ GUILDHALL_DATA_DIR: dataDir }, '--processes', '2')
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => ask(service, 'POST', '/api/v1/companies', keyOf(dataDir), { name: `Company ${i}` })),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  const workers = childrenOf(service.pid).filter(isServing)
  assert.equal(workers.length, 2)
  // Without their parent the processes lose their port, and end.
  await service.kill('SIGKILL')
  await until(() => !workers.some(alive), 'the end of the processes')
})

test('an invalid number of processes, or a port in use, gives one line', async () => {
  for (const count of ['0', '-1', '1.5', 'many', '65']) {
    const { code, output } = await guildhall(['serve', `--processes=${count}`], { DATABASE_URL: url })
    assert.deepEqual([code, output], [2, `--processes is '${count}'. Expected a whole number from 1 to 64.\n`])
  }
  const service = await startService({ DATABASE_URL: url })
  const PORT = new URL(service.base).port
  const { code, output } = await guildhall(['serve', '--processes', '2'], { DATABASE_URL: url, PORT })
  assert.equal(code, 1)
  assert.match(output, /Port \d+ on 127\.0\.0\.1 is in use/)
})
