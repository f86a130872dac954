import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bookmarkFrame, byeFrame, encodeFrame, eventFrame, readyFrame, retryFrame } from './frames.ts'

const FRAMES: [string, Buffer, string][] = [
  ['an event', eventFrame('p1', { type: 'dice_roll.created' }), 'id: p1\ndata: {"type":"dice_roll.created"}\n\n'],
  ['line ends in a text of an event', eventFrame('p1', { text: 'a\nb\r\nc\u2028' }), 'id: p1\ndata: {"text":"a\\nb\\r\\nc\u2028"}\n\n'],
  ['several lines of data', encodeFrame({ data: 'a\nb\r\nc\rd' }), 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ['empty data', encodeFrame({ data: '' }), 'data: \n\n'],
  ['data that ends its line', encodeFrame({ data: 'a\n' }), 'data: a\ndata: \n\n'],
  ['data that begins with a space or a colon', encodeFrame({ data: ' a\n: b' }), 'data:  a\ndata: : b\n\n'],
  ['data that looks like fields', encodeFrame({ data: 'a\n\nid: 7\nevent: bye' }), 'data: a\ndata: \ndata: id: 7\ndata: event: bye\n\n'],
  ['letters of every script', encodeFrame({ data: 'Zoë 🎲' }), 'data: Zoë 🎲\n\n'],
  ['ready', readyFrame('p1', new Date(0)), 'event: ready\nid: p1\ndata: {"date":"1970-01-01T00:00:00.000Z"}\n\n'],
  ['a bookmark', bookmarkFrame('p2'), 'event: bookmark\nid: p2\ndata: {}\n\n'],
  ['bye, which keeps the last id', byeFrame('draining'), 'event: bye\ndata: {"reason":"draining"}\n\n'],
  ['bye of a stream that is given back', byeFrame('crowded', 0), 'retry: 10000\nevent: bye\ndata: {"reason":"crowded"}\n\n'],
  ['the longest retry of one', byeFrame('crowded', 0.999999), 'retry: 20000\nevent: bye\ndata: {"reason":"crowded"}\n\n'],
  ['the shortest retry', retryFrame(0), 'retry: 1000\n\n'],
  ['the longest retry', retryFrame(0.999999), 'retry: 5000\n\n'],
]

for (const [name, frame, expected] of FRAMES) test(`frame: ${name}`, () => assert.equal(frame.toString(), expected))

test('the retry of two connections differs', () => {
  assert.ok(new Set(Array.from({ length: 20 }, () => retryFrame().toString())).size > 10)
})

test('an id that would break its frame is rejected', () => {
  for (const id of ['a\nb', 'a\r', '\u0000']) assert.throws(() => bookmarkFrame(id), /id of a frame/)
})
