import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { REASONS } from '../src/core/denial.ts'
import { openapi } from '../src/http/reference/openapi.ts'
import { readErrors } from '../src/pages/errors.ts'
import { readIndex } from '../src/pages/library.ts'
import { operations } from '../src/resources/index.ts'
import { newGameTable } from './game-table.ts'
import { app, assertProblem, call, newCompany } from './harness.ts'
import { root } from './markdown.ts'

const pages = readIndex()
const codes = readErrors().map(({ code }) => code)
const document = openapi(operations)

const get = (path: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url: path, headers })
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => (value as string).replaceAll('&amp;', '&'))

test('docs/README.md lists every guide, and every listed page is served', async () => {
  const guides = readdirSync(`${root}docs/guides`).map((file) => `docs/guides/${file}`)
  const listed = new Set(pages.map(({ file }) => file))
  assert.deepEqual(
    guides.filter((file) => !listed.has(file)),
    [],
  )
  for (const path of ['/docs', '/docs/errors', '/docs/events', '/docs/changelog', '/docs/glossary', '/docs/api-conventions'])
    assert.ok(
      pages.some((page) => page.path === path),
      path,
    )
  for (const { path, title, file } of pages) {
    const { statusCode, body } = await get(path)
    assert.equal(statusCode, 200, file)
    assert.match(body, /<h1[ >]/, path)
    assert.ok(body.includes(`${title} · Guildhall</title>`) || path === '/docs' || body.includes('<title>'), path)
  }
})

test('no link of any page is dead, and no anchor', async () => {
  const seen = new Map<string, { ids: Set<string>; type: string }>()
  const links: { from: string; path: string; anchor: string | undefined }[] = []
  const queue = ['/docs', '/llms.txt', '/docs/reference']
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    const { statusCode, body, headers } = await get(path)
    assert.equal(statusCode, 200, `${path}, linked from ${links.find((link) => link.path === path)?.from}`)
    const type = String(headers['content-type'])
    const isHtml = type.startsWith('text/html')
    const ids = isHtml ? attributes(body, 'id') : []
    assert.equal(new Set(ids).size, ids.length, `${path} has an id twice: ${ids.filter((id, i) => ids.indexOf(id) !== i)}`)
    seen.set(path, { ids: new Set(ids), type })
    const isText = /^text\/(plain|markdown)/.test(type)
    const withoutCode = body.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]*`/g, '')
    const targets = isHtml
      ? [...attributes(body, 'href'), ...attributes(body, 'src')]
      : isText
        ? [...withoutCode.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target as string)
        : []
    for (const target of targets) {
      if (/^https?:/.test(target)) continue
      const [to = '', anchor] = target.split('#')
      assert.ok(to === '' || to.startsWith('/'), `${path} has the relative link ${target}`)
      links.push({ from: path, path: to || path, anchor })
      if (to) queue.push(to)
    }
  }
  // Scalar makes the anchors of the reference in the browser; docs-browser.test.ts follows one.
  const dead = links.filter(({ path, anchor }) => {
    const { ids, type } = seen.get(path) as { ids: Set<string>; type: string }
    return anchor !== undefined && type.startsWith('text/html') && path !== '/docs/reference' && !ids.has(anchor)
  })
  assert.deepEqual(dead, [])
  assert.ok(seen.size > pages.length * 2 + new Set(codes).size, `only ${seen.size} pages were found`)
})

test('every code that an operation can answer with has a page, which says what happened and what to do', async () => {
  const answered = new Set<string>()
  const walk = (node: unknown, inProblem: boolean): void => {
    if (Array.isArray(node)) for (const item of node) walk(item, inProblem)
    if (node === null || typeof node !== 'object') return
    for (const [name, value] of Object.entries(node)) {
      const isProblem = inProblem || name === 'application/problem+json' || /^[45]\d\d$/.test(name)
      if (isProblem && name === 'code' && typeof value === 'string') answered.add(value)
      if (isProblem && name === 'code' && Array.isArray((value as { enum?: string[] })?.enum))
        for (const code of (value as { enum: string[] }).enum) answered.add(code)
      if (isProblem && name === 'description' && typeof value === 'string')
        for (const [, code] of value.matchAll(/`([a-z_]+)`:/g)) answered.add(code as string)
      walk(value, isProblem)
    }
  }
  walk(document, false)
  for (const { conflicts = {} } of operations) for (const code of Object.keys(conflicts)) answered.add(code)
  assert.ok(answered.size > 30, [...answered].join())
  assert.deepEqual(
    [...answered].filter((code) => !codes.includes(code)),
    [],
  )
  for (const { code, status, when, todo } of readErrors()) {
    assert.ok(when.length > 10 && todo.length > 3, code)
    const { statusCode, body } = await get(`/docs/errors/${code}`)
    assert.equal(statusCode, 200, code)
    assert.ok(body.includes(`<h1><code>${code}</code></h1>`) && body.includes(`Error ${status}`), code)
    assert.match((await get(`/docs/errors/${code}.md`)).body, /## What to do\n\n\S/)
  }
  const [page, file] = [(await get('/docs/errors/forbidden')).body, (await get('/docs/errors/forbidden.md')).body]
  for (const [reason, meaning] of Object.entries(REASONS))
    assert.ok(page.includes(`<code>${reason}</code></td><td>${meaning}</td>`) && file.includes(`| \`${reason}\` | ${meaning} |`), reason)
  assert.match((await get('/docs/errors/desperation_too_low')).body, /href="\/docs\/reference#tag\/dice-rolls\//)
})

test('every page has a new nonce, which all of its scripts have, and no inline script or style', async () => {
  for (const path of ['/docs', '/docs/guides/dice', '/docs/reference', '/docs/errors/duplicate']) {
    const replies = await Promise.all([get(path), get(path)])
    const nonces = replies.map(({ body, headers }) => {
      const policy = String(headers['content-security-policy'])
      const [, nonce] = /script-src 'nonce-([^']+)';/.exec(policy) ?? []
      assert.ok(nonce, policy)
      assert.match(policy, /^default-src 'none';/)
      assert.equal(policy.includes('unsafe-inline'), path === '/docs/reference')
      assert.equal(headers['cache-control'], 'no-cache')
      assert.equal(headers.etag, undefined)
      const scripts = [...body.matchAll(/<script([^>]*)>([^<]*)/g)]
      assert.ok(scripts.length > 0)
      for (const [, attributes, text] of scripts)
        assert.ok(attributes?.includes(`nonce="${nonce}" src="/docs/assets/`) && text === '', path)
      assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=/)
      assert.doesNotMatch(body.replaceAll(/<a [^>]*>|<code>[\s\S]*?<\/code>/g, ''), /https?:\/\//, 'nothing is loaded from another host')
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
  }
})

test('an asset is kept for a year under the hash of its content, and sent compressed', async () => {
  const { body } = await get('/docs/reference')
  const urls = [...body.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, url]) => url as string)
  assert.deepEqual(urls.map((url) => url.replace(/\.\w+\./, '.')).sort(), [
    '/docs/assets/favicon.svg',
    '/docs/assets/openapi.json',
    '/docs/assets/reference.css',
    '/docs/assets/reference.js',
    '/docs/assets/scalar.js',
  ])
  for (const url of urls) {
    const plain = await get(url)
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(plain.headers.vary, 'Accept-Encoding')
    const unchanged = await get(url, { 'if-none-match': `"other", ${plain.headers.etag}` })
    assert.deepEqual([unchanged.statusCode, unchanged.rawPayload.length, unchanged.headers.etag], [304, 0, plain.headers.etag])
    const head = await app.inject({ method: 'HEAD', url })
    assert.deepEqual([head.statusCode, head.headers['content-length']], [200, plain.headers['content-length']])
    if (plain.rawPayload.length < 1024) continue
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const coded = await get(url, { 'accept-encoding': coding })
      assert.equal(coded.headers['content-encoding'], coding)
      assert.ok(decode(coded.rawPayload).equals(plain.rawPayload), url)
      assert.ok(coded.rawPayload.length < plain.rawPayload.length / 2)
      assert.notEqual(coded.headers.etag, plain.headers.etag)
      assert.equal((await get(url, { 'accept-encoding': coding, 'if-none-match': String(coded.headers.etag) })).statusCode, 304)
    }
  }
  const [scalar = ''] = urls.filter((url) => url.includes('scalar'))
  const other = await get(scalar.replace(/scalar\.\w+\./, 'scalar.0123456789abcdef.'))
  assert.deepEqual([other.statusCode, other.headers['cache-control']], [200, 'no-cache'], 'a page of another version')
  assert.equal((await get('/docs/assets/nothing.0123456789abcdef.js')).statusCode, 404)
  assert.ok(!(await get(scalar)).body.includes('QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'), "Scalar's joke")
})

test('openapi.json and llms.txt are compared with their ETag after a while', async () => {
  for (const path of ['/openapi.json', '/llms.txt', '/docs/guides/dice.md', '/docs.md', '/favicon.ico']) {
    const { statusCode, headers } = await get(path, { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([statusCode, headers['cache-control']], [200, 'public, max-age=300, must-revalidate'], path)
    assert.equal(headers['content-encoding'], path === '/favicon.ico' ? undefined : 'br')
    assert.equal((await get(path, { 'accept-encoding': 'gzip, br', 'if-none-match': String(headers.etag) })).statusCode, 304)
  }
  assert.deepEqual(JSON.parse((await get('/openapi.json')).body), JSON.parse(JSON.stringify(document)))
})

test('the pictures of a page are served, and never compressed a second time', async () => {
  const { body } = await get('/docs/guides/console')
  const pictures = [...body.matchAll(/<img src="([^"]+)" alt="[^"]+"/g)].map(([, url]) => url as string)
  assert.ok(pictures.length >= 4, pictures.join())
  for (const url of pictures) {
    const { statusCode, headers, rawPayload } = await get(url, { 'accept-encoding': 'gzip, br' })
    assert.deepEqual([statusCode, headers['content-type'], headers['content-encoding']], [200, 'image/png', undefined], url)
    assert.equal(rawPayload.subarray(1, 4).toString(), 'PNG')
    assert.equal((await get(url, { 'accept-encoding': 'br', 'if-none-match': String(headers.etag) })).statusCode, 304)
  }
})

test('a path below /docs at which there is nothing is a page for browsers and a problem for programs', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/guides/nothing',
    '/docs/errors/nothing',
    '/docs/nothing.md',
    '/docs/..%2f..%2fpackage',
    '/docs/assets/x',
    '/docs/images/x.png',
    '/docs/images/..%2fstart.md',
  ]) {
    assertProblem(await call('GET', path), 404, 'There is no such page. /docs lists all pages, and /llms.txt those in Markdown.')
    const { statusCode, body, headers } = await get(path, { accept: 'text/html,*/*;q=0.8' })
    assert.equal(statusCode, 404)
    assert.match(String(headers['content-security-policy']), /script-src 'nonce-/)
    assert.match(body, /There is no such page/)
  }
  for (const path of ['/docs', '/docs/guides/dice', '/docs/reference']) {
    const { statusCode, headers } = await get(`${path}/`)
    assert.deepEqual([statusCode, headers.location], [308, path])
  }
  assert.equal((await get('/docs/nothing/')).statusCode, 404)
  assertProblem(await call('POST', '/docs/guides/dice'), 405)
})

test('a browser is led from / to the documentation, and a program gets links', async () => {
  const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
  assert.deepEqual([browser.statusCode, browser.headers.location, browser.headers.vary], [302, '/docs', 'Accept'])
  const { links } = (await get('/')).json()
  assert.deepEqual([links.docs, links.reference, links.llms], ['/docs', '/docs/reference', '/llms.txt'])
})

test('every tag is in one chapter of the reference, and the chapters of operators are last', () => {
  const chapters = document['x-tagGroups']
  const grouped = chapters.flatMap(({ tags }) => tags)
  assert.deepEqual([...grouped].sort(), document.tags.map(({ name }) => name).sort())
  assert.ok(!chapters.some(({ name }) => name === 'More'), 'a new tag belongs to a chapter of http/reference/chapters.ts')
  assert.equal(chapters.at(-1)?.name, 'Operate')
})

test('every example of a roll works with the ids of a game', async () => {
  const { base, key, player, teller, C, campaign_id } = await newGameTable()
  const as = `${base}/users/${player.id}`
  await call('PATCH', `${base}/users/${teller.id}${C}`, { key, body: { desperation: 2 } })
  const traits = { wits: 4, stealth: 2 }
  const { body: hero } = await call('POST', `${as}${C}/characters`, { key, body: { name: 'Jonathan Crane', traits } })
  const { examples = {} } = operations.find(({ id }) => id === 'diceRolls.create') ?? {}
  assert.deepEqual(Object.keys(examples), ['pool', 'notation', 'target', 'traits', 'blind', 'desperation', 'several'])
  for (const [name, { value }] of Object.entries(examples)) {
    const ids = { ...('campaign_id' in value && { campaign_id }), ...('character_id' in value && { character_id: hero.id }) }
    const { status, text } = await call('POST', `${as}/dice-rolls`, { key, body: { ...value, ...ids } })
    assert.equal(status, 201, `${name}: ${text}`)
  }
})

test('the pages say nothing about the data of companies, whoever asks', async () => {
  const { key } = await newCompany()
  for (const path of ['/docs/errors', '/llms.txt']) {
    const withKey = await get(path, { 'x-api-key': key })
    const without = await get(path)
    const strip = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
    assert.equal(strip(withKey.body), strip(without.body))
  }
})
