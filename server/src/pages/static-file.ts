import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedCoding, type Coding } from '../http/request/compress.ts'
import { isFresh, weak } from '../http/request/etag.ts'
import { addVary } from '../http/request/headers.ts'

/** At most this size is compressed with the greatest effort, which would take seconds for megabytes. */
const MAX_THOROUGH_BYTES = 1024 * 1024

/** Compresses with zlib's own threads, so that the event loop does not wait. */
const compress: Record<Coding, (content: Buffer, quality: number) => Promise<Buffer>> = {
  br: (content, quality) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content, quality) => promisify(gzip)(content, { level: Math.min(quality, 9) }),
}

/** Compresses a response that is sent once, with little effort. */
export const compressOnce = (content: Buffer, coding: Coding) => compress[coding](content, 5)

/** Content that never changes while the process runs. It is compressed once for each coding, when a client first asks for it. */
export class StaticFile {
  readonly content: Buffer
  /** The hash of the content, for ETags and addresses. */
  readonly hash: string
  readonly type: string
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(type: string, content: Buffer | string) {
    this.type = type
    this.content = typeof content === 'string' ? Buffer.from(content) : content
    this.hash = hash('sha256', this.content, 'base64url').replaceAll(/[-_]/g, '').slice(0, 16)
  }

  async send(request: FastifyRequest, reply: FastifyReply, cacheControl: string): Promise<FastifyReply> {
    // A picture is compressed in itself.
    const coding = this.type === 'image/png' ? undefined : acceptedCoding(request, this.content.length)
    const etag = `"${this.hash}"`
    addVary(reply, 'Accept-Encoding')
    reply.headers({ etag: coding ? weak(etag) : etag, 'cache-control': cacheControl })
    if (isFresh(request.headers['if-none-match'], etag)) return reply.code(304).send()
    const bytes = coding ? await this.#in(coding) : this.content
    if (coding) reply.header('content-encoding', coding)
    return reply.type(this.type).send(bytes)
  }

  #in(coding: Coding): Promise<Buffer> {
    const known = this.#compressed.get(coding)
    if (known) return known
    const bytes = compress[coding](this.content, this.content.length > MAX_THOROUGH_BYTES ? 6 : 11)
    this.#compressed.set(coding, bytes)
    return bytes
  }
}
