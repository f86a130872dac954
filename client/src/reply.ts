import { ApiError } from './errors.ts'

/** The most bytes of a reply, after decompression. One of the service has at most 8 MB. There is room for what a newer service may send. */
const MAX_REPLY_BYTES = 32_000_000

/** Reads the body of a reply. One that is too long is not from the service: it is given up before it fills the memory, and asking again cannot help. */
export async function textOf(response: Response): Promise<string> {
  // The fetch of some runtimes gives no stream.
  const reader = response.body?.getReader()
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  for (let size = 0; size <= MAX_REPLY_BYTES; ) {
    const { done, value } = await reader.read()
    if (done) return text
    size += value.length
    text += decoder.decode(value, { stream: true })
  }
  reader.cancel().catch(() => {})
  throw new ApiError(response.status, { detail: 'The reply is too long. Check baseUrl.' })
}
