import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { verifyRoll } from '@guildhall/dice/verify'
import { compileRuleset, type Ruleset } from '@guildhall/rules/ruleset/compile'
import { judgeOf } from '@guildhall/rules/ruleset/judge'
import { call } from '../../../test/harness.ts'
import { newRuledTable, type Ruled } from '../../../test/ruled-table.ts'
import { guildhall, newFolder } from '../../../test/service.ts'
import type { DiceRoll, Proof } from '../dice-rolls/schema.ts'

/** Rolls once, changes the sheet, and reveals the seed. */
async function proven(pack: string, name: string, sheet: object, body: object) {
  const table = await newRuledTable(pack, sheet)
  const { base, key, player, teller, C, H, ruleset_id, version_id } = table
  const { body: made, status, text } = await player.post(`${H}/rolls/${name}`, body)
  assert.equal(status, 201, text)
  await player.patch(H, { traits: { fight: 0, strength: 3 } })
  assert.equal((await teller.post(`${C}/dice-seed/rotate`)).status, 200)
  const proof = (await player.get(`/dice-rolls/${made.id}/proof`)).body as unknown as Proof
  const roll = (await player.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll & { ruleset: Ruled }
  const version = await call('GET', `${base}/rulesets/${ruleset_id}/versions/${version_id}/document`, { key })
  return { proof, roll, document: version }
}

const packs = (name: string) => JSON.parse(readFileSync(new URL(`../../../../packs/${name}.json`, import.meta.url), 'utf8'))

test('the result by the ruleset is verified from the document and the values that the roll kept', async () => {
  const { proof, roll } = await proven(
    'fate-core',
    'action',
    { traits: { fight: 3 } },
    { inputs: { skill: 'fight', opposition: 1 }, spends: { invokes: 1 } },
  )
  const ruleset = compileRuleset(packs('fate-core')).ruleset as Ruleset
  const verify = (changes: Partial<DiceRoll> = {}) => {
    const changed = { ...roll, ...changes } as typeof roll
    return verifyRoll(proof, changed, judgeOf(ruleset, changed.ruleset))
  }
  assert.deepEqual(await verify(), {
    holds: true,
    message: 'The proof holds: the commitment follows from the seed, the words from both seeds and the nonce, and the dice from the words.',
    faults: [],
  })
  const WRONG = 'The result by the ruleset does not follow from the dice.'
  const RESULT = 'The result does not follow from the dice.'
  const ruled = (changes: Partial<Ruled>) => verify({ ruleset: { ...roll.ruleset, ...changes } })
  assert.deepEqual((await ruled({ code: 'nonsense' })).faults, [WRONG])
  assert.deepEqual((await ruled({ label: 'Nonsense' })).faults, [WRONG])
  assert.deepEqual((await ruled({ score: 99 })).faults, [WRONG])
  assert.deepEqual((await ruled({ margin: 99 })).faults, [WRONG])
  assert.ok((await ruled({ values: { ...roll.ruleset.values, fight: 9 } })).faults.includes(WRONG))
  assert.ok((await ruled({ inputs: { ...roll.ruleset.inputs, opposition: -4 } })).faults.includes(WRONG))
  assert.deepEqual((await verify({ outcome: 'BOTCH' })).faults, [RESULT])
  assert.deepEqual((await verify({ margin: 99 })).faults, [RESULT])
  assert.deepEqual((await verify({ total: 99 })).faults, [RESULT])
  const unjudged = await verifyRoll(proof, roll)
  assert.deepEqual(
    [unjudged.holds, unjudged.message.endsWith('The result by the ruleset was not checked: that takes its document.')],
    [true, true],
  )
  assert.deepEqual((await verifyRoll(proof, { ...roll, total: 99 })).faults, [RESULT])
})

test('the notation, too, must follow from the values', async () => {
  const { proof, roll } = await proven('srd-5.2', 'check', { traits: { strength: 16 } }, { inputs: { mode: 'advantage' } })
  const ruleset = compileRuleset(packs('srd-5.2')).ruleset as Ruleset
  assert.equal((await verifyRoll(proof, roll, judgeOf(ruleset, roll.ruleset))).holds, true)
  const other = judgeOf(ruleset, { ...roll.ruleset, inputs: { ...roll.ruleset.inputs, mode: 'normal' } })
  assert.deepEqual((await verifyRoll(proof, roll, other)).faults, [
    'The notation does not follow from the ruleset and the values of the roll.',
  ])
})

test('guildhall verify-roll --ruleset checks the result by the ruleset', async () => {
  const { proof, roll, document } = await proven('fate-core', 'action', { traits: { fight: 3 } }, { inputs: { skill: 'fight' } })
  const folder = newFolder()
  mkdirSync(folder, { recursive: true })
  const save = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  assert.equal(document.status, 200, document.text)
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }
  const ruleset = save('document.json', document.body)
  const run = (changes: object, file = ruleset) =>
    guildhall(['verify-roll', save('proof.json', proof), '--roll', save('roll.json', { ...roll, ...changes }), '--ruleset', file], env)
  const good = await run({})
  assert.deepEqual([good.code, good.output.startsWith('The proof holds: ')], [0, true], good.output)
  const bad = await run({ ruleset: { ...roll.ruleset, code: 'nonsense' } })
  assert.deepEqual([bad.code, bad.output], [1, 'The result by the ruleset does not follow from the dice.\n'])
  const refusals: [changes: object, file: string, sentence: RegExp][] = [
    [{ ruleset: null }, ruleset, /judges only a roll that was made by its name/],
    [{}, save('null.json', null), /null\.json' is not the document of a published version/],
    [{}, save('other.json', packs('d10-pool')), /other\.json' has no roll action/],
    [{ ruleset: { ...roll.ruleset, inputs: { luck: 1 } } }, ruleset, /The inputs of the roll do not fit/],
  ]
  for (const [changes, file, sentence] of refusals) {
    const { code, output } = await run(changes, file)
    assert.deepEqual([code, sentence.test(output)], [1, true], output)
  }
})
