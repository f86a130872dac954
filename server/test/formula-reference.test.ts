import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import fc from 'fast-check'
import { EXAMPLE } from '../../rules/src/formula/manual.ts'
import { anyFormula } from '../../rules/test/any-formula.ts'
import { call, db, newCompany } from './harness.ts'

// The formulas of generated documents are computed by the service and by a second implementation, in Python, which was written from
// docs/formulas.md. Most of the time goes into Python.

const SEED = 20_261_118
const DOCUMENTS = 20
/** As many as the limit of parts allows, with formulas of this size. */
const FORMULAS_PER_DOCUMENT = 100
const SAMPLES_PER_DOCUMENT = 20
const TRAITS = ['strength', 'level', 'wounds', 'athletics', 'stealth', 'endurance']

const skip = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on this machine'
const inPython = (given: object[]): Record<string, number>[][] => {
  const script = new URL('./compute_formulas.py', import.meta.url).pathname
  const { status, stdout, stderr } = spawnSync('python3', ['-B', script], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

/** A game in which every name of the generated formulas has a meaning. */
const documentWith = (formulas: string[]) => ({
  format: 1,
  name: 'Formulas',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: {}, skills: {} },
  traits: Object.fromEntries(TRAITS.map((name) => [name, { group: ['athletics', 'stealth'].includes(name) ? 'skills' : 'stats' }])),
  tables: EXAMPLE.tables,
  choices: { class: { values: { hit_die: 6 }, options: { fighter: { values: { hit_die: 10 } }, wizard: {} } } },
  trackers: { hp: { max: 'endurance' } },
  derived: Object.fromEntries(formulas.map((formula, i) => [`d${i}`, { formula }])),
})

const extreme = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
  fc.constantFrom(-1_000_000_000, 1_000_000_000),
)
const anySample = fc.record({
  traits: fc.record(Object.fromEntries(TRAITS.map((name) => [name, extreme]))),
  choices: fc.record({ class: fc.constantFrom('fighter', 'wizard') }),
})

test('formulas have the values that an implementation in another language computes', { skip }, async (t) => {
  const { base, key } = await newCompany(db)
  const formulas = fc.sample(anyFormula, { seed: SEED, numRuns: DOCUMENTS * FORMULAS_PER_DOCUMENT }).map(({ text }) => text)
  assert.ok(new Set(formulas).size > formulas.length / 2)
  const samples = fc.sample(anySample, { seed: SEED, numRuns: SAMPLES_PER_DOCUMENT })
  const values = new Set<number>()
  const documents = Array.from({ length: DOCUMENTS }, (_, i) =>
    documentWith(formulas.slice(i * FORMULAS_PER_DOCUMENT, (i + 1) * FORMULAS_PER_DOCUMENT)),
  )
  const expected = inPython(documents.map((document) => ({ document, samples })))
  for (const [i, document] of documents.entries()) {
    const reply = await call('POST', `${base}/rulesets/validate`, { key, body: { document, samples } })
    const computed = reply.body as never as { valid: boolean; faults: object[]; samples: { derived: Record<string, number> }[] }
    assert.deepEqual([reply.status, computed.faults], [200, []])
    for (const [j, { derived }] of computed.samples.entries())
      for (const [name, value] of Object.entries(derived)) {
        values.add(value)
        assert.equal(value, expected[i]?.[j]?.[name], `${document.derived[name]?.formula} with ${JSON.stringify(samples[j])}`)
      }
    assert.deepEqual([computed.samples.length, Object.keys(computed.samples[0]?.derived ?? {}).length], [20, FORMULAS_PER_DOCUMENT])
  }
  t.diagnostic(`${values.size} different values of ${formulas.length} formulas`)
  assert.ok(values.size > 1000)
})
