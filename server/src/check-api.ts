import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { breakingChanges, unannounced } from './http/reference/breaking.ts'

// Compares openapi.json with the last release: the last tag, or else the commit that set the version of the package. What would break a client must be
// listed in CHANGELOG.md.
const root = new URL('../../', import.meta.url)
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] }).trim()

function lastRelease(): string | undefined {
  try {
    return git('describe', '--tags', '--match', 'v*', '--abbrev=0')
  } catch {
    const { version } = JSON.parse(readFileSync(new URL('server/package.json', root), 'utf8'))
    const commits = git('log', '--format=%H', '-S', `"version": "${version}"`, '--', 'server/package.json').split('\n')
    return commits.at(-1) || undefined
  }
}

function main(): void {
  let release: string | undefined
  try {
    release = lastRelease()
  } catch {
    console.log('openapi.json was not compared with the last release, because this is not a git checkout.')
    return
  }
  if (!release) throw new Error('The last release was not found. Fetch the whole history: git fetch --unshallow --tags')
  const before = JSON.parse(git('show', `${release}:openapi.json`))
  const now = JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8'))
  const breaking = breakingChanges(before, now)
  const missing = unannounced(breaking, readFileSync(new URL('CHANGELOG.md', root), 'utf8'))
  if (missing.length === 0) return
  console.error(
    `openapi.json would break clients of ${release}. List these changes below "### Breaking" in CHANGELOG.md, or take them back:`,
  )
  for (const change of missing) console.error(`  ${change}`)
  process.exitCode = 1
}

main()
