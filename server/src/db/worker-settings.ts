import pg from 'pg'
import { Refusal } from '../core/refusal.ts'
import { asWorkerDefaults, WORKER_SETTINGS } from './driver/settings.ts'

/**
 * The statement that stores the settings on every node, the coordinator included. Each node runs it in a session of its own, because it must
 * load pg_trgm first: Citus would pass on ALTER ROLE alone, which fails on the workers if the role is not a superuser.
 */
export const WORKER_SETTINGS_STATEMENT = `SELECT nodeid, success, result FROM run_command_on_all_nodes(${pg.escapeLiteral(asWorkerDefaults.replaceAll('\n', ' '))})`

const STORED = `SELECT coalesce(json_agg(setting), '[]') FROM pg_db_role_setting s
  JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase CROSS JOIN unnest(s.setconfig) setting
  WHERE r.rolname = current_user AND d.datname = current_database()`

interface NodeResult {
  nodeid: number
  success: boolean
  result: string
}

/** Returns the names of the settings that some node lacks, or undefined if there are none. Nodes that cannot be reached are left out. */
export async function missingWorkerSettings(client: pg.ClientBase): Promise<string[] | undefined> {
  const { rows } = await client.query<NodeResult>('SELECT nodeid, success, result FROM run_command_on_all_nodes($1)', [STORED])
  const missing = new Set<string>()
  for (const { success, result } of rows) {
    if (!success) continue
    const stored = new Set((JSON.parse(result) as string[]).map((setting) => setting.toLowerCase()))
    for (const [name, value] of Object.entries(WORKER_SETTINGS)) if (!stored.has(`${name}=${value}`.toLowerCase())) missing.add(name)
  }
  return missing.size ? [...missing] : undefined
}

export async function setWorkerSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<NodeResult>(WORKER_SETTINGS_STATEMENT)
  const failed = rows.find(({ success }) => !success)
  if (failed)
    throw new Refusal(
      `The tables are distributed, but a node does not store its settings: ${failed.result}. Start or repair the node, then run guildhall distribute again.`,
    )
}
