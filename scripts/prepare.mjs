// Runs before every npm script, on any Node that the machine has: installs missing packages, checks the Node that will run the script, and builds the console.
// With --to-run it installs only the packages that the service needs to run, which takes half of the time: others are installed when they are first needed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}node_modules/.installed`
const lock = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .digest('hex')

const stop = (sentence) => {
  console.error(sentence)
  process.exit(1)
}

// The scripts of package.json need a POSIX shell, and the embedded PostgreSQL has no build for Windows.
if (process.platform === 'win32')
  stop('Guildhall does not run on Windows. Run it in WSL 2: wsl --install, and then npm start in a folder of the Linux that it installs.')

const onlyToRun = process.argv.includes('--to-run')
/** A folder in which everything is installed is enough for both. */
const sufficient = [`${lock} to develop`, ...(onlyToRun ? [`${lock} to run`] : [])]

if (!existsSync(stamp) || !sufficient.includes(readFileSync(stamp, 'utf8'))) {
  console.error('Installing what Guildhall needs; this happens once …')
  const args = [
    'ci',
    ...(onlyToRun ? ['--omit=dev'] : []),
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
  ]
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  const { status, stdout, stderr } = spawnSync(npm[0], [...npm.slice(1), ...args], { cwd: root, encoding: 'utf8' })
  if (status !== 0) {
    const output = `${stdout}${stderr}`
    const network = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/.exec(output)
    if (network)
      stop(
        `The npm registry cannot be reached (${network[1]}), and Guildhall's packages are not installed yet: check the network and try again.`,
      )
    stop(`npm could not install Guildhall's packages:\n${output.trim().split('\n').slice(-15).join('\n')}`)
  }
  writeFileSync(stamp, sufficient.at(-1))
}

const [major, minor] = process.versions.node.split('.').map(Number)
const recent = major > 22 || (major === 22 && minor >= 18)
if (!recent && !existsSync(`${root}node_modules/.bin/node`)) {
  stop(`Guildhall needs Node 22.18 or later on this platform, and this is ${process.versions.node}: install a newer Node.`)
}

if (onlyToRun && process.platform !== 'linux')
  console.error(
    `Guildhall is tested on Linux. On ${process.platform === 'darwin' ? 'macOS' : process.platform} it is expected to run, for trying it out: use Linux to operate it.`,
  )

// In a shipped folder the console is built already, and its sources are not there.
if (existsSync(`${root}console/build.mjs`)) {
  const { buildConsole } = await import('../console/build.mjs')
  await buildConsole()
}
