import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { applyChange, type Copy, type CopyChange, copyKey } from '../src/copies.ts'

type Change = CopyChange['data']['change']
type Row = Copy & Record<string, unknown>

/** Copies of these resources, by the keys of these types. */
const copiesOf = (...rows: [type: string, row: Row][]) => new Map(rows.map(([type, row]) => [copyKey(type, row), row]))
const event = (change: Change, resource_type: string, id: string, resource: Row | null = null): CopyChange => ({
  campaign_id: 'k',
  data: { change, resource_type, id, resource },
})
const keysOf = (copies: Map<string, Row>) => [...copies.keys()].sort()

test('UPSERT adds a copy and replaces it, but never by a lower version', () => {
  const copies = copiesOf()
  const put = (version: number, title: string) => applyChange(copies, event('UPSERT', 'note', 'n', { id: 'n', version, title }))
  const title = () => copies.get('note n')?.title
  assert.deepEqual([put(2, 'first'), title()], [true, 'first'])
  assert.deepEqual([put(3, 'changed'), title()], [true, 'changed'])
  assert.deepEqual([put(2, 'late'), title()], [false, 'changed'])
  assert.deepEqual([put(3, 'shows less'), title()], [true, 'shows less'])
  assert.equal(copies.size, 1)
})

test('a resource without a version replaces its copy', () => {
  const copies = copiesOf(['experience', { id: 'e', reversed_by: null }])
  assert.equal(applyChange(copies, event('UPSERT', 'experience', 'e', { id: 'e', reversed_by: 'f' })), true)
  assert.equal(copies.get('experience e')?.reversed_by, 'f')
})

test('REMOVE has no version and deletes the copy of any, and the resource may appear again with a lower one', () => {
  const copies = copiesOf(['tracker', { id: 't', version: 9 }])
  assert.equal(applyChange(copies, event('REMOVE', 'tracker', 't')), true)
  assert.equal(copies.size, 0)
  assert.equal(applyChange(copies, event('REMOVE', 'tracker', 't')), false)
  assert.equal(applyChange(copies, event('RESYNC', 'tracker', 't', { id: 't', version: 1 })), true)
  assert.equal(copies.get('tracker t')?.version, 1)
})

test('a member who left and came back replaces the copy, although the versions begin again', () => {
  const member = { id: 'u', campaign_id: 'k', user_id: 'u' }
  const copies = copiesOf(['member', { ...member, version: 4, date_created: '2026-11-15T18:30:00.000Z' }])
  const next = { ...member, version: 1, date_created: '2026-11-16T18:30:00.000Z' }
  assert.equal(applyChange(copies, event('UPSERT', 'member', 'u', next)), true)
  assert.equal(copies.get(copyKey('member', member)), next)
  assert.equal(applyChange(copies, event('UPSERT', 'member', 'u', { ...next, version: 0 })), false)
})

test('the member of one campaign is not that of another', () => {
  const copies = copiesOf(['member', { id: 'u', campaign_id: 'k' }], ['member', { id: 'u', campaign_id: 'other' }])
  assert.equal(copies.size, 2)
  applyChange(copies, event('REMOVE', 'member', 'u'))
  assert.deepEqual(
    [...copies.values()].map(({ campaign_id }) => campaign_id),
    ['other'],
  )
})

const campaign = (): [string, Row][] => [
  ['campaign', { id: 'k', version: 5, user_id: 'u', ruleset_version_id: 'v' }],
  ['member', { id: 'u', campaign_id: 'k', user_id: 'u' }],
  ['character', { id: 'c', campaign_id: 'k', user_id: 'u', version: 2 }],
  ['item', { id: 'i', character_id: 'c' }],
  ['tracker', { id: 't', campaign_id: 'k', character_id: 'c' }],
  ['tracker', { id: 'clock', campaign_id: 'k', character_id: null }],
  ['dice_roll', { id: 'r', campaign_id: 'k', character_id: 'c', user_id: 'u' }],
  ['book', { id: 'b', campaign_id: 'k' }],
  ['chapter', { id: 'h', campaign_id: 'k', book_id: 'b' }],
  ['note', { id: 'n', campaign_id: 'k', book_id: 'b', chapter_id: 'h', author_id: 'u' }],
]
const elsewhere = (): [string, Row][] => [
  ['campaign', { id: 'other' }],
  ['character', { id: 'd', campaign_id: 'other', user_id: 'u' }],
  ['item', { id: 'j', character_id: 'd' }],
  ['note', { id: 'mine', campaign_id: null, character_id: null, author_id: 'u' }],
  ['ruleset', { id: 's' }],
  ['ruleset_version', { id: 'v', ruleset_id: 's' }],
  ['user', { id: 'u' }],
]

for (const [type, id, deleted] of [
  ['campaign', 'k', campaign().map(([of, row]) => copyKey(of, row))],
  ['character', 'c', ['character c', 'dice_roll r', 'item i', 'tracker t']],
  ['book', 'b', ['book b', 'chapter h', 'note n']],
  ['chapter', 'h', ['chapter h', 'note n']],
  ['ruleset', 's', ['ruleset s', 'ruleset_version v']],
  ['user', 'u', ['member u k', 'user u']],
  ['ruleset_version', 'v', ['ruleset_version v']],
  ['item', 'i', ['item i']],
] as [string, string, string[]][])
  test(`REMOVE of a ${type} deletes what belongs to it and nothing else, and RESYNC keeps the resource itself`, () => {
    const all = keysOf(copiesOf(...campaign(), ...elsewhere()))
    const removed = copiesOf(...campaign(), ...elsewhere())
    assert.equal(applyChange(removed, event('REMOVE', type, id)), true)
    assert.deepEqual(
      all.filter((key) => !removed.has(key)),
      [...deleted].sort(),
    )
    const resynced = copiesOf(...campaign(), ...elsewhere())
    applyChange(resynced, event('RESYNC', type, id))
    assert.deepEqual(keysOf(resynced), [...keysOf(removed), `${type} ${id}`].sort())
    // The parts go, even if there is no copy of what they belong to.
    const parts = copiesOf(...campaign(), ...elsewhere())
    parts.delete(`${type} ${id}`)
    assert.equal(applyChange(parts, event('REMOVE', type, id)), deleted.length > 1)
    assert.deepEqual(keysOf(parts), keysOf(removed))
  })

test('RESYNC does not replace a copy by a lower version either, and deletes the parts in any case', () => {
  const copies = copiesOf(...campaign())
  assert.equal(applyChange(copies, event('RESYNC', 'character', 'c', { id: 'c', campaign_id: 'k', version: 1 })), true)
  assert.equal(copies.get('character c')?.version, 2)
  assert.equal(copies.has('item i'), false)
})

test('RESYNC of the company deletes everything of it', () => {
  const copies = copiesOf(['company', { id: 'co' }], ['term', { id: 't', company_id: 'co' }], ['campaign', { id: 'k', company_id: 'co' }])
  assert.equal(applyChange(copies, event('RESYNC', 'company', 'co')), true)
  assert.deepEqual(keysOf(copies), ['company co'])
})

test('a resource that is left out of its event changes nothing, and is applied with it later', () => {
  const copies = copiesOf(['note', { id: 'n', version: 1 }])
  const change = event('UPSERT', 'note', 'n')
  assert.equal(applyChange(copies, change), false)
  assert.equal(copies.get('note n')?.version, 1)
  assert.equal(applyChange(copies, { ...change, data: { ...change.data, resource: { id: 'n', version: 2 } } }), true)
})

test('whatever a late list is ahead by, the copies end as the last events say', () => {
  // The versions of one note: at each the note is visible or hidden, and the list was read after some of them.
  const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 })
  const property = fc.property(history, fc.nat(), fc.nat(), (isVisible, listed, start) => {
    const row = (at: number): Row => ({ id: 'n', version: at + 1 })
    const read = listed % isVisible.length
    const copies = isVisible[read] ? copiesOf(['note', row(read)]) : copiesOf()
    // Each event is told with what was visible when it was sent, which is at the event or later.
    for (let at = Math.min(start % isVisible.length, read); at < isVisible.length; at++)
      applyChange(copies, isVisible[at] ? event('UPSERT', 'note', 'n', row(at)) : event('REMOVE', 'note', 'n'))
    const last = isVisible.length - 1
    assert.deepEqual([...copies.values()], isVisible[last] ? [row(last)] : [])
  })
  fc.assert(property)
})
