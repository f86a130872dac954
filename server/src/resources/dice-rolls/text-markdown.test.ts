import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable } from '../../../test/game-table.ts'
import { call } from '../../../test/harness.ts'
import { NAUGHTY } from '../../../test/naughty.ts'
import { discordMarks, rendered, withoutGuards } from '../../../test/rendered.ts'
import { newRuledTable } from '../../../test/ruled-table.ts'
import type { DiceRoll, DiceRollRow } from './schema.ts'
import { markdownOf, textsFor, withoutTraits } from './text.ts'

const HOSTILE = [
  '**@everyone** [x](http://evil.example)',
  '~~7~~ = **12**, SUCCESS',
  '<@80351110224678912> <#103735883630395392> :smile: ||spoiler|| `code`',
  'x: 4d6kh3+2: [~~9~~',
]
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
/** The text without the tildes around struck dice, which Markdown replaces with a line. */
const unstruck = (text: string) => text.replace(/~~(-?\d+(?:→-?\d+)?)~~/g, '$1')

/** Asserts that a Markdown text shows the text of a roll, and formats nothing but these parts. */
function assertShows(markdown: string, text: string, marks: string[]): void {
  const shown = rendered(markdown)
  assert.deepEqual(
    shown.marks.map(([kind, part]) => `${kind} ${part}`),
    marks,
    markdown,
  )
  assert.equal(spaced(withoutGuards(shown.text)), spaced(text))
}

/** Rolls of every form, with what is formatted in them. */
const ROLLS: [body: object, marks: string[]][] = [
  [{ notation: '4d6kh3+2', manual: [5, 3, 6, 5] }, ['del 3', 'strong 18']],
  [{ notation: '2d20kl1', manual: [17, 4], target: 12 }, ['del 17', 'strong 4', 'strong FAILURE']],
  [{ notation: '2d6[**fire** ~~1~~]*2 + 3d6kl1[@everyone]', manual: [1, 2, 3, 4, 5] }, ['del 4', 'del 5', 'strong 9']],
  [{ notation: '4dFkh3', manual: [-1, 0, 1, 1] }, ['del -1', 'strong 2']],
  [{ notation: '3d20mi10kh2', manual: [4, 12, 15] }, ['del 4→10', 'strong 27']],
  [{ notation: '5*3' }, ['strong 15']],
  [{ notation: '15' }, []],
  [{ notation: '3[~~1~~ **a**]' }, ['strong 3']],
  [{ notation: '100d6', manual: Array(100).fill(3) }, ['strong 300']],
  [{ notation: '101d6+1', manual: Array(101).fill(3) }, ['strong 304']],
  [
    { pool: { dice: 3, difficulty: 7, special: { count: 1, label: '~~9~~ __Hunger__' } }, manual: [8, 1, 3] },
    ['strong 0', 'strong FAILURE'],
  ],
  [{ notation: '3d10>=7f1', manual: [8, 9, 1] }, ['strong 1']],
]

test('the text in Markdown shows the text, strikes the struck dice, and formats no name, comment or label', async () => {
  const { player } = await newGameTable()
  const usable = NAUGHTY.filter((one) => one.trim() && one.length <= 500)
  for (const [position, [body, marks]] of ROLLS.entries()) {
    const reply = await player.post('/dice-rolls', body)
    assert.equal(reply.status, 201, reply.text)
    const roll = reply.body as unknown as DiceRoll
    const ofLabels = (text: string) => text.replaceAll('~~1~~', '~ 1 ~').replaceAll('~~9~~', '~ 9 ~')
    const plain = (text: string) => unstruck(ofLabels(text)).replace(/~ (\d) ~/g, '~~$1~~')
    assertShows(roll.text_markdown, plain(roll.text), marks)
    // Each text is in one roll, because a parser takes long, and the worst are in all.
    for (const name of [...usable.filter((_, i) => i % ROLLS.length === position), ...HOSTILE]) {
      const text = textsFor(name.trim(), { ...roll, comment: name, label: name }).text
      const markdown = markdownOf({ ...roll, text })
      const isTricky = name.includes('~~7~~') || name.includes('~~9~~')
      assertShows(markdown, isTricky ? withoutGuards(rendered(markdown).text) : plain(text), marks)
      if (isTricky) assert.ok(rendered(markdown).text.includes(name), markdown)
      assert.deepEqual(discordMarks(markdown.replace(/~~(-?\d+(→-?\d+)?)~~|\*\*(-?\w+)\*\*/g, '')), [], markdown)
    }
  }
})

test('the words of a ruleset and the reason of a void are escaped, and a settlement keeps the result strong', async () => {
  const { player } = await newGameTable()
  const roll = (await player.post('/dice-rolls', { notation: '4d6kh3', manual: [1, 2, 3, 4] })).body as unknown as DiceRoll
  const ruled: DiceRollRow = { ...roll, ruleset: { score: 12, label: '**You** [do](http://evil.example) it', code: 'x' } as never }
  for (const shown of [ruled, { ...roll, settlement: 'OVERREACH' as const }, { ...roll, void_reason: HOSTILE[0] as string }, roll]) {
    const { text } = textsFor('Mina', shown)
    assertShows(markdownOf({ ...shown, text }), unstruck(text), ['del 1', 'strong 9'])
  }
})

test('a list that leaves out dice or cuts a text shows no broken formatting', async () => {
  const { player } = await newGameTable()
  const comment = '*'.repeat(500)
  await player.make('/dice-rolls', { notation: '150d6', comment })
  await player.make('/dice-rolls', { notation: '99d20kh1', comment, manual: Array.from({ length: 99 }, (_, i) => (i % 19) + 1) })
  const { items } = (await player.get('/dice-rolls')).body as unknown as { items: DiceRoll[] }
  assert.equal(items.length, 2)
  for (const { text, text_markdown } of items) {
    const shown = rendered(text_markdown)
    assert.ok(
      shown.marks.every(([kind, part]) => kind === 'del' || (kind === 'strong' && /^\d+$/.test(part))),
      text_markdown,
    )
    assert.ok(spaced(shown.text).startsWith(spaced(text).slice(0, 500)))
  }
})

test('every place that shows a roll shows its text in Markdown, and a hidden sheet stays hidden in it', async () => {
  const { base, key, player, teller, other, campaign_id, C } = await newGameTable()
  const [name] = HOSTILE as [string]
  await call('PATCH', `${base}/users/${player.id}`, { key, body: { name } })
  const hero = await player.make(`${C}/characters`, { name, traits: { secret_wits: 3 }, sheet_visibility: 'PLAYER' })
  const follower = await Follower.start(other, '&types=dice_roll.*')
  const body = { notation: '2d20kh1+{secret_wits}', manual: [17, 4], character_id: hero, comment: name }
  const made = (await player.post('/dice-rolls', body)).body as unknown as DiceRoll
  const plain = unstruck(made.text)
  const marks = ['del 4', 'strong 20']
  assertShows(made.text_markdown, plain, marks)
  const others = [{ repeat: 2 }, { rolls: [{ notation: '2d20kh1+{secret_wits}' }] }] as const
  const groups = await Promise.all(
    others.map(async (several) => {
      const request = { character_id: hero, comment: name, ...('repeat' in several && { notation: body.notation }), ...several }
      return ((await player.post('/dice-rolls', request)).body as unknown as { items: DiceRoll[] }).items
    }),
  )
  const quick = await player.make('/quick-rolls', { name: 'Quick', notation: body.notation })
  const rolled = await player.post(`/quick-rolls/${quick}/roll`, { character_id: hero })
  assert.equal(rolled.status, 201, rolled.text)
  const included = (path: string) =>
    player.get(`${path}?include=rolls`).then((reply) => (reply.body as unknown as { rolls: DiceRoll[] }).rolls)
  const shown = [
    ...groups.flat(),
    rolled.body as unknown as DiceRoll,
    (await player.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll,
    ...((await player.get('/dice-rolls')).body.items as unknown as DiceRoll[]),
    ...(await included(C)),
    ...(await included(`${C}/characters/${hero}`)),
  ]
  assert.equal(shown.length, 3 + 1 + 1 + 5 + 5 + 5)
  for (const roll of shown) {
    const dropped = roll.dice.find(({ flags }) => flags.includes('dropped'))
    assertShows(roll.text_markdown, unstruck(roll.text), [`del ${dropped?.value}`, `strong ${roll.total}`])
  }

  const seen = (await other.get(`/dice-rolls/${made.id}`)).body as unknown as DiceRoll
  assert.equal(seen.text_markdown, markdownOf(withoutTraits(made)))
  assertShows(seen.text_markdown, unstruck(seen.text), marks)
  assert.ok(!JSON.stringify(seen).includes('+3'))
  const events = await follower.read()
  assert.ok(events.some(({ type }) => type === 'dice_roll.created'))
  for (const { data } of events) {
    const resource = data.resource as unknown as DiceRoll
    assert.equal(resource.text_markdown, markdownOf(resource))
  }

  const voided = await teller.post(`/dice-rolls/${made.id}/void`, { reason: name })
  assertShows((voided.body as unknown as DiceRoll).text_markdown, unstruck((voided.body as unknown as DiceRoll).text), marks)
  const blind = (await player.post('/dice-rolls', { notation: '1d20', campaign_id, visibility: 'BLIND' })).body as unknown as DiceRoll
  assert.deepEqual([blind.text_markdown, blind.text], Array(2).fill('Only the storytellers can see the result.'))
})

test('a roll by its name in a ruleset has its text in Markdown', async () => {
  const { player, H } = await newRuledTable('action-dice', {})
  const rolled = (await player.post(`${H}/rolls/resist`, {})).body as unknown as DiceRoll
  assert.match(rolled.text_markdown, / \*\*\d+\*\*/)
  assertShows(
    rolled.text_markdown,
    unstruck(rolled.text),
    rendered(rolled.text_markdown).marks.map(([kind, part]) => `${kind} ${part}`),
  )
})
