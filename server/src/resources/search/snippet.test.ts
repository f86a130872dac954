import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newGameTable } from '../../../test/game-table.ts'
import { db } from '../../../test/harness.ts'
import { fold } from '../../core/text.ts'
import { sql } from '../../db/sql.ts'
import { snippetOf, type Window, windowOf } from './snippet.ts'

const FILLERS = [
  'Wait… what… no… ',
  '한국어 이야기 ',
  'Zoë ',
  'e\u0301t ',
  '😀 ',
  '👨‍👩‍👦 ',
  'ﷺ ',
  'שָׁלוֹם '.normalize('NFD'),
  '東京都 ',
  'Дракон ',
]

test('a snippet is the text around the hit, in any script, cut between graphemes', async () => {
  const { player } = await newGameTable()
  // Once as typed, and once with accents, so that the position must be estimated.
  for (const needle of ['the Needleword is here', 'the NÉÉDLEWÖRD is here']) {
    for (const [i, filler] of FILLERS.entries()) {
      const id = await player.make('/notes', { title: `n${i}`, body: filler.repeat(80) + needle + filler.repeat(80) })
      const snippet = String((await player.get('/search?q=needleword')).body.items[0]?.snippet)
      assert.ok(snippet.startsWith('… ') && snippet.endsWith(' …') && snippet.includes(needle), `${filler}: ${snippet}`)
      assert.ok(snippet.length <= 210 && snippet.isWellFormed(), filler)
      assert.doesNotMatch(snippet, /^… [\p{M}\u200d]/u, filler)
      await player.delete(`/notes/${id}`)
    }
  }
  const snippets = async (body: string | null) => {
    const id = await player.make('/notes', { title: 'Needleword', body })
    const [hit] = (await player.get('/search?q=needleword')).body.items
    await player.delete(`/notes/${id}`)
    return hit?.snippet
  }
  assert.equal(await snippets('Short'), 'Short')
  assert.equal(await snippets(null), null)
  assert.equal(await snippets('x'.repeat(300)), `${'x'.repeat(199)} …`)
  assert.equal(await snippets('A needleword'), 'A needleword')
})

test('only a window of a long text reaches the service, wherever the hit is', async () => {
  const fillers = ['한', 'ﷺ', 'x ', 'é']
  for (const [before, after] of fillers.flatMap((one) => fillers.map((other) => [one, other] as const))) {
    const text = `${before.repeat(5000)} NÉÉDLEWORD ${after.repeat(5000)}`
    const key = fold(text, Number.POSITIVE_INFINITY)
    const [window] = await db.query<Window>(
      windowOf(sql`${text}::text`, sql`${key}::text`, sql`'needleword'::text`, sql`'needleword'::text`),
    )
    assert.ok(window?.part && window.part.length <= 2000)
    const snippet = snippetOf(window, 'needleword') as string
    assert.ok(snippet.length <= 210 && snippet.isWellFormed())
    // The estimate is good if the whole text consists of similar characters.
    if (before === after) assert.ok(snippet.includes('NÉÉDLEWORD'), before)
  }
})
