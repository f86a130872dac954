import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameParser } from '../src/frames.ts'
import { ConnectionError } from '../src/index.ts'
import { connect, recordPauses } from './pauses.ts'

const MAX_FRAME_LENGTH = 1_000_000
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A reply that is a stream of these chunks. */
const streamOf = (pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) =>
  new Response(new ReadableStream({ pull }), { headers: { 'content-type': 'text/event-stream' } })

test('frames are read whatever the chunks and the ends of lines are', () => {
  const text = 'retry: 7\r\n\r\n: comment\nid: 1\rdata: a\rdata:b\r\revent: bye\ndata:  ü€😀\nid\n\ndata: half'
  const expected = [
    { retry: '7', data: '' },
    { id: '1', data: 'a\nb' },
    { event: 'bye', data: ' ü€😀', id: '' },
  ]
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size <= bytes.length; size++) {
    const parse = frameParser()
    const frames = []
    for (let i = 0; i < bytes.length; i += size) frames.push(...parse(bytes.subarray(i, i + size)))
    assert.deepEqual(frames, expected, `in chunks of ${size} bytes`)
  }
})

for (const [size, what] of [
  [1_000_000, 'one chunk'],
  [4096, 'many chunks'],
] as const)
  test(`a frame that is too long is an error, and those before it are read: ${what}`, () => {
    const longest = `data: ${'x'.repeat(MAX_FRAME_LENGTH - 'data: '.length)}`
    for (const [text, expected] of [
      [`data: a\n\n${longest}\n\n`, 2],
      [`data: a\n\n${longest}x\n\n`, 1],
      [`data: a\n\n${longest}x`, 1],
    ] as const) {
      const bytes = bytesOf(text)
      const parse = frameParser()
      let frames = 0
      const read = () => {
        for (let i = 0; i < bytes.length; i += size) for (const _ of parse(bytes.subarray(i, i + size))) frames++
      }
      if (expected === 2) read()
      else assert.throws(read, (error) => error instanceof ConnectionError && /frame of more than 1000000 characters/.test(error.message))
      assert.equal(frames, expected)
    }
  })

test('a frame without an end is given up, and each pause before the next connection is longer', async (t) => {
  const pauses = recordPauses(t)
  const chunk = bytesOf(`: ${'x'.repeat(65_534)}`)
  let taken = 0
  const endless = () =>
    streamOf((controller) => {
      // Otherwise the test would use up the memory.
      if (++taken > 200) controller.error(new Error('too much was read'))
      controller.enqueue(chunk)
    })
  const lost: string[] = []
  await connect(5, endless, { onState: (_, error) => lost.push((error as Error).message) })
  assert.deepEqual(lost, Array(4).fill('The stream has a frame of more than 1000000 characters.'))
  // Sixteen chunks are too much, and a stream reads a few ahead.
  assert.ok(taken < 5 * 20, `${taken} chunks were taken`)
  for (const [i, ms] of pauses.entries()) assert.ok(ms >= 1000 * 2 ** i, `${pauses}`)
  assert.equal(pauses.length, 4)
})
