import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The folder of our own packages, whose links lead to the folders beside it. */
const OWN = '@guildhall'

/** Makes a temporary copy of the tracked files, with the packages that are installed here. In it, our own packages are those of the copy. */
export function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'guildhall-mutants-'))
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\0')
  for (const file of tracked) if (file) cpSync(join(root, file), join(copy, file))
  link('server/node_modules', copy)
  mkdirSync(join(copy, 'node_modules', OWN), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) if (name !== OWN && name !== '.cache') link(`node_modules/${name}`, copy)
  for (const name of readdirSync(join(root, 'node_modules', OWN)))
    symlinkSync(readlinkSync(join(root, 'node_modules', OWN, name)), join(copy, 'node_modules', OWN, name))
  return copy
}

function link(path: string, copy: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true })
  symlinkSync(join(root, path), join(copy, path))
}
