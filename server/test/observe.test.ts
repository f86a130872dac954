import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { freePort } from './free-port.ts'
import { db, newCompany, url } from './harness.ts'
import { startReceiver } from './receiver.ts'
import { ask, guildhall, startService } from './service.ts'
import { until } from './until.ts'

const readMetrics = async (port: string) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
const metricValue = (text: string, metric: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${metric} `))
      ?.split(' ')
      .at(-1),
  )

async function startMeasured(...flags: string[]) {
  const METRICS_PORT = await freePort()
  const env = { DATABASE_URL: url, METRICS_PORT, WEBHOOK_ALLOW: '127.0.0.1', LOG_FORMAT: 'json' }
  return { METRICS_PORT, service: await startService(env, ...flags) }
}
const measured = await startMeasured()

for (const processes of ['1', '2']) {
  test(`metrics of ${processes} process(es) count requests by route and outcome, and contain no ids or keys`, async () => {
    const { service, METRICS_PORT } = processes === '1' ? measured : await startMeasured('--processes', processes)
    const { base, key, company_id, user } = await newCompany()
    const user_id = await user('PLAYER')
    for (let i = 0; i < 3; i++) await ask(service, 'GET', `${base}/users/${user_id}`, key)
    const headers = { 'idempotency-key': randomUUID() }
    for (const name of ['A', 'A', 'B']) await ask(service, 'POST', `${base}/users`, key, { name, role: 'PLAYER' }, headers)
    await ask(service, 'GET', `${base}/users/${randomUUID()}`, key)
    const text = await readMetrics(METRICS_PORT)
    const route = '/api/v1/companies/:company_id/users/:user_id'
    assert.equal(metricValue(text, `guildhall_request_seconds_count{method="GET",route="${route}",status="200"}`), 3)
    assert.equal(metricValue(text, 'guildhall_problems_total{code="not_found"}'), 1)
    for (const outcome of ['executed', 'replayed', 'refused'])
      assert.equal(metricValue(text, `guildhall_idempotency_total{outcome="${outcome}"}`), 1, outcome)
    assert.equal(metricValue(text, 'guildhall_overload_refused_total'), 0)
    for (const name of [
      'guildhall_in_flight',
      'guildhall_database_connections',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ])
      assert.match(text, new RegExp(`^${name}`, 'm'))
    if (processes === '2') assert.equal(metricValue(text, 'guildhall_restarts_total'), 0)
    for (const id of [company_id, user_id, key]) assert.equal(text.includes(id), false)
    assert.doesNotMatch(text, /[0-9a-f]{8}-[0-9a-f]{4}-/)
  })
}

test('a metrics port that is taken stops the start with one sentence', async () => {
  const METRICS_PORT = await freePort()
  const other = createServer().listen(Number(METRICS_PORT), '127.0.0.1')
  await once(other, 'listening')
  const { code, output } = await guildhall(['serve'], { DATABASE_URL: url, METRICS_PORT })
  assert.equal(code, 1)
  assert.match(output, new RegExp(`Port ${METRICS_PORT} on 127.0.0.1 is in use`))
  other.close()
})

test('deliveries of webhooks are counted by outcome, and a webhook that ends is logged', async () => {
  const { service, METRICS_PORT } = measured
  const { received, url: endpoint } = await startReceiver(() => (received.length === 1 ? undefined : { status: 410 }))
  const { base, key, user } = await newCompany()
  const { body } = await ask(service, 'POST', `${base}/webhooks`, key, { name: 'Bot', url: endpoint, types: ['dice_roll.created'] })
  const rolls = `${base}/users/${await user('PLAYER')}/dice-rolls`
  const roll = () => ask(service, 'POST', rolls, key, { notation: '1d6' })
  await roll()
  await until(() => received.length === 1, 'a delivery')
  await roll()
  const logged = /"webhook_id":"[^"]+".*"reason":"GONE".*"msg":"a webhook was disabled"/
  await until(() => logged.test(service.output()), 'the log')
  assert.equal((await ask(service, 'GET', `${base}/webhooks/${body.id}`, key)).body.disabled_reason, 'GONE')
  const text = await readMetrics(METRICS_PORT)
  assert.equal(metricValue(text, 'guildhall_webhook_attempts_total{outcome="delivered"}'), 1)
  assert.equal(metricValue(text, 'guildhall_webhook_attempts_total{outcome="status"}'), 1)
})

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
}

test('traces are sent to the OTEL_ endpoint and continue the trace of the caller', async () => {
  const spans: Span[] = []
  const serviceNames = new Set<string>()
  const collector = createServer((request, response) => {
    let body = ''
    request.on('data', (text) => (body += text))
    request.on('end', () => {
      type Export = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
      serviceNames.add(/"service\.name","value":\{"stringValue":"([^"]+)"/.exec(body)?.[1] ?? '')
      for (const { scopeSpans } of (JSON.parse(body) as Export).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(collector, 'listening')
  after(() => collector.close())
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  const service = await startService({
    DATABASE_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_SERVICE_NAME: 'hall',
  })
  const { base, key, company_id } = await newCompany()
  const [trace, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const traceparent = { traceparent: `00-${trace}-${parent}-01` }
  assert.equal((await ask(service, 'POST', `${base}/users`, key, { name: 'A', role: 'PLAYER' }, traceparent)).status, 201)
  assert.equal((await ask(service, 'GET', `${base}/users`, key)).status, 200)
  const spansOfCaller = () => spans.filter(({ traceId }) => traceId === trace)
  await until(
    () => spansOfCaller().length >= 3 && spans.length >= 5,
    () => JSON.stringify(spans),
  )
  assert.deepEqual([...serviceNames], ['hall'])
  const server = spansOfCaller().find(({ parentSpanId }) => parentSpanId === parent)
  assert.equal(server?.name, 'POST /api/v1/companies/:company_id/users')
  // The event gets its position a moment later, which is not part of the request.
  await until(async () => (await db.query(sql`SELECT FROM feed WHERE company_id = ${company_id}`)).length, 'its position')
  const last = '0af7651916cd43dd8448eb211c80319d'
  await ask(service, 'GET', `${base}/users`, key, undefined, { traceparent: `00-${last}-${parent}-01` })
  await until(() => spans.some(({ traceId }) => traceId === last), 'the spans of a later request')
  const children = spansOfCaller().filter(({ parentSpanId }) => parentSpanId === server?.spanId)
  assert.deepEqual(children.map(({ name }) => name).sort(), ['query', 'transaction'])
})
