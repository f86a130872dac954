import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Sql, sql } from '../src/db/sql.ts'
import { invariants } from '../src/resources/declarations.ts'
import { foldTallies } from '../src/resources/dice-rolls/fold.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { call, db, newCompany, newDatabase, url, write } from './harness.ts'
import { newRuledTable } from './ruled-table.ts'
import { guildhall, newFolder, startOn } from './service.ts'

interface Finding {
  check: string
  state: string
  found: string
  remedy?: string
}
const examine = async (env: Record<string, string>) => {
  const { code, output } = await guildhall(['doctor', '--json'], { RATE_LIMIT: 'on', ...env })
  const findings = JSON.parse(output) as Finding[]
  return { code, of: (check: string) => findings.find((finding) => finding.check === check) as Finding, findings }
}

test('a healthy database has no wrong findings, and every check is listed', async () => {
  const { player, campaign_id } = await newGameTable()
  await player.make('/dice-rolls', { campaign_id, notation: '3d6' })
  const { code, findings } = await examine({ DATABASE_URL: url })
  assert.deepEqual(
    findings.filter(({ state }) => state === 'wrong'),
    [],
  )
  assert.equal(code, 0)
  const checks = [
    'rate limits',
    'Redis',
    'database',
    'clock',
    'connections',
    'migrations',
    'webhooks',
    'search',
    'keys',
    'experience',
    'dice numbers',
    'rulesets',
    'statistics',
  ]
  for (const check of checks)
    assert.ok(
      findings.some((finding) => finding.check === check),
      check,
    )
  const { output } = await guildhall(['doctor'], { DATABASE_URL: url })
  assert.match(output, /^warn {3}rate limits +off\n +Remove RATE_LIMIT/m)
})

test('rolls that no process adds to the tallies are reported', async () => {
  const { player, company_id } = await newGameTable()
  await foldTallies(db)
  await player.make('/dice-rolls', { notation: '3d6' })
  await write(sql`UPDATE tally_queue SET id = '01900000-0000-7000-8000-000000000000' WHERE company_id = ${company_id}`)
  const late = await examine({ DATABASE_URL: url })
  assert.deepEqual([late.of('tallies').state, late.of('statistics').state], ['wrong', 'good'])
  assert.match(late.of('tallies').found, /the oldest roll that is not in its tallies is \d+\.\d s old/)
  await foldTallies(db)
  const done = await examine({ DATABASE_URL: url })
  assert.deepEqual([done.of('tallies').state, done.of('statistics').state], ['good', 'good'])
})

test('counts that do not add up are wrong, with the command that repairs them', async () => {
  const { player, teller, campaign_id, C } = await newGameTable()
  await player.make('/dice-rolls', { campaign_id, notation: '3d6' })
  await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'x', user_ids: [player.id] })
  await foldTallies(db)
  await write(sql`UPDATE dice_tallies SET rolls = rolls + 1 WHERE user_id IS NULL`)
  await write(sql`UPDATE counters SET count = count + 1 WHERE collection = 'users'`)
  const counted = await examine({ DATABASE_URL: url })
  assert.deepEqual([counted.code, counted.of('statistics').state, counted.of('statistics').remedy], [1, 'wrong', 'Run guildhall recount.'])
  assert.deepEqual([counted.of('totals').state, counted.of('totals').remedy], ['wrong', 'Run guildhall recount.'])
  assert.equal((await guildhall(['recount'], { DATABASE_URL: url })).output, 'Statistics and totals are rebuilt.\n')
  const recounted = await examine({ DATABASE_URL: url })
  assert.deepEqual([recounted.of('statistics').state, recounted.of('totals').state], ['good', 'good'])
  // Experience belongs to users in one campaign, and to characters in another one.
  const perCharacter = `/campaigns/${await teller.make('/campaigns', { name: 'Per character', experience_per: 'CHARACTER' })}`
  await player.make(`${perCharacter}/characters`, { name: 'Hero' })
  await teller.post(`${perCharacter}/experience/awards`, { amount: 5, reason: 'x', to: 'MEMBERS' })
  const experience = async () => (await examine({ DATABASE_URL: url })).of('experience').state
  assert.equal(await experience(), 'good')
  for (const table of ['experience_balances', 'experience_character_balances']) {
    await write(sql`UPDATE ${sql.id(table)} SET earned = earned + 1`)
    assert.equal(await experience(), 'wrong', table)
    await write(sql`UPDATE ${sql.id(table)} SET earned = earned - 1`)
    assert.equal(await experience(), 'good', table)
  }
  await write(sql`UPDATE experience_balances SET earned = earned + 1`)
  await write(sql`UPDATE dice_seeds SET nonce = nonce + 1`)
  const { code, of } = await examine({ DATABASE_URL: url })
  assert.deepEqual([code, of('experience').state, of('dice numbers').state], [1, 'wrong', 'wrong'])
})

test('rulesets, versions and campaigns that do not belong together are wrong', async () => {
  const { teller, C, campaign_id, ruleset_id, version_id, company_id, base, key } = await newRuledTable('action-dice')
  const other = (await call('POST', `${base}/rulesets`, { key, body: { pack: 'fate-core' } })).body as unknown as Record<string, string>
  const draft = (await call('POST', `${base}/rulesets/${ruleset_id}/versions`, { key, body: { document: {} } })).body.id
  assert.equal((await teller.get(`${C}/ruleset`)).status, 200)
  const state = async () => (await examine({ DATABASE_URL: url })).of('rulesets').state
  const ruleset = sql`company_id = ${company_id} AND id = ${ruleset_id}`
  const campaign = sql`company_id = ${company_id} AND id = ${campaign_id}`
  const breaks: [Sql, Sql][] = [
    [
      sql`UPDATE rulesets SET published_version_id = ${draft} WHERE ${ruleset}`,
      sql`UPDATE rulesets SET published_version_id = ${version_id} WHERE ${ruleset}`,
    ],
    [
      sql`UPDATE rulesets SET published_version_id = ${other.published_version_id} WHERE ${ruleset}`,
      sql`UPDATE rulesets SET published_version_id = ${version_id} WHERE ${ruleset}`,
    ],
    [
      sql`UPDATE rulesets SET draft_version_id = ${randomUUID()} WHERE ${ruleset}`,
      sql`UPDATE rulesets SET draft_version_id = ${draft} WHERE ${ruleset}`,
    ],
    [
      sql`UPDATE campaigns SET ruleset_version_id = ${draft} WHERE ${campaign}`,
      sql`UPDATE campaigns SET ruleset_version_id = ${version_id} WHERE ${campaign}`,
    ],
    [
      sql`UPDATE ruleset_documents SET ruleset_id = ${other.id} WHERE company_id = ${company_id} AND id = ${draft}`,
      sql`UPDATE ruleset_documents SET ruleset_id = ${ruleset_id} WHERE company_id = ${company_id} AND id = ${draft}`,
    ],
  ]
  assert.equal(await state(), 'good')
  for (const [broken, repaired] of breaks) {
    await write(broken)
    assert.equal(await state(), 'wrong')
    await write(repaired)
  }
  // A campaign keeps a version that was retired.
  await call('POST', `${base}/rulesets/${ruleset_id}/versions/${version_id}/retire`, { key })
  assert.equal(await state(), 'good')
})

test('webhooks that nobody delivers are wrong, and those whose endpoint fails are counted', async () => {
  const webhooks = async () => {
    const { state, found } = (await examine({ DATABASE_URL: url })).of('webhooks')
    return [state, found]
  }
  assert.deepEqual(await webhooks(), ['good', 'none is enabled'])
  const { base, key } = await newCompany()
  const body = { name: 'Bot', url: 'https://bot.example/hook' }
  const { id } = (await call('POST', `${base}/webhooks`, { key, body })).body
  assert.deepEqual(await webhooks(), ['good', '1 enabled, and every endpoint accepts what it is sent'])
  await write(sql`UPDATE webhook_runs SET date_failing_since = now(), date_due = now() WHERE id = ${id}`)
  assert.deepEqual(await webhooks(), ['warning', '1 enabled, 1 of them with an endpoint that fails; 0 disabled because of theirs'])
  const anHourAgo = new Date(Date.now() - 3_600_000)
  await write(sql`UPDATE webhook_runs SET date_due = ${anHourAgo} WHERE id = ${id}`)
  assert.deepEqual(await webhooks(), ['wrong', '1 of 1 have had something to send for more than 60 s, and no process sends it'])
  // A process that has it at this moment is sending it.
  await write(sql`UPDATE webhook_runs SET lease = id, date_leased = ${new Date(Date.now() + 60_000)} WHERE id = ${id}`)
  assert.equal((await webhooks())[0], 'warning')
  // Its process died, and no other one took it over.
  const overdue = ['wrong', '1 of 1 have had something to send for more than 60 s, and no process sends it']
  await write(sql`UPDATE webhook_runs SET date_failing_since = NULL, date_due = NULL, date_leased = ${anHourAgo} WHERE id = ${id}`)
  assert.deepEqual(await webhooks(), overdue)
  await write(sql`UPDATE webhook_runs SET lease = NULL WHERE id = ${id}`)
  assert.equal((await webhooks())[0], 'good')
  // Events wait, from the first one on, of which no delivery was made.
  await call('POST', `${base}/users`, { key, body: { name: 'Anna', role: 'PLAYER' } })
  await sequenceAll()
  assert.equal((await webhooks())[0], 'good')
  await write(sql`UPDATE feed SET date_created = ${anHourAgo} WHERE company_id = ${base.slice(-36)}`)
  assert.deepEqual(await webhooks(), overdue)
  await write(sql`UPDATE webhook_runs SET follows = false WHERE id = ${id}`)
  assert.equal((await webhooks())[0], 'good')
  await call('DELETE', `${base}/webhooks/${id}`, { key })
  assert.deepEqual(await webhooks(), ['good', 'none is enabled'])
})

test('the fault scenarios check the same invariants as the doctor, and those include every counter', () => {
  const source = readFileSync(new URL('../../faults/check.ts', import.meta.url), 'utf8')
  assert.match(source, /of invariants\(\)\)/)
  const checks = invariants().map(({ check }) => check)
  for (const check of ['dice numbers', 'dice seeds', 'experience', 'statistics', 'totals']) assert.ok(checks.includes(check), check)
})

test('an unreachable or empty database, too many connections and an unreachable Redis are reported', async () => {
  const unreachable = await examine({ DATABASE_URL: 'postgres://guildhall@127.0.0.1:1/x', REDIS_URL: 'redis://127.0.0.1:1' })
  assert.deepEqual([unreachable.code, unreachable.of('database').state, unreachable.of('Redis').state], [1, 'wrong', 'wrong'])
  assert.match(unreachable.of('database').remedy ?? '', /DATABASE_URL/)
  const empty = await examine({ DATABASE_URL: await newDatabase({ empty: true }) })
  assert.deepEqual([empty.code, empty.of('migrations').state], [0, 'warning'])
  const greedy = await examine({ DATABASE_URL: url, DATABASE_WRITERS: '1000', DATABASE_POOLER: 'none' })
  assert.equal(greedy.of('connections').state, 'wrong')
})

test('a data folder that others can read is wrong', async () => {
  const dataDir = newFolder()
  const service = await startOn(dataDir)
  const before = await examine({ GUILDHALL_DATA_DIR: dataDir })
  assert.deepEqual([before.of('permissions').state, before.of('database').state], ['good', 'good'], JSON.stringify(before.findings))
  chmodSync(dataDir, 0o755)
  const after = await examine({ GUILDHALL_DATA_DIR: dataDir })
  assert.deepEqual([after.code, after.of('permissions').state], [1, 'wrong'])
  assert.match(after.of('permissions').remedy ?? '', /chmod/)
  await service.kill('SIGTERM')
})

test('a database whose LC_CTYPE is C is a warning: it searches ASCII only', async () => {
  const { of } = await examine({ DATABASE_URL: url })
  assert.equal(of('search').state, 'good')
  const ascii = await newDatabase({ empty: true, ctype: 'C' })
  await guildhall(['migrate'], { DATABASE_URL: ascii })
  const found = await examine({ DATABASE_URL: ascii })
  assert.deepEqual([found.code, found.of('search').state], [0, 'warning'])
})
