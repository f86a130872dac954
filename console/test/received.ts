import type { CDPSession, Page } from 'playwright-core'

/** Everything that a page was sent, and holds in memory, as one text each. */
export interface Received {
  traffic(): string
  memory(): Promise<string>
}

const decode = (data: string) => Buffer.from(data, 'base64').toString()

/** Listens to the network of a page from now on: whole replies, and each frame of an event stream as it arrives. */
export async function listen(page: Page): Promise<Received> {
  const devtools = await page.context().newCDPSession(page)
  const parts: string[] = []
  const streams = new Set<string>()
  const addWhole = async (requestId: string) => {
    const reply = await devtools.send('Network.getResponseBody', { requestId }).catch(() => undefined)
    if (reply) parts.push(reply.base64Encoded ? decode(reply.body) : reply.body)
  }
  devtools.on('Network.responseReceived', async ({ requestId, response }) => {
    if (response.mimeType !== 'text/event-stream') return
    streams.add(requestId)
    // A stream that the page has closed already cannot be followed: what arrived of it is read like any other reply.
    const followed = await devtools.send('Network.streamResourceContent', { requestId }).catch(() => undefined)
    if (followed) parts.push(decode(followed.bufferedData))
    else await addWhole(requestId)
  })
  devtools.on('Network.dataReceived', ({ requestId, data }) => {
    if (streams.has(requestId) && data) parts.push(decode(data))
  })
  devtools.on('Network.loadingFinished', ({ requestId }) => (streams.has(requestId) ? undefined : addWhole(requestId)))
  await devtools.send('Network.enable')
  return { traffic: () => parts.join('\n'), memory: () => heapOf(devtools) }
}

/** Returns a snapshot of everything that the scripts of a page hold, after the garbage is collected. */
async function heapOf(devtools: CDPSession): Promise<string> {
  const chunks: string[] = []
  devtools.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  await devtools.send('HeapProfiler.collectGarbage')
  await devtools.send('HeapProfiler.takeHeapSnapshot')
  return chunks.join('')
}
