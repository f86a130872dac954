import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { negotiate } from '../edge/encoding.ts'
import { addVary } from './headers.ts'

/** The codings of responses. Brotli first: at these settings it takes the time of gzip, and its result is smaller. */
const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** Shorter responses fit into one packet with their headers, compressed or not. */
const MIN_COMPRESSED_BYTES = 1024

/**
 * Longer responses are compressed in another thread. Creating the task alone keeps the event loop busy for 0.15 ms, in which it compresses 10 kB of prose or 30 kB
 * of ids itself.
 */
const MAX_SYNC_BYTES = 16 * 1024

/** Higher settings take two to three times as long, for a tenth less. */
const GZIP = { level: 1 }
const BROTLI_QUALITY = 2
const brotliFor = (body: Buffer) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
})

const gzipInThread = promisify(gzip)
const brotliInThread = promisify(brotliCompress)

/** The coding for a response of this length, if the client accepts one. */
export const acceptedCoding = ({ headers }: FastifyRequest, bytes: number): Coding | undefined =>
  bytes <= MIN_COMPRESSED_BYTES ? undefined : negotiate(headers['accept-encoding'], CODINGS)

/** The coding in which a body is sent, if the client accepts one and the body is long enough. Long bodies get a Vary, whatever the client accepts. */
export function codingFor(request: FastifyRequest, reply: FastifyReply, body: string | Buffer): Coding | undefined {
  const bytes = Buffer.byteLength(body)
  if (bytes > MIN_COMPRESSED_BYTES) addVary(reply, 'Accept-Encoding')
  return acceptedCoding(request, bytes)
}

/** Compresses a body. Only long ones are waited for. */
function compress(text: string | Buffer, coding: Coding): Buffer | Promise<Buffer> {
  const body = typeof text === 'string' ? Buffer.from(text) : text
  if (body.length > MAX_SYNC_BYTES) return coding === 'br' ? brotliInThread(body, brotliFor(body)) : gzipInThread(body, GZIP)
  return coding === 'br' ? brotliCompressSync(body, brotliFor(body)) : gzipSync(body, GZIP)
}

/** Sends a body in its coding. A body that is compressed in another thread belongs to the turn of its request, which bounds how many there are. */
export function sendCoded(reply: FastifyReply, body: string | Buffer, coding: Coding | undefined): FastifyReply | Promise<FastifyReply> {
  if (!coding) return reply.send(body)
  const sendBytes = (bytes: Buffer) => reply.header('content-encoding', coding).send(bytes)
  const compressed = compress(body, coding)
  return Buffer.isBuffer(compressed) ? sendBytes(compressed) : compressed.then(sendBytes)
}
