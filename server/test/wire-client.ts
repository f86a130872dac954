import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** A response as it was sent, and its text after decompression. */
export interface Sent {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }

/** Decodes the body of a response by its Content-Encoding. */
export const decoded = ({ 'content-encoding': coding }: IncomingHttpHeaders, bytes: Buffer): string =>
  String(bytes.length > 0 && coding ? DECODERS[coding]?.(bytes) : bytes)

/** Sends a request over the network without a client that adds headers or decompresses the response. */
export const exchange = (port: number, method: string, path: string, headers: OutgoingHttpHeaders = {}, body?: string | Buffer) =>
  new Promise<Sent>((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = await response.toArray()
      const bytes = Buffer.concat(chunks)
      resolve({ status: response.statusCode as number, headers: response.headers, bytes, text: decoded(response.headers, bytes) })
    })
    sent.on('error', reject)
    sent.end(body)
  })
