import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterNode, runAt } from '../../server/test/citus.ts'
import type { Company } from '../company.ts'
import type { Deployment } from '../deployment.ts'
import { urlAt } from './nodes.ts'

/** The name of a user whose COMMIT takes long on the worker. */
export const SLOW_NAME = 'Slow commit'
const COMMIT_SECONDS = 30
const MAX_WAIT_MS = 20_000

/** Lets the COMMIT of a user with that name wait on the worker of a company, so that the worker can be lost in the middle of it. */
export async function slowCommit({ query }: Deployment, worker: ClusterNode, { company_id }: Company): Promise<() => Promise<void>> {
  const [row] = await query<{ shard: string }>(`SELECT get_shard_id_for_distribution_column('users', $1::uuid)::text AS shard`, [
    company_id,
  ])
  const table = `public.users_${row?.shard}`
  await runAt(
    urlAt(worker),
    'SET citus.enable_ddl_propagation = off',
    'SET citus.enable_manual_changes_to_shards = on',
    `CREATE FUNCTION public.commit_slowly() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_sleep(${COMMIT_SECONDS}); RETURN NULL; END $$`,
    `CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.name = '${SLOW_NAME}') EXECUTE FUNCTION public.commit_slowly()`,
  )
  return async () => {
    await runAt(
      urlAt(worker),
      'SET citus.enable_ddl_propagation = off',
      'SET citus.enable_manual_changes_to_shards = on',
      `DROP TRIGGER commit_slowly ON ${table}`,
      'DROP FUNCTION public.commit_slowly()',
    )
  }
}

/** Waits until a COMMIT sleeps on the worker. */
export async function untilCommitting(worker: ClusterNode): Promise<void> {
  const query = "SELECT pid FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'"
  for (const end = Date.now() + MAX_WAIT_MS; ; await sleep(20)) {
    if ((await runAt(urlAt(worker), query)).length > 0) return
    if (Date.now() > end) throw new Error(`no COMMIT was slow within ${MAX_WAIT_MS / 1000} s`)
  }
}
