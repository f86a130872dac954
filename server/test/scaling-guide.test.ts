import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type ClusterNode, missingCitus, runAt, startNodes } from './citus.ts'
import { blocksOf, readMarkdown, samplesOf } from './markdown.ts'
import { runSamples, updateSamples } from './run-samples.ts'
import { Comparison } from './sample-output.ts'
import { newFolder, startService } from './service.ts'
import { Shell } from './shell.ts'
import { missing } from './third-party.ts'

// Follows docs/scaling.md. Its blocks marked with <!-- on a cluster --> run in order on a new Citus cluster, and their output is compared.
// UPDATE_DOCS=1 npm test -- scaling-guide writes the real output into the file.

const FILE = 'docs/scaling.md'
const guide = readMarkdown(FILE)
const samples = samplesOf(guide).filter(({ isForCluster }) => isForCluster)
const SERVICE = '127.0.0.1:8080'
/** Distributing and moving shards take minutes on a slow machine. */
const MAX_BLOCK_MS = 600_000
const MAX_GUIDE_MS = 1_800_000

/** A node under load may take longer to accept a connection than Citus waits by default. */
const PATIENCE = { 'citus.node_connection_timeout': '300s' }

/** Returns the settings of postgresql.conf that the guide asks for. The address stays the loopback address. */
function settingsOfGuide(): Record<string, string> {
  const file = blocksOf(guide).find(({ text }) => text.includes('shared_preload_libraries'))?.text ?? ''
  const settings = Object.fromEntries(
    [...file.matchAll(/^(\w+) = '?(.+?)'?$/gm)].map(([, name, value]) => [name as string, value as string]),
  )
  const { listen_addresses: _, output_plugin_libraries, ...others } = settings
  assert.ok(output_plugin_libraries && others.shared_preload_libraries && others.wal_level, file)
  return { ...others, ...PATIENCE, ...(hasPluginSetting() && { output_plugin_libraries }) }
}

/** Returns true if the server knows output_plugin_libraries, which came with minor versions, among them 15.19. Others refuse to start with it. */
function hasPluginSetting(): boolean {
  const version = execFileSync(join(process.env.CITUS_BIN as string, 'postgres'), ['--version'], { encoding: 'utf8' })
  const [, major = '', minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  return Number(minor) >= ({ '15': 19, '16': 15, '17': 11, '18': 6 }[major] ?? 0)
}

/** Replaces the names of the nodes in every form in which addresses appear: in URLs, as arguments and in the output of psql. */
function nameNodes(shell: Shell, nodes: ClusterNode[]): void {
  for (const { name, port } of nodes) {
    shell.setAddress(`${name}:5432`, `127.0.0.1:${port}`)
    shell.setAddress(`'${name}', 5432`, `'127.0.0.1', ${port}`)
    shell.setAddress(`${name}|5432`, `127.0.0.1|${port}`)
  }
}

const skip = missingCitus() || (process.env.CITUS_BIN && missing(join(process.env.CITUS_BIN, 'psql')))

test('an operator who follows docs/scaling.md gets a cluster that works', { skip, timeout: MAX_GUIDE_MS }, async () => {
  const folder = dirname(newFolder())
  const cluster = await startNodes(join(folder, 'nodes'), settingsOfGuide())
  try {
    for (const server of cluster.servers) await runAt(server, 'CREATE ROLE postgres SUPERUSER LOGIN')
    const shell = new Shell(folder, { programs: [process.env.CITUS_BIN as string], maxBlockMs: MAX_BLOCK_MS })
    nameNodes(shell, cluster.nodes)
    const comparison = new Comparison()
    // The guide says when to start the service: before the first request.
    const start = samples.findIndex(({ commands }) => commands.text.includes(SERVICE))
    const prepared = await runSamples(FILE, samples.slice(0, start), shell, comparison)
    const service = await startService({ DATABASE_URL: cluster.url.replace('guildhall@', 'guildhall_app@') })
    shell.setAddress(SERVICE, new URL(service.base).host)
    const used = await runSamples(FILE, samples.slice(start), shell, comparison)
    await service.kill('SIGTERM')
    const faults = [...prepared.faults, ...used.faults]
    if (process.env.UPDATE_DOCS) updateSamples(FILE, [...prepared.updates, ...used.updates])
    assert.equal(faults.length, 0, faults.join('\n\n'))
  } finally {
    await cluster.stop()
  }
})

const numberIn = (text: string) => Number(text.replaceAll(',', ''))

/** Returns the cells of the first row of a table that begins with a text. */
const cellsOf = (file: string, first: string) =>
  (
    readMarkdown(file)
      .split('\n')
      .find((line) => line.startsWith(`| ${first} |`)) ?? ''
  )
    .split('|')
    .map((cell) => cell.trim())

test('the arithmetic of docs/scaling.md uses the figures of the other pages', () => {
  const [, , , , , , cpu = ''] = cellsOf('docs/performance.md', 'roll dice')
  const [service, database] = cpu.split(', ')
  const [bytes] = /^[\d,]+(?=, and its event as much again$)/.exec(cellsOf('docs/operating.md', 'A dice roll')[2] ?? '') ?? []
  const [campaign] = /(?<=rolls in one campaign )\d+/.exec(readMarkdown('docs/performance.md')) ?? []
  assert.match(cellsOf(FILE, 'CPU of PostgreSQL for a roll')[2] ?? '', new RegExp(`^${database} µs, so 1,000,000 / ${database} = `))
  assert.match(cellsOf(FILE, 'CPU of the service for a roll')[2] ?? '', new RegExp(`^${service} µs, so 1,000,000 / ${service} = `))
  assert.match(cellsOf(FILE, 'Storage for a roll with its event')[2] ?? '', new RegExp(`^2 × ${bytes} = `))
  assert.match(cellsOf(FILE, 'Rolls in a single campaign')[2] ?? '', new RegExp(`^${campaign} per second`))
})

test('every calculation of docs/scaling.md is correct', () => {
  const calculations = [...guide.replaceAll(/\s+/g, ' ').matchAll(/([\d,.]+(?: [×/+] [\d,.]+)+) = ([\d,.]*\d)/g)]
  assert.ok(calculations.length > 15, `only ${calculations.length} were found`)
  for (const [text, terms = '', shown = ''] of calculations) {
    const [first = '', ...steps] = terms.split(/ (?=[×/+])/)
    const result = steps.reduce((value, step) => {
      const number = numberIn(step.slice(2))
      return step[0] === '×' ? value * number : step[0] === '/' ? value / number : value + number
    }, numberIn(first))
    const decimals = shown.split('.')[1]?.length ?? 0
    assert.equal(result.toFixed(decimals), numberIn(shown).toFixed(decimals), text)
  }
})
