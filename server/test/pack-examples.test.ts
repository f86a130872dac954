import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, db, newCompany } from './harness.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
interface Document {
  name: string
  examples: { expect: Record<string, Json> }[]
}
interface Validated {
  valid: boolean
  faults: object[]
  examples: { holds: boolean; faults: { field: string; message: string }[] }[]
}

/** Fields that an example states, beside those that must follow from them. */
const GIVEN = ['dice', 'inputs', 'to']

/** Calls `visit` with each number in a value that is not given, and with a function that replaces it. */
function eachNumber(value: Json, visit: (number: number, replace: (other: number) => void) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (GIVEN.includes(name)) continue
    if (typeof inner !== 'number') eachNumber(inner, visit)
    else visit(inner, (other) => void Object.assign(value, { [name]: other }))
  }
}

/** The numbers that differ from a number in one of its digits, by one. */
const withOtherDigit = (number: number) =>
  [...String(Math.abs(number))].map((digit, i, digits) => {
    const changed = Number(digits.with(i, String((Number(digit) + 1) % 10)).join(''))
    return number < 0 ? -changed : changed
  })

const { base, key } = await newCompany(db)
const packs = (await call('GET', `${base}/packs`, { key })).body.items as unknown as { id: string }[]

for (const { id } of packs)
  test(`${id} cannot be published if one digit of any number that its examples expect is another one`, async () => {
    const { document } = (await call('GET', `${base}/packs/${id}`, { key })).body as never as { document: Document }
    const validate = async () => {
      const { status, text, body } = await call('POST', `${base}/rulesets/validate`, { key, body: { document } })
      assert.equal(status, 200, text)
      return body as never as Validated
    }
    assert.equal((await validate()).valid, true)
    const changes: { i: number; change: () => void; restore: () => void; other: number; number: number }[] = []
    for (const [i, { expect }] of document.examples.entries())
      eachNumber(expect, (number, replace) => {
        for (const other of withOtherDigit(number))
          changes.push({ i, number, other, change: () => replace(other), restore: () => replace(number) })
      })
    assert.ok(changes.length > 5, `${changes.length}`)
    for (const { i, change, restore, number, other } of changes) {
      change()
      const { valid, faults, examples } = await validate()
      restore()
      assert.deepEqual([valid, faults], [false, []])
      const failed = examples.flatMap((example, at) => (example.holds ? [] : [at]))
      assert.deepEqual(failed, [i], `${number} as ${other}`)
      assert.ok(
        examples[i]?.faults.some(({ message }) => message.includes(`not ${other}`)),
        JSON.stringify(examples[i]?.faults),
      )
    }
    // Publishing asks the same question.
    changes[0]?.change()
    const { body } = await call('POST', `${base}/rulesets`, { key, body: { document } })
    const { id: ruleset_id, draft_version_id } = body as never as { id: string; draft_version_id: string }
    const refused = await call('POST', `${base}/rulesets/${ruleset_id}/versions/${draft_version_id}/publish`, { key })
    assert.deepEqual([refused.status, refused.body.code], [409, 'ruleset_faulty'])
  })
