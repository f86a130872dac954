import { isId } from '../core/ids.ts'
import type { Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from '../resources/keys/queries.ts'
import { type Command, refuseUsage } from './command.ts'
import { allPages, change, findDeveloper, refuse, withDatabase } from './database.ts'
import { printDone, printRow, printRows } from './output.ts'

const MAX_OVERLAP_SECONDS = 604_800

/** Returns the id of the developer who has a key. */
async function ownerOf(db: Db, key_id: string): Promise<string> {
  const rows = isId(key_id) ? await db.query<{ developer_id: string }>(sql`SELECT developer_id FROM api_keys WHERE id = ${key_id}`) : []
  return rows[0]?.developer_id ?? refuse(`There is no key '${key_id}'. See guildhall keys list DEVELOPER.`)
}

const printed = ({ id, key, prefix, last_four }: { id: string; key: string; prefix: string; last_four: string }) => ({
  id,
  key,
  prefix,
  last_four,
})

export const keys: Command[] = [
  {
    words: 'keys issue',
    args: ['DEVELOPER'],
    help: 'Issues an API key to a developer, and prints it once',
    examples: ['guildhall keys issue "Night Club Bot"', 'guildhall keys issue operator --json'],
    run: ({ args: [developer = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const id = await findDeveloper(db, developer)
        const { reply } = await change(db, 'api_key.issued', id, (tx) => issueKey(tx, id))
        printRow(flags.json, printed(reply))
      }),
  },
  {
    words: 'keys list',
    args: ['DEVELOPER'],
    help: "Lists a developer's API keys",
    examples: ['guildhall keys list operator'],
    run: ({ args: [developer = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const id = await findDeveloper(db, developer)
        const items = await allPages((page) => listKeys(db, id, page))
        printRows(
          flags.json,
          items,
          ['id', 'prefix', 'last_four', 'date_created', 'date_last_used', 'date_expires'],
          'The developer has no keys.',
        )
      }),
  },
  {
    words: 'keys rotate',
    args: ['KEY_ID'],
    flags: { overlap: { type: 'string', value: 'SECONDS', help: 'how long the old key keeps working (default 3600, at most 604800)' } },
    help: 'Replaces an API key with a new one, and prints the new one once',
    examples: ['guildhall keys rotate 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 --overlap 0'],
    run: async ({ args: [key_id = ''], flags, config }) => {
      const overlap = Number(flags.overlap ?? 3600)
      if (!/^\d+$/.test(String(flags.overlap ?? 3600)) || overlap > MAX_OVERLAP_SECONDS)
        refuseUsage(`--overlap is '${flags.overlap}'. Expected a whole number of seconds from 0 to ${MAX_OVERLAP_SECONDS}.`)
      await withDatabase(config, async (db) => {
        const developer_id = await ownerOf(db, key_id)
        const { reply, after } = await change(db, 'api_key.rotated', developer_id, (tx) => rotateKey(tx, developer_id, key_id, overlap))
        printRow(flags.json, { ...printed(reply), old_key_expires: after.date_expires })
      })
    },
  },
  {
    words: 'keys revoke',
    args: ['KEY_ID'],
    help: 'Revokes an API key, which stops working at once',
    examples: ['guildhall keys revoke 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01'],
    confirms: ([key_id]) => `Revoke key ${key_id}? Requests with it will fail at once.`,
    run: ({ args: [key_id = ''], flags, config }) =>
      withDatabase(config, async (db) => {
        const developer_id = await ownerOf(db, key_id)
        await change(db, 'api_key.revoked', developer_id, (tx) => revokeKey(tx, developer_id, key_id))
        printDone(flags.json, `Key ${key_id} is revoked.`, { revoked: key_id })
      }),
  },
]
