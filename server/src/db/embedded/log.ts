import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROTATION_MB = 10
const MAX_LOG_BYTES = 50_000_000
/** Every start of the server begins a new file, even that of a command. */
const MAX_LOG_FILES = 100
const PRUNE_INTERVAL_MS = 60_000

/**
 * The log settings of the embedded server. ERROR is below LOG for the server's log (not for clients), so statement errors are left out:
 * a rejected duplicate is expected, and its DETAIL line would contain the value. LOG, FATAL and PANIC are kept: starts, crashes,
 * recovery, failed connections.
 */
export const LOG_SETTINGS = {
  logging_collector: 'on',
  log_min_messages: 'log',
  log_filename: 'postgresql-%Y-%m-%d_%H%M%S.log',
  log_rotation_age: '1d',
  log_rotation_size: `${ROTATION_MB}MB`,
  log_timezone: 'UTC',
}

/** Deletes the oldest log files beyond the limits. The newest one stays, because the server is writing it. */
export function pruneLogs(folder: string, maxBytes = MAX_LOG_BYTES): void {
  const files = namesIn(folder).flatMap((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false })
    return stat ? [{ path: join(folder, name), size: stat.size, modified: stat.mtimeMs }] : []
  })
  let total = 0
  for (const [i, { path, size }] of files.sort((a, b) => b.modified - a.modified).entries()) {
    total += size
    if (i > 0 && (total > maxBytes || i >= MAX_LOG_FILES)) rmSync(path, { force: true })
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.log'))
  } catch {
    // The server creates the folder at its first start.
    return []
  }
}

/** Prunes the logs now and once a minute: PostgreSQL rotates its log by size, but never deletes a file. Returns a function that stops it. */
export function startPruningLogs(folder: string): () => void {
  const prune = () => {
    try {
      pruneLogs(folder)
    } catch {
      // The next run tries again. The service must not end because a file cannot be deleted.
    }
  }
  prune()
  const timer = setInterval(prune, PRUNE_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
