import pg from 'pg'
import { rebuildCounters } from '../db/counters.ts'
import { forgetCounts } from '../db/settled.ts'
import { compile } from '../db/sql.ts'
import { recountEvents } from '../events/total.ts'
import { countedTables } from '../resources/declarations.ts'
import { rebuildTallies } from '../resources/dice-rolls/rebuild.ts'

/** Rebuilds tallies and counters from the rows. Writers of those rows wait until it ends. */
export async function recount(url: string): Promise<void> {
  // A connection of its own, because this may take longer than any request.
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall-recount' }).on('error', () => {})
  await client.connect()
  try {
    const locked = [...countedTables(), 'dice_rolls', 'events'].sort().map((name) => pg.escapeIdentifier(name))
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; LOCK TABLE ${locked.join(', ')} IN SHARE MODE`)
    for (const statement of [...rebuildTallies, ...rebuildCounters(), recountEvents, ...forgetCounts()])
      await client.query(compile(statement))
    await client.query('COMMIT')
  } finally {
    await client.end()
  }
}
