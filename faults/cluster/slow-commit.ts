import { setTimeout as sleep } from 'node:timers/promises'
import { type ClusterNode, runAt } from '../../server/test/citus.ts'
import type { Deployment } from '../deployment.ts'
import { nodesOf, placementOf, urlAt } from './nodes.ts'

const MAX_WAIT_MS = 20_000
/** A shard is changed on its worker alone. */
const ON_SHARDS = ['SET citus.enable_ddl_propagation = off', 'SET citus.enable_manual_changes_to_shards = on']

interface SlowRows {
  table: string
  /** The company whose shard has the rows. */
  company_id: string
  /** The condition on NEW for the rows whose COMMIT is slow. */
  when: string
  seconds: number
}

/**
 * Lets the COMMIT, or the PREPARE, of new rows wait on the worker of a company, so that a node can be lost in the middle of it. Returns the
 * function that ends it.
 */
export async function slowCommit(deployment: Deployment, { table, company_id, when, seconds }: SlowRows): Promise<() => Promise<void>> {
  const [row] = await deployment.query<{ shard: string }>('SELECT get_shard_id_for_distribution_column($1, $2::uuid)::text AS shard', [
    table,
    company_id,
  ])
  const { port } = await placementOf(deployment, company_id)
  const worker = nodesOf(deployment).workers.find((node) => node.port === port) as ClusterNode
  const shard = `public.${table}_${row?.shard}`
  await runAt(
    urlAt(worker),
    ...ON_SHARDS,
    `CREATE FUNCTION public.commit_slowly() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_sleep(${seconds}); RETURN NULL; END $$`,
    `CREATE CONSTRAINT TRIGGER commit_slowly AFTER INSERT ON ${shard} DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION public.commit_slowly()`,
  )
  return async () => {
    await runAt(urlAt(worker), ...ON_SHARDS, `DROP TRIGGER commit_slowly ON ${shard}`, 'DROP FUNCTION public.commit_slowly()')
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
