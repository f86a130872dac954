// Starts the service on a data folder of its own, for calls with generated clients.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = new URL('../../server/bin/guildhall.mjs', import.meta.url).pathname

export async function startService() {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-service-'))
  const { DATABASE_URL: _, ...rest } = process.env
  const env = { ...rest, GUILDHALL_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  let output = ''
  let url
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    output += text
    url = /listens on (\S+)/.exec(output)?.[1]
    if (url) break
  }
  if (!url) throw new Error(`The service does not start: ${output}`)
  child.stdout.resume()

  return {
    url,
    /** Makes a company and a user, with the variables that the programs read. */
    async scene() {
      const key = readFileSync(join(folder, 'operator.key'), 'utf8').trim()
      const post = async (path, body) => {
        const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
        const reply = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        return (await reply.json()).id
      }
      const company = await post('/companies', { name: 'Generated' })
      const user = await post(`/companies/${company}/users`, { name: 'Renfield', role: 'STORYTELLER' })
      return { GUILDHALL_URL: url, GUILDHALL_API_KEY: key, COMPANY: company, USER_ID: user }
    },
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
