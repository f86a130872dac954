import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupTraits } from '../src/pages/sheet/trait-groups.ts'
import { labelOf, nameOf } from '../src/play/character-words.ts'

const shown = (traits: Record<string, number>) =>
  groupTraits(traits).map(({ title, traits: members, hasDots }) => [title, members.map(({ label }) => label).join(), hasDots])

test('traits are grouped by what they are, and by the words that they share', () => {
  assert.deepEqual(shown({}), [])
  assert.deepEqual(shown({ stealth: 2, wits: 4, strength: 1, animal_ken: 6 }), [
    ['Attributes', 'Strength,Wits', true],
    ['Other traits', 'Animal ken,Stealth', true],
  ])
  // Two with the same word are chance, three are a group.
  assert.deepEqual(shown({ save_wits: 1, save_will: 2, save_luck: 3, animal_ken: 1, animal_lore: 1 }), [
    ['Save', 'Luck,Will,Wits', true],
    ['Other traits', 'Animal ken,Animal lore', true],
  ])
  assert.deepEqual(shown({ fire_lore: 1, sea_lore: 2, star_lore: 3 }), [['Lore', 'Fire,Sea,Star', true]])
})

test('traits that have nothing in common are one list without a heading, also if one of them is an attribute of other games', () => {
  assert.deepEqual(shown({ nerve: 2, wits: 4, lore: 1 }), [[undefined, 'Lore,Nerve,Wits', true]])
})

test('a group with negative or mostly large values shows numbers, without dots', () => {
  assert.deepEqual(shown({ strength: 16, dexterity: 3, wisdom: 12 }), [['Attributes', 'Strength,Dexterity,Wisdom', false]])
  assert.deepEqual(shown({ arcana: -1, stealth: 3 }), [[undefined, 'Arcana,Stealth', false]])
  // Perception is an attribute of one game, and a skill of another.
  assert.deepEqual(shown({ perception: 3, stamina: 2 }), [['Attributes', 'Stamina,Perception', true]])
  assert.deepEqual(shown({ perception: 3, wisdom: 12, charisma: 8 }).at(-1), ['Other traits', 'Perception', true])
})

test('any name of a trait is shown, also one that objects inherit', () => {
  assert.deepEqual(shown({ constructor: 1, to_string: 2 }), [[undefined, 'Constructor,To string', true]])
})

test('names are written as people write them', () => {
  for (const [label, name] of [
    ['Animal ken', 'animal_ken'],
    ['  Élan vital!  ', 'elan_vital'],
    ['HP (max)', 'hp_max'],
    ['日本', ''],
  ] as const)
    assert.equal(nameOf(label), name)
  assert.equal(labelOf('animal_ken'), 'Animal ken')
})
