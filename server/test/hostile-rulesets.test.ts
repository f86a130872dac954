import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, assertProblem, call, db, newCompany } from './harness.ts'
import { hostileRulesets } from './hostile-rulesets.ts'

// How long each takes is measured by `npm run bench -- --only "hostile rulesets"`.

/** The largest reply that says what is wrong: 50 faults of 1,200 characters, and room for the rest. */
const MAX_REPLY_BYTES = 100_000
const MAX_FAULTS = 50

interface Found {
  valid: boolean
  faults: { field: string; message: string }[]
  examples: { holds: boolean; faults: object[] }[]
}

/** Rejected as a request, which says why. */
function assertRejected(reply: Answer, name: string): void {
  assert.ok([400, 413].includes(reply.status), `${name}: ${reply.status} ${reply.text.slice(0, 500)}`)
  assertProblem(reply, reply.status)
}

const documents = Object.entries(hostileRulesets)
const { base, key } = await newCompany(db)
const send = (path: string, body?: string) =>
  call('POST', `${base}/rulesets${path}`, { key, ...(body && { body, headers: { 'content-type': 'application/json' } }) })

test('every hostile document is rejected, or named as invalid with a bounded reply', async () => {
  assert.ok(documents.length >= 60, `${documents.length}`)
  assert.ok(documents.filter(([, text]) => text.length > 200_000).length >= 8)
  for (const [name, document] of documents) {
    const reply = await send('/validate', `{"document": ${document}, "samples": [{}]}`)
    assert.ok(Buffer.byteLength(reply.text) < MAX_REPLY_BYTES, `${name}: ${reply.text.length} characters`)
    if (reply.status !== 200) {
      assertRejected(reply, name)
      continue
    }
    const { valid, faults, examples } = reply.body as never as Found
    assert.equal(valid, false, name)
    assert.ok(faults.length > 0 || examples.some(({ holds }) => !holds), name)
    assert.ok(faults.length <= MAX_FAULTS && faults.every(({ field, message }) => field.length <= 201 && message.length <= 1000), name)
  }
})

test('no hostile document is published, whether it can be stored as a draft or not', async () => {
  let stored = 0
  for (const [i, [name, document]] of documents.entries()) {
    const created = await send('', `{"name": "Hostile ${i}", "document": ${document}}`)
    if (created.status !== 201) {
      assertRejected(created, name)
      continue
    }
    stored++
    const { id, draft_version_id } = created.body as never as { id: string; draft_version_id: string }
    const version = await call('GET', `${base}/rulesets/${id}/versions/${draft_version_id}`, { key })
    assert.deepEqual([version.status, (version.body as never as { valid: boolean }).valid], [200, false], name)
    const refused = await send(`/${id}/versions/${draft_version_id}/publish`)
    assert.deepEqual([refused.status, refused.body.code], [409, 'ruleset_faulty'], name)
    const exported = await call('GET', `${base}/rulesets/${id}/versions/${draft_version_id}/document`, { key })
    assert.deepEqual([exported.status, exported.text], [200, JSON.stringify(JSON.parse(document))], name)
  }
  assert.ok(stored > 40, `${stored}`)
})

test('many hostile documents at once are answered, and an ordinary one after them is valid', async () => {
  const replies = await Promise.all(documents.map(([, document]) => send('/validate', `{"document": ${document}}`)))
  // The service may say that it is busy, and nothing worse.
  for (const { status, text } of replies) assert.ok([200, 400, 413, 503].includes(status), text.slice(0, 300))
  const source = { license: 'CC0-1.0', attribution: null, url: null, changes: null }
  const plain = await send('/validate', JSON.stringify({ document: { format: 1, name: 'Plain', source, groups: {}, traits: {} } }))
  assert.deepEqual([plain.status, (plain.body as never as Found).valid], [200, true], plain.text)
})
