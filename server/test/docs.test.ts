import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { installClient } from '../../client/test/install.ts'
import { freePort } from './free-port.ts'
import { anchorsOf, linksOf, looseJson, markdownFiles, readMarkdown, root, samplesOf } from './markdown.ts'
import { runSamples, updateSamples } from './run-samples.ts'
import { Comparison } from './sample-output.ts'
import { newFolder, startService } from './service.ts'
import { Shell } from './shell.ts'

// Runs every command block of every Markdown file against a real service, and compares the output with the block below it.
// A block that cannot run is marked with a comment before it: <!-- not run: the reason -->.
// scaling-guide.test.ts runs the blocks of docs/scaling.md that are marked with <!-- on a cluster -->.
// Values that differ from run to run are masked; <!-- varies: field, field --> before an output names further ones.
// UPDATE_DOCS=1 npm test -- docs writes the real output into the files.

const MAX_DOCUMENT_MS = 600_000

/** Starts a service on a data folder of its own, as readers of a document do. */
async function install() {
  const folder = newFolder()
  return { folder, service: await startService({ GUILDHALL_DATA_DIR: folder, RATE_LIMIT: 'on', WEBHOOK_ALLOW: '127.0.0.0/8' }) }
}

/** The installation of all other documents, each in companies of its own. */
const installation = await install()

/** They show an installation without other companies, or whose doctor finds no work that others have just left to be done. */
const OWN_INSTALLATION = ['README.md', 'docs/start.md', 'docs/operating.md']

const missingPython = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not on this machine'

for (const file of markdownFiles) {
  const samples = samplesOf(readMarkdown(file)).filter(({ notRun, isForCluster }) => notRun === undefined && !isForCluster)
  if (samples.length === 0) continue
  const skip = samples.some(({ commands }) => /^python3 /m.test(commands.text)) && missingPython
  test(`${file} shows what its commands print`, { timeout: MAX_DOCUMENT_MS, skip }, async () => {
    const { folder, service } = OWN_INSTALLATION.includes(file) ? await install() : installation
    const dataDir = newFolder()
    symlinkSync(folder, dataDir)
    const shell = new Shell(dirname(dataDir))
    if (samples.some(({ commands }) => commands.text.includes('@guildhall/client'))) await installClient(dirname(dataDir))
    shell.setAddress('127.0.0.1:8080', new URL(service.base).host)
    shell.setAddress('127.0.0.1:9000', `127.0.0.1:${await freePort()}`)
    const { faults, updates } = await runSamples(file, samples, shell, new Comparison())
    await shell.run('jobs -p | xargs -r kill')
    if (process.env.UPDATE_DOCS) updateSamples(file, updates)
    assert.equal(faults.length, 0, faults.join('\n\n'))
  })
}

test('every command block is run, or says why it is not', (t) => {
  const notRun = markdownFiles.flatMap((file) =>
    samplesOf(readMarkdown(file)).flatMap(({ commands, notRun }) => (notRun ? [`${file}:${commands.line}: ${notRun}`] : [])),
  )
  t.diagnostic(`${notRun.length} command blocks are not run:`)
  for (const block of notRun) t.diagnostic(block)
  const unknown = markdownFiles.flatMap((file) =>
    samplesOf(readMarkdown(file)).flatMap(({ commands, notRun, isForCluster }) =>
      commands.language !== 'sh' || (commands.comment && !notRun && !(isForCluster && file === 'docs/scaling.md'))
        ? [`${file}:${commands.line}: ${commands.language} ${commands.comment}`]
        : [],
    ),
  )
  assert.deepEqual(
    unknown,
    [],
    'commands are in sh blocks, without a comment other than <!-- not run: reason -->, or <!-- on a cluster --> in docs/scaling.md',
  )
})

test('every JSON sample is the output of a command', () => {
  const loose = markdownFiles.flatMap((file) => looseJson(readMarkdown(file)).map(({ line }) => `${file}:${line}`))
  assert.deepEqual(loose, [])
})

test('every relative link leads to a file and a heading', () => {
  const broken = markdownFiles.flatMap((file) =>
    linksOf(readMarkdown(file)).filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : normalize(join(dirname(file), path))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(readMarkdown(target)).includes(anchor)
    }),
  )
  assert.deepEqual(broken, [])
})
