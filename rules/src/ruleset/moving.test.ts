import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileRuleset } from './compile.ts'

test('numbers that follow from trackers, experience or the campaign are known, also through others', () => {
  const { ruleset, faults } = compileRuleset({
    format: 1,
    name: 'Tides',
    source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
    groups: { stats: { min: 0, max: 9 } },
    traits: { nerve: { group: 'stats' }, body: { group: 'stats' } },
    derived: {
      still: { formula: 'nerve + body' },
      twice: { formula: 'still * 2' },
      wounded: { formula: 'health.max - health' },
      slowed: { formula: 'twice - wounded' },
      famous: { formula: 'xp.earned > 10 ? 1 : 0' },
      feared: { formula: 'campaign.tide + nerve' },
      wary: { formula: 'campaign.danger' },
    },
    trackers: { health: { max: 'still + 3' }, grit: { max: 'famous + 1' }, tide: { scope: 'campaign', max: 9 } },
  })
  assert.deepEqual(faults, [])
  const named = ['still', 'twice', 'wounded', 'slowed', 'famous', 'feared', 'wary', 'health', 'health.max', 'grit.max', 'tide', 'nerve']
  assert.deepEqual(
    named.filter((name) => ruleset?.moving.has(name)),
    ['wounded', 'slowed', 'famous', 'feared', 'wary', 'health', 'grit.max', 'tide'],
  )
})
