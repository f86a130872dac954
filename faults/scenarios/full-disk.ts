import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from '../perform.ts'

const inside = new URL('../disk/inside.ts', import.meta.url).pathname

/** Commands that may mount: directly, or as root of a user namespace. */
const NAMESPACES = [
  ['unshare', '--mount'],
  ['unshare', '--user', '--map-root-user', '--mount'],
]

function namespace(): string[] | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-mount-'))
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=1m', 'guildhall', folder]
  const works = ([program = '', ...args]: string[]) => spawnSync(program, [...args, ...mount], { stdio: 'ignore' }).status === 0
  const found = NAMESPACES.find(works)
  rmSync(folder, { recursive: true, force: true })
  return found
}

export const fullDisk: Scenario = {
  name: 'disk full',
  forbidden: () => (namespace() ? undefined : 'mounting a file system is not permitted'),
  run: async ({ quick }) => {
    const [program = '', ...args] = namespace() ?? []
    const folder = mkdtempSync(join(tmpdir(), 'guildhall-disk-'))
    // The child process watches the processes that it starts itself, under a mark of its own.
    const { GUILDHALL_FAULTS, ...env } = process.env
    const child = spawn(program, [...args, process.execPath, inside, folder, quick ? 'quick' : 'full'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const onExit = () => {
      child.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    }
    process.once('exit', onExit)
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
    })
    const [code] = await once(child, 'close')
    process.off('exit', onExit)
    rmSync(folder, { recursive: true, force: true })
    if (code !== 0) throw new Error(`the full-disk process ended with code ${code}`)
    return JSON.parse(text)
  },
}
