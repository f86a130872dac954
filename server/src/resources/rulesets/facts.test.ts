import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, call, newCompany } from '../../../test/harness.ts'
import { recordedApp, statementsOf } from '../../../test/recorded.ts'

const game = (changes: object = {}) => ({
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: -1, max: 3 } },
  traits: { nerve: { group: 'stats' }, body: { group: 'stats' } },
  ...changes,
})

async function newLibrary() {
  const { base, key } = await newCompany()
  const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    call(method, `${base}${path}`, { key, ...(body !== undefined && { body }) })
  const createFrom = async (body: object) => {
    const created = await send('POST', '/rulesets', body)
    assert.equal(created.status, 201, created.text)
    return created.body as unknown as { id: string; draft_version_id: string }
  }
  return { base, key, send, createFrom }
}

test('a list names the number, the game and the license of the version that is shown, in one statement', async () => {
  const { send, createFrom, base, key } = await newLibrary()
  const { id } = await createFrom({ pack: 'd10-pool' })
  await createFrom({ document: game() })
  await createFrom({ document: { name: 'Empty' } })
  const facts = async () =>
    ((await send('GET', '/rulesets')).body.items as never as Record<string, unknown>[]).map(({ number, game, license }) => [
      number,
      game,
      license,
    ])
  assert.deepEqual(await facts(), [
    [1, 'Neutral d10 pool', 'CC0-1.0'],
    [null, 'Coast', 'CC0-1.0'],
    [null, 'Empty', null],
  ])
  const draft = await send('POST', `/rulesets/${id}/versions`, { document: game({ name: 'Next' }) })
  assert.deepEqual((await facts())[0], [1, 'Neutral d10 pool', 'CC0-1.0'])
  assert.equal((await send('POST', `/rulesets/${id}/versions/${draft.body.id}/publish`)).status, 200)
  assert.deepEqual((await facts())[0], [2, 'Next', 'CC0-1.0'])
  const read = () => call('GET', `${base}/rulesets`, { key, on: recordedApp })
  await read()
  assert.equal((await statementsOf(read)).sent.length, 1)
})

test('a draft is valid only if its upgrade can be published, too', async () => {
  const { send, createFrom } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game() })
  assert.equal((await send('POST', `/rulesets/${id}/versions/${draft_version_id}/publish`)).status, 200)
  const [right, wrong] = [{ convert: { nerve: 'body * 2' } }, { convert: { nerve: 'nowhere * 2' } }]
  const isValid = ({ body }: Answer) => (body as never as { valid: boolean }).valid
  const draft = await send('POST', `/rulesets/${id}/versions`, { document: game({ upgrade: wrong }) })
  assert.equal(isValid(draft), false)
  const path = `/rulesets/${id}/versions/${draft.body.id}`
  assert.equal((await send('POST', `${path}/publish`)).body.code, 'ruleset_faulty')
  for (const [upgrade, valid] of [
    [undefined, true],
    [wrong, false],
    [right, true],
  ] as const) {
    const replaced = await send('PUT', path, { document: game(upgrade ? { upgrade } : {}) })
    assert.equal(isValid(replaced), valid, replaced.text)
  }
  assert.equal((await send('POST', `${path}/publish`)).status, 200)
})
