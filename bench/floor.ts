import { createServer } from 'node:http'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { idMaker, timeOf } from '../server/src/core/ids.ts'
import { asOptions } from '../server/src/db/driver/settings.ts'
import { types } from '../server/src/db/driver/types.ts'

// The minimum that a server in this language can do with this driver and database: no framework, no key, no limits, no checks, no log.
// The difference to the service is the cost of its guarantees.
const [url = '', port = '0'] = process.argv.slice(2)
const config = { connectionString: url, options: asOptions('postgresql'), types, pipeline: true }
const readers = await Promise.all(
  Array.from({ length: 4 }, async () => {
    const client = new pg.Client(config)
    await client.connect()
    return client
  }),
)
const writers = new pg.Pool({ ...config, max: 8 })
const newId = idMaker(() => new Date())
let turn = 0

/** Sends the statements of one request in one write. */
function corkUntilNextTick(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

async function page(company_id: string, offset: number): Promise<unknown> {
  const client = readers[turn++ % readers.length] as pg.Client
  corkUntilNextTick(client)
  const text = `SELECT id, name, role, company_id, email, external_id, date_created, date_modified, version, date_archived
    FROM users WHERE company_id = $1 AND date_archived IS NULL ORDER BY id LIMIT 10 OFFSET $2`
  return (await client.query({ name: 'page', text, values: [company_id, offset] })).rows
}

async function write(company_id: string, name: string): Promise<unknown> {
  const client = await writers.connect()
  const [id, event] = [newId(), newId()]
  corkUntilNextTick(client)
  const answers = [
    client.query('BEGIN'),
    client.query({
      name: 'row',
      text: `INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified) VALUES ($1, $2, $3, $4, 'PLAYER', $5, $5)
        RETURNING id, name, role, company_id, email, external_id, date_created, date_modified, version`,
      values: [company_id, id, name, name.toLowerCase(), timeOf(id)],
    }),
    client.query({
      name: 'event',
      text: `INSERT INTO events (company_id, id, type, resource_type, resource_id, developer_id, user_id, request_id, changes, date_created)
        VALUES ($1, $2, 'user.created', 'user', $3, $3, NULL, $4, $5, $6)`,
      values: [company_id, event, id, `req_${event}`, JSON.stringify({ name: { old: null, new: name } }), timeOf(event)],
    }),
    client.query('COMMIT'),
  ]
  const [, row] = await Promise.all(answers).finally(() => client.release())
  return row?.rows[0]
}

createServer((request, response) => {
  let body = ''
  request.on('data', (text) => (body += text))
  request.on('end', async () => {
    const [, company_id = '', offset = '0'] = (request.url as string).split('/')
    const reply = JSON.stringify(
      request.method === 'GET' ? await page(company_id, Number(offset)) : await write(company_id, JSON.parse(body).name),
    )
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }).end(reply)
  })
}).listen(Number(port), '127.0.0.1')
