import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { guildhall, newFolder, startService } from './service.ts'

const page = readFileSync(new URL('../../docs/operating.md', import.meta.url), 'utf8')

/** The output that the page shows below the block with a command. */
function shownBelow(command: string): string[] {
  const [, output = ''] = page
    .slice(page.indexOf(command))
    .split(/^```\n/m)
    .filter((block) => block.trim() !== '')
  return output.trim().split('\n').map(comparable)
}

/** A line without what differs from run to run: numbers, times, and where the folder is. */
const comparable = (line: string) => line.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/\d[\d,.]*/g, 'N')

test('docs/operating.md shows what doctor, backup and restore print', async () => {
  const dataDir = newFolder()
  const env = { GUILDHALL_DATA_DIR: dataDir, RATE_LIMIT: 'on' }
  const printed = async (args: string[], on = env) => {
    const { code, output } = await guildhall(args, on)
    assert.equal(code, 0, output)
    return output
      .replaceAll(dataDir, '/srv/guildhall/data')
      .replaceAll(`${dirname(dataDir)}/`, '')
      .trim()
      .split('\n')
      .filter((line) => !line.includes('rows so far'))
      .map(comparable)
  }
  const service = await startService(env)
  // How much room a disk has is the machine's.
  const withoutRoom = (lines: string[]) => lines.filter((line) => !/disk room|Make room/.test(line))
  assert.deepEqual(withoutRoom(await printed(['doctor'])), withoutRoom(shownBelow('guildhall doctor\n')))
  const file = join(dirname(dataDir), 'guildhall.backup')
  const restored = { ...env, GUILDHALL_DATA_DIR: join(dirname(dataDir), 'restored') }
  assert.deepEqual(
    [...(await printed(['backup', file])), ...(await printed(['restore', file], restored))],
    shownBelow('guildhall backup guildhall.backup\n'),
  )
  await service.kill('SIGTERM')
})
