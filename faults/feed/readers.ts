import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChangesReply, FeedItem } from '../../server/src/resources/changes/schema.ts'
import { attempt } from '../client.ts'

/** The pause after a process did not answer, and between two pages when there is nothing new. */
const PAUSE_MS = 50

/** A follower of a feed: where it reads, and what it was told so far. */
export interface FeedReader {
  name: string
  key: string
  /** The path of the acting user, campaign or company, to which `changes` or `stream` is added. */
  path: string
  /** Returns the port of a process, one of several at random. */
  port(): number
  /** True if the reader may see what is visible to storytellers. */
  seesSecrets: boolean
  cursor: string
  items: FeedItem[]
  /** The number of times that the connection was lost or cut. */
  interruptions: number
  fail(fault: string): void
  /** Returns true to end the reader. */
  isDone(): boolean
}

/** Answers that a client gets while processes are killed. It tries again. */
const isTransient = (status: number) => status === 0 || status === 503

/** Reads the current cursor, from any process that answers. */
export async function startReader(reader: FeedReader): Promise<void> {
  while (reader.cursor === '') {
    const { status, text } = await attempt(reader.port(), { method: 'GET', path: `${reader.path}/changes`, key: reader.key })
    if (status === 200) reader.cursor = (JSON.parse(text) as ChangesReply).cursor
    else if (isTransient(status)) await sleep(PAUSE_MS)
    else throw new Error(`${reader.name} cannot start: ${status} ${text}`)
  }
}

/** Follows a feed by pages. A page that did not arrive completely is asked for again. */
export async function followPages(reader: FeedReader, query: string): Promise<void> {
  const isWaiting = query.includes('wait=')
  while (!reader.isDone()) {
    const path = `${reader.path}/changes?after=${reader.cursor}&${query}`
    const { status, text, lost } = await attempt(reader.port(), { method: 'GET', path, key: reader.key })
    if (status !== 200) {
      if (!isTransient(status)) return reader.fail(`${reader.name} got ${status}: ${text.slice(0, 300)}`)
      if (lost !== 'ECONNREFUSED') reader.interruptions++
      await sleep(PAUSE_MS)
      continue
    }
    const page = JSON.parse(text) as ChangesReply
    reader.items.push(...page.items)
    reader.cursor = page.cursor
    if (page.items.length === 0 && !page.more && !isWaiting) await sleep(PAUSE_MS)
  }
}

const openStream = ({ key, path, port, cursor }: FeedReader) =>
  new Promise<IncomingMessage | undefined>((resolve) => {
    const headers = { 'x-api-key': key, 'last-event-id': cursor }
    get({ host: '127.0.0.1', port: port(), path: `${path}/stream`, headers, agent: false }, resolve).on('error', () => resolve(undefined))
  })

/** Follows a feed by streams, each of which is cut after some time, in the middle of a frame if that is when the time is over. */
export async function followStreams(reader: FeedReader, cutAfterMs: number): Promise<void> {
  while (!reader.isDone()) {
    const response = await openStream(reader)
    if (response?.statusCode === 200) {
      await readFrames(reader, response, Date.now() + cutAfterMs)
      reader.interruptions++
    } else {
      response?.destroy()
      if (response && response.statusCode !== 503) return reader.fail(`${reader.name} got ${response.statusCode}`)
      await sleep(PAUSE_MS)
    }
  }
}

async function readFrames(reader: FeedReader, response: IncomingMessage, end: number): Promise<void> {
  let text = ''
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    const frames = (text + chunk).split('\n\n')
    text = frames.pop() as string
    for (const frame of frames) takeFrame(reader, frame)
  })
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  response.on('error', () => {})
  while (!response.destroyed && Date.now() < end && !reader.isDone()) await Promise.race([closed, sleep(PAUSE_MS)])
  response.removeAllListeners('data')
  response.destroy()
}

function takeFrame(reader: FeedReader, frame: string): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
  const [id, event, data] = [field('id'), field('event'), field('data')]
  if (id !== undefined) reader.cursor = id
  if (event === undefined && id !== undefined && data !== undefined) reader.items.push(JSON.parse(data))
  if (event === 'bye' && !/draining/.test(data ?? '')) reader.fail(`${reader.name} was told bye: ${data}`)
}
