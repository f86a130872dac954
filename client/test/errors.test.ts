import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ApiError, Guildhall } from '../src/index.ts'

/** The error of a request that is answered with this body. */
async function errorFor(body: string, status = 400): Promise<ApiError> {
  const fetch = async () => new Response(body, { status, headers: { 'content-type': 'application/problem+json' } })
  const gh = new Guildhall({ apiKey: 'glh_test', baseUrl: 'http://127.0.0.1', fetch })
  const error: unknown = await gh.me.get({ retries: 0 }).catch((caught) => caught)
  assert.ok(ApiError.is(error), `${body} gives ${error}`)
  return error
}

const isTextOrAbsent = (value: unknown) => value === undefined || typeof value === 'string'

/** Asserts that each field of an error has the type that it is declared with. */
function assertSensible(error: ApiError, body: string): void {
  const { name, message, code, detail, requestId, faults, reason, needs, id, available, problem, retryAfter } = error
  assert.equal(name, 'ApiError', body)
  assert.ok(typeof code === 'string' && code !== '', body)
  assert.ok(typeof detail === 'string' && detail !== '', body)
  assert.ok(message.startsWith(`400 ${code}: ${detail}`), body)
  assert.ok([requestId, reason, id, needs?.role, needs?.permission].every(isTextOrAbsent), body)
  assert.ok(needs === undefined || (typeof needs === 'object' && !Array.isArray(needs)), body)
  assert.ok(Array.isArray(faults), body)
  for (const { field, message } of faults) assert.ok(typeof field === 'string' && typeof message === 'string', body)
  assert.ok(available === undefined || typeof available === 'number', body)
  assert.ok(typeof problem === 'object' && problem !== null && !Array.isArray(problem), body)
  assert.equal(retryAfter, undefined, body)
}

const FIELDS = ['title', 'detail', 'code', 'request_id', 'invalid_parameters', 'reason', 'needs', 'id', 'available', 'status', '__proto__']

test('any JSON as the body of an error gives an ApiError whose fields have their types', async () => {
  const fault = fc.record({ field: fc.jsonValue(), message: fc.jsonValue() }, { requiredKeys: [] })
  const value = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.oneof(fault, fc.jsonValue())),
    fc.dictionary(fc.constantFrom('role', 'permission'), fc.jsonValue()),
  )
  const body = fc.oneof(
    fc.jsonValue().map((any) => JSON.stringify(any)),
    fc
      .array(fc.tuple(fc.constantFrom(...FIELDS), value))
      .map((fields) => `{${fields.map(([name, any]) => `${JSON.stringify(name)}:${JSON.stringify(any)}`).join()}}`),
  )
  await fc.assert(fc.asyncProperty(body, async (text) => assertSensible(await errorFor(text), text)))
})

for (const body of [
  '',
  '<h1>Bad gateway</h1>',
  'null',
  'true',
  '7',
  '"Nothing here"',
  '[]',
  '[{"code":"not_found"}]',
  '{"code":',
  '{"code":7,"detail":["a"],"title":{},"request_id":null}',
  '{"code":"","detail":""}',
  '{"error":{"code":"not_found"}}',
  '{"invalid_parameters":"name is required"}',
  '{"invalid_parameters":{"field":"name","message":"is required"}}',
  '{"invalid_parameters":[null,7,"name",[],{},{"field":"name"},{"field":["name"],"message":"is required"}]}',
  '{"needs":["STORYTELLER"],"available":"7","reason":{},"id":{"toString":1}}',
  '{"__proto__":{"code":"not_found"},"constructor":7,"hasOwnProperty":null}',
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
])
  test(`the code of an error with the body ${body.slice(0, 40)} is unknown`, async () => {
    const error = await errorFor(body)
    assertSensible(error, body)
    assert.deepEqual([error.code, error.requestId, error.faults], ['unknown', undefined, []])
  })

test('of an error with fields of the wrong type, the others are used', async () => {
  const faults = [{ field: 'name', message: 'is required' }]
  const body = {
    code: 'validation_failed',
    detail: 7,
    request_id: 'req_7',
    invalid_parameters: [null, ...faults, 'x'],
    needs: { role: 'ADMIN', permission: 7 },
    of_the_future: [1],
  }
  const error = await errorFor(JSON.stringify(body))
  assert.deepEqual(
    [error.code, error.requestId, error.faults, error.needs, error.problem],
    ['validation_failed', 'req_7', faults, { role: 'ADMIN' }, body],
  )
  assert.match(error.message, /^400 validation_failed: .* name is required\.$/)
  const hinted = new ApiError(400, {
    code: 'validation_failed',
    invalid_parameters: [{ field: 'notation', message: 'is wrong. Did you mean x?' }],
  })
  assert.match(hinted.message, /notation is wrong\. Did you mean x\?$/)
})
