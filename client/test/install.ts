import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const run = promisify(execFile)
export const repository: string = new URL('../../', import.meta.url).pathname
export const clientFolder: string = join(repository, 'client')
export const TSC: string = join(repository, 'node_modules/.bin/tsc')

/** Builds the client into `node_modules` of a folder, as an installed package. */
export async function installClient(folder: string): Promise<void> {
  const target = join(folder, 'node_modules/@guildhall/client')
  mkdirSync(target, { recursive: true })
  for (const file of ['package.json', 'README.md', 'LICENSE']) cpSync(join(clientFolder, file), join(target, file))
  await run(process.execPath, [join(clientFolder, 'build.mjs'), join(target, 'dist')])
}
