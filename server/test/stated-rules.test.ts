import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { openapi } from '../src/http/reference/openapi.ts'
import { operations } from '../src/resources/index.ts'
import { newGameTable } from './game-table.ts'
import { call } from './harness.ts'

// The rules of bodies on fields that depend on each other are stated in openapi.json, and checked by code. Both accept the same bodies.

const document = openapi(operations)
const ajv = new Ajv2020({ strict: false })
formats.default(ajv, ['uuid', 'date-time', 'email'])
for (const format of ['int32', 'int64']) ajv.addFormat(format, true)
ajv.addSchema({ $id: 'document', components: document.components })
const isValid = (schema: string, body: unknown) => ajv.validate({ $ref: `document#/components/schemas/${schema}` }, body)

const notation = '1d20'
const pool = { dice: 3 }
const aimed = { ...pool, difficulty: 6 }

/** Bodies of rolls, and whether they are accepted. */
const ROLLS: [body: object, isAccepted: boolean][] = [
  [{ notation }, true],
  [{ pool: aimed }, true],
  [{ pool: { ...pool, success: 6 } }, true],
  [{ pool: { ...aimed, success: 6 } }, false],
  [{ pool: { ...aimed, needed: 2, chance: true, ones: 'IGNORE', double: [10] } }, true],
  [{ pool: { ...pool, success: 6, needed: 2, chance: true, ones: 'IGNORE', double: [10] } }, true],
  [{ pool: { ...pool, needed: 2 } }, false],
  [{ pool: { ...pool, chance: true } }, false],
  [{ pool: { ...pool, chance: false } }, true],
  [{ pool: { ...pool, ones: 'IGNORE' } }, false],
  [{ pool: { ...pool, double: [10] } }, false],
  [{ notation, target: 10, naturals: true }, true],
  [{ notation, naturals: true }, false],
  [{ notation, naturals: false }, true],
  [{ pool, naturals: false }, true],
  [{ pool, target: 10, naturals: false }, true],
  [{ pool, target: 10, naturals: true }, false],
  [{ notation, compare: 'AT_MOST' }, false],
]
/** Bodies that only the operations with several rolls understand. */
const GROUPS: [body: object, isAccepted: boolean][] = [
  [{ notation, repeat: 2 }, true],
  [{ rolls: [{ notation, naturals: false }, { pool: aimed }] }, true],
  [{ rolls: [{ pool: { ...pool, needed: 2 } }] }, false],
  [{ rolls: [{ notation }], naturals: false }, false],
]
const MANUAL: [body: object, isAccepted: boolean][] = [
  [{ notation, manual: [7] }, true],
  [{ notation, manual: [7], repeat: 2 }, false],
  [{ pool: aimed, manual: [7, 7, 7] }, true],
  [{ pool: aimed, manual: [7, 7, 7], repeat: 2 }, false],
]
/** Bodies of saved rolls, of which a field may be null. */
const SAVED: [body: object, isAccepted: boolean][] = [
  [{ notation, naturals: null, pool: null }, true],
  [{ pool, naturals: null, notation: null }, true],
]

test('the document and the service accept the same rolls, saved rolls and odds', async () => {
  const { player, base, key } = await newGameTable()
  let saved = 0
  const operationsOf = {
    DiceRollCreate: { bodies: [...ROLLS, ...GROUPS, ...MANUAL], send: (body: object) => player.post('/dice-rolls', body) },
    OddsRequest: { bodies: ROLLS, send: (body: object) => call('POST', `${base}/dice/odds`, { key, body }) },
    QuickRollCreate: { bodies: [...ROLLS, ...GROUPS, ...SAVED], send: (body: object) => player.post('/quick-rolls', body) },
  }
  for (const [schema, { bodies, send }] of Object.entries(operationsOf))
    for (const [content, isAccepted] of bodies) {
      const body = schema === 'QuickRollCreate' ? { name: `Saved ${saved++}`, ...content } : content
      const { status, text } = await send(body)
      const [stated, checked] = [isValid(schema, body), status < 300]
      assert.deepEqual([stated, checked], [isAccepted, isAccepted], `${schema} ${JSON.stringify(body)}: ${text}`)
    }
})

test('the document and the service reject an award that names a user twice', async () => {
  const { teller, player, other, C } = await newGameTable()
  for (const [user_ids, isAccepted] of [
    [[player.id, other.id], true],
    [[player.id, other.id, player.id], false],
  ] as const) {
    const body = { amount: 1, reason: 'x', user_ids }
    const { status, text } = await teller.post(`${C}/experience/awards`, body)
    assert.deepEqual([isValid('ExperienceAward', body), status < 300], [isAccepted, isAccepted], text)
    if (!isAccepted) assert.match(text, /"user_ids\.2"/)
  }
})
