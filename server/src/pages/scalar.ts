import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StaticFile } from './static-file.ts'

let script: Promise<StaticFile> | undefined
let loaded: StaticFile | undefined

async function load(): Promise<StaticFile> {
  const worker = new Worker(new URL('./scalar-worker.ts', import.meta.url))
  worker.unref()
  const [content] = (await once(worker, 'message')) as [Uint8Array]
  loaded = new StaticFile('text/javascript; charset=utf-8', Buffer.from(content.buffer, content.byteOffset, content.byteLength))
  return loaded
}

/** The script of the API reference, if it is loaded already. */
export const loadedScalarScript = (): StaticFile | undefined => loaded

/** The script of the API reference. It is loaded when somebody first opens the reference, once for the process. */
export function scalarScript(): Promise<StaticFile> {
  script ??= load().catch((error) => {
    script = undefined
    throw error
  })
  return script
}
