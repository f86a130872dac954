import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accepts } from './accept.ts'

test('an Accept header excludes a type only if it says so', () => {
  const accepted = [
    undefined,
    '',
    ' , ,',
    '*/*',
    'application/json',
    'Application/JSON',
    'application/*',
    'application/json;q=0.001',
    'application/json; charset=utf-8',
    'application/json;odata=verbose;q=0.5',
    'application/json;profile="a,b;q=0"',
    'text/html, application/xhtml+xml, application/xml;q=0.9, image/avif, image/webp, */*;q=0.8',
    'application/*;q=0, application/json',
    '*/*;q=0, application/*',
    'text/html, application/json;q=0.1',
    'application/json;q=0, application/json',
    // Of Java's HttpURLConnection.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    // Elements that cannot be understood.
    'json',
    '*',
    'text/html, json',
    'text/html;q=high',
    'text/html;q=2',
    'text/',
    '/json',
    '*/json',
    'text/html/json',
    'text/html application/xml',
    'text/"html"',
    '{{accept}}',
    ';q=0',
  ]
  for (const header of accepted) assert.equal(accepts(header, 'application/json'), true, header)
  const excluded = [
    'text/html',
    'TEXT/HTML',
    'text/*',
    'text/html, application/xml;q=0.9',
    'text/event-stream',
    'application/json;q=0',
    'application/json;q=0.0, */*',
    'application/json; Q=0 , application/*, */*',
    'application/*;q=0, */*',
    '*/*;q=0',
    'text/html;q=0',
    'application/problem+json',
    'application/vnd.api+json',
    'application/jsonp',
    'text/json',
    'application/xml;note="application/json"',
  ]
  for (const header of excluded) assert.equal(accepts(header, 'application/json'), false, header)
  for (const header of ['text/event-stream', 'text/*', '*/*', 'application/json, text/event-stream;q=0.5'])
    assert.equal(accepts(header, 'text/event-stream'), true, header)
  for (const header of ['application/json', 'text/html', 'text/event-stream;q=0, */*'])
    assert.equal(accepts(header, 'text/event-stream'), false, header)
})

// A quadratic scan would take minutes. A header has at most 16 kB.
test('a long Accept header is read in one pass', { timeout: 20_000 }, () => {
  const long = (part: string) => part.repeat(200_000 / part.length)
  for (const part of ['text/html;q=0.1,', 'application/json;q=0,', 'a/b,'])
    assert.equal(accepts(long(part), 'application/json'), false, part)
  for (const part of [',', ';', ' ', '"', '/', 'a', '*', '\\', 'a/', ';q=', '"a",'])
    assert.equal(accepts(long(part), 'application/json'), true, part)
})
