import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'

interface Membership {
  company_id: string
  campaign_id: string
  user_id: string
  role: 'STORYTELLER' | 'PLAYER'
}

/** Makes a user a member unless they are one, and tells what that changed. */
export async function enroll(db: Db, { company_id, campaign_id, user_id, role }: Membership) {
  const now = db.now()
  const added = await db.query(sql`
    INSERT INTO members (company_id, campaign_id, user_id, role, date_created, date_modified)
    VALUES (${company_id}, ${campaign_id}, ${user_id}, ${role}, ${now}, ${now})
    ON CONFLICT (company_id, campaign_id, user_id) DO NOTHING RETURNING 1 AS one`)
  const after = { id: user_id, campaign_id, user_id, role }
  return added.map(() => ({ type: 'member.added', company_id, before: null, after }))
}
