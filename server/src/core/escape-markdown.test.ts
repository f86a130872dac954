import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NAUGHTY } from '../../test/naughty.ts'
import { discordMarks, rendered, withoutGuards } from '../../test/rendered.ts'
import { escapeMarkdown } from './escape-markdown.ts'
import { oneLine } from './text.ts'

const HOSTILE = [
  '**@everyone** [x](http://evil.example)',
  '@here and <@80351110224678912> and <@!80351110224678912> and <@&165511591545143296>',
  '<#103735883630395392> <t:1618953630:R> </roll:1> <:smile:1> <a:smile:1> <id:browse>',
  'someone@example.com, mailto:someone@example.com, www.example.com, WWW.example.com, ftp://a.example',
  '<https://evil.example> ![x](http://evil.example/a.png) [x][y]',
  ':smile: :) ¯\\_(ツ)_/¯',
  '_a_ __b__ *c* **d** ***e*** ~f~ ~~g~~ `h` ``i`` ||j|| snake_case_name',
  '> quote',
  '>>> quote',
  '# heading',
  '-# subtext',
  '- item',
  '+ item',
  '1. item',
  '22) item',
  '---',
  '===',
  '```js',
  '    code',
  '\tcode',
  '&lt;b&gt; &copy; &#64;everyone',
  '<b>bold</b> <!-- a --> <?a?>',
  '\\*not escaped\\* \\\\',
  '| a | b |',
  '[x]: http://evil.example',
  '[^1]',
]

const LINES = 'First line\n# heading\n- item\n    code\n===\n1. one\n> quote\n-# small\n```\nwww.example.com'

/** White space that ends or begins a line is not shown, and several in a row are shown as one. */
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()

test('a parser of Markdown shows an escaped text as it was written, without any formatting', () => {
  for (const text of [...NAUGHTY.map(oneLine), ...HOSTILE]) {
    const { text: shown, marks } = rendered(escapeMarkdown(text))
    assert.deepEqual(marks, [], JSON.stringify(text))
    assert.equal(spaced(withoutGuards(shown)), spaced(text), JSON.stringify(text))
  }
})

test('a text of several lines has no headings, lists, quotes or code', () => {
  for (const text of [LINES, HOSTILE.join('\n'), ...HOSTILE.map((line) => `Before\n${line}\nafter`)]) {
    const { text: shown, marks } = rendered(escapeMarkdown(text))
    assert.deepEqual(marks, [], text)
    assert.equal(spaced(withoutGuards(shown)), spaced(text))
  }
})

test('Discord finds no mention, address, emoji or formatting in an escaped text', () => {
  for (const text of [...NAUGHTY.map(oneLine), ...HOSTILE, LINES])
    assert.deepEqual(discordMarks(escapeMarkdown(text)), [], JSON.stringify(text))
})

test('the search for what Discord reads finds it in a text that is not escaped', () => {
  for (const text of [
    '@everyone',
    '\\@here',
    '\\<@1>',
    '<#1>',
    'http://a.example',
    '-# a',
    '||a||',
    '__a__',
    ':smile:',
    '> a',
    '# a',
    '`a`',
    '~~a~~',
  ])
    assert.notDeepEqual(discordMarks(text), [], text)
})
