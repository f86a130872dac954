import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DocPage, linkMarkdown, resolver } from './library.ts'
import { renderMarkdown } from './markdown.ts'

const page = (file: string): DocPage => ({ path: `/${file.replace('.md', '')}`, file, title: '', answers: '', group: '' })
const resolve = resolver([page('docs/errors.md'), page('docs/guides/dice.md')], 'docs/guides/dice.md')

test('a link leads to the page of a file, to another host, or nowhere', () => {
  for (const [link, address] of [
    ['../errors.md', '/docs/errors'],
    ['../errors.md#reasons-for-403', '/docs/errors#reasons-for-403'],
    ['dice.md', '/docs/guides/dice'],
    ['#notation', '#notation'],
    ['https://semver.org/', 'https://semver.org/'],
    ['../README.md', '/docs'],
    ['../../openapi.json', '/docs/reference'],
    ['../images/console-table.png', '/docs/images/console-table.png'],
    ['../images/nothing.png', undefined],
    ['../../CHANGELOG.md', undefined],
    ['../../../etc/passwd', undefined],
  ] as const)
    assert.equal(resolve(link), address, link)
})

test('Markdown becomes HTML with anchors, scrolling tables, escaped code and no HTML of its own', () => {
  const markdown = [
    '# Rolling `dice`',
    '<!-- varies: dice -->',
    '<script>alert(1)</script>',
    '## Added',
    'See [errors](../errors.md) and [the code](../../server/src/app.ts).',
    '![A "sheet"](../images/console-sheet.png) and ![a map](nothing.png)',
    '## Added',
    '```json',
    '{"name": "<b>", "total": 18}',
    '```',
    '| Code | |',
    '|---|---|',
    '| `a` | <i>x</i> |',
  ].join('\n\n')
  const { html, title, headings } = renderMarkdown(markdown.replaceAll(/\n\n(?=\|)|(?<=```json)\n\n|\n\n(?=```$)/gm, '\n'), resolve)
  assert.equal(title, 'Rolling dice')
  assert.deepEqual(
    headings.map(({ slug }) => slug),
    ['rolling-dice', 'added', 'added-1'],
  )
  assert.doesNotMatch(html, /<script|varies|<i>|<b>/)
  assert.match(html, /<a href="\/docs\/errors">errors<\/a> and <span class="unlinked"[^>]*>the code<\/span>/)
  assert.match(html, /<img src="\/docs\/images\/console-sheet\.png" alt="A &quot;sheet&quot;" loading="lazy"> and a map/)
  assert.match(html, /<span class="name">&quot;name&quot;<\/span>: <span class="text">&quot;&lt;b&gt;&quot;<\/span>/)
  assert.match(html, /<div class="table" tabindex="0"[^>]*><table><thead><tr><th>Code<\/th><td><\/td><\/tr>/)
})

test('links in Markdown are replaced outside of code blocks', () => {
  const markdown = '[a](../errors.md) [b](../x.md)\n\n```sh\necho "[c](../errors.md)"\n```\n'
  assert.equal(linkMarkdown(markdown, resolve), '[a](/docs/errors) b\n\n```sh\necho "[c](../errors.md)"\n```\n')
})
