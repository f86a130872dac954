import { statSync } from 'node:fs'
import type pg from 'pg'
import { systemClock } from '../core/clock.ts'
import { restore } from '../db/backup/restore.ts'
import { backup } from '../db/backup/write.ts'
import { beginEpoch } from '../events/epoch.ts'
import { recountEventsIfCounted } from '../events/total.ts'
import { replaceSeeds } from '../resources/dice-seeds/replace.ts'
import { disableRestoredWebhooks } from '../resources/webhooks/copies.ts'
import type { Command } from './command.ts'
import { loadDeclarations, withUrl } from './database.ts'
import { printDone } from './output.ts'

const PROGRESS_INTERVAL_MS = 1000

/** Prints a line to standard error from time to time, so that a long operation shows progress. */
function progress(): (stage: string, rows: number) => void {
  let next = Date.now() + PROGRESS_INTERVAL_MS
  return (stage, rows) => {
    if (Date.now() < next) return
    next = Date.now() + PROGRESS_INTERVAL_MS
    console.error(`${stage}: ${rows.toLocaleString('en')} rows so far`)
  }
}

const megabytes = (file: string) => `${(statSync(file).size / 1e6).toFixed(1)} MB`

export const backups: Command[] = [
  {
    words: 'backup',
    args: ['FILE'],
    help: 'Writes a snapshot of the whole database to a file, while the service runs',
    examples: [
      'guildhall backup guildhall-2026-11-15.backup',
      'DATABASE_URL=postgres://localhost/guildhall guildhall backup nightly.backup',
    ],
    run: async ({ args: [file = ''], flags, config }) => {
      const start = Date.now()
      const { rows, sha256 } = await withUrl(config, (url) => backup(url, file, systemClock(), progress()))
      const seconds = ((Date.now() - start) / 1000).toFixed(1)
      printDone(
        flags.json,
        `Wrote ${rows.toLocaleString('en')} rows to ${file}, ${megabytes(file)}, in ${seconds} s. Keep the file as secret as the database.`,
        { file, rows, sha256 },
      )
    },
  },
  {
    words: 'restore',
    args: ['FILE'],
    help: 'Restores a backup into an empty database, replaces its dice seeds, and migrates it to this version',
    examples: ['GUILDHALL_DATA_DIR=./restored guildhall restore guildhall-2026-11-15.backup'],
    run: async ({ args: [file = ''], flags, config }) => {
      const start = Date.now()
      let seeds = 0
      const beforeCommit = async (client: pg.ClientBase) => {
        seeds = await replaceSeeds(client, systemClock())
        await recountEventsIfCounted(client)
        await beginEpoch(client)
        await disableRestoredWebhooks(client)
      }
      const options = { pooler: config.pooler, progress: progress(), loadDeclarations, beforeCommit }
      const { rows, date } = await withUrl(config, (url) => restore(url, file, options), { create: true })
      const seconds = ((Date.now() - start) / 1000).toFixed(1)
      printDone(
        flags.json,
        `Restored ${rows.toLocaleString('en')} rows of ${date} in ${seconds} s. Dice seeds revealed and replaced: ${seeds.toLocaleString('en')}.`,
        { file, rows, date, seeds_replaced: seeds },
      )
    },
  },
]
