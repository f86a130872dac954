import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultOfLink } from './rules.ts'

test('a link is a URL with http or https, without credentials, spaces and control characters', () => {
  for (const link of [
    'https://rules.example.com/armor-class',
    'http://localhost:8080/?q=a#b',
    'HTTPS://EXAMPLE.COM',
    'https://bücher.example/ä',
    'https://[::1]/',
  ])
    assert.equal(faultOfLink(link), undefined, link)
  for (const link of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com',
    '/relative',
    'example.com',
    'https:example.com',
    'https://',
    'https://exa mple.com/',
    'https://example.com/a b',
    'https://example.com/\u0000',
    'https://example.com/\u202Egnp.exe',
    'java\nscript:alert(1)',
    'https://example.com:99999/',
  ])
    assert.match(faultOfLink(link) ?? '', /with http or https/, link)
  for (const link of ['https://me@example.com/', 'https://me:secret@example.com/', 'https://bank.example@evil.example/'])
    assert.match(faultOfLink(link) ?? '', /user name/, link)
})
