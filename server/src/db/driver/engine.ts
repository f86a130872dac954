import pg from 'pg'
import { startFailure } from '../start-failure.ts'

/** The kind of database: one PostgreSQL, or a Citus cluster whose workers each have the rows of some companies. */
export type Engine = 'postgresql' | 'citus'

/** Returns the kind of a database. One with the extension, but without distributed tables, is like any PostgreSQL. */
export async function engineOf(client: pg.ClientBase): Promise<Engine> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'")
  if (!rowCount) return 'postgresql'
  const distributed = await client.query("SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('companies')")
  return distributed.rowCount ? 'citus' : 'postgresql'
}

/** Returns the kind of the database at a URL. A service asks once, when it starts: restart it after `guildhall distribute`. */
export async function engineAt(url: string): Promise<Engine> {
  const client = new pg.Client({ connectionString: url, application_name: 'guildhall', connectionTimeoutMillis: 5000 }).on(
    'error',
    () => {},
  )
  try {
    await client.connect()
    return await engineOf(client)
  } catch (error) {
    throw startFailure(error, client)
  } finally {
    await client.end()
  }
}
