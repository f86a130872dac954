import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller } from '../../http/operation.ts'
import { membership, sightAcross } from '../campaigns/place.ts'
import { COUNTED } from './tally.ts'

/**
 * What a roll refers to, looked up roll by roll. Without the fence a plan may begin with all that the company has of it: it is made
 * once for all companies, and they are few in the average one.
 */
const fenced = (table: string, as: 'campaign' | 'subject', columns: string[]): Sql => sql`
  LEFT JOIN LATERAL (
    SELECT ${sql.join(columns.map(sql.id), ', ')} FROM ${sql.id(table)} t
    WHERE t.company_id = x.company_id AND t.id = x.${as === 'campaign' ? sql`campaign_id` : sql`character_id`} OFFSET 0
  ) ${sql.id(as)} ON true`

/** What decides who sees the rolls, or tallies of rolls, `x`: their campaign is live, and their character no secret. */
export const besideRolls = (actor: Actor) => sql`
  ${fenced('campaigns', 'campaign', ['company_id', 'id', 'user_id', 'date_archived'])}
  ${membership(sql`${actor.id}`)}
  ${fenced('characters', 'subject', ['id', 'visibility'])}`
export function visibleRolls(actor: Actor): Sql {
  const sight = sightAcross({ actor, permission: null })
  return sql`campaign.date_archived IS NULL
    AND (subject.id IS NULL OR ${seen(sight, sql`subject.visibility`)}) AND ${seen(sight, sql`x.visibility`, sql`x.user_id`)}`
}

const tallied = (sign: 1 | -1) =>
  sql`SELECT x.id, ${sql.number(sign)} AS sign, ${sql.join(
    COUNTED.map((name) => sql`x.${sql.id(name)}`),
    ', ',
  )}`

/** The tallies of one user, campaign or character: visible as the rolls in them are. */
export const ofSome = (actor: Actor, which: Sql) => sql`${tallied(1)} FROM dice_tallies x ${besideRolls(actor)}
  WHERE x.company_id = ${actor.company_id} AND ${which} AND ${visibleRolls(actor)}`

/**
 * The tallies of all that was rolled in a company, less what was rolled in campaigns that are archived. Who does not see all
 * has the open ones; besides, what is secret in campaigns they tell and what they rolled in secret in others; and has not what
 * was rolled there for who is hidden by now.
 */
export function ofAll({ actor, permission }: Pick<Caller, 'actor' | 'permission'>, company_id: string): Sql {
  const { all, tells } = sightAcross({ actor, permission })
  const user_id = sql`${actor?.id ?? null}::uuid`
  const open = all ? sql`` : sql`AND x.visibility = 'PUBLIC'`
  const inCampaigns = sql`JOIN campaigns campaign ON campaign.company_id = x.company_id AND campaign.id = x.campaign_id ${membership(user_id)}`
  const forSome = sql`LEFT JOIN characters subject ON subject.company_id = x.company_id AND subject.id = x.character_id`
  const here = sql`x.company_id = ${company_id} AND x.user_id IS NOT NULL`
  const company = sql`${tallied(1)} FROM dice_tallies x WHERE x.company_id = ${company_id} AND x.user_id IS NULL ${open}
    UNION ALL ${tallied(-1)} FROM dice_tallies x ${inCampaigns} WHERE ${here} AND campaign.date_archived IS NOT NULL ${open}`
  if (all) return company
  const told = sql`x.campaign_id IN (SELECT id FROM campaigns WHERE company_id = ${company_id} AND user_id = ${user_id}
    UNION SELECT campaign_id FROM members WHERE company_id = ${company_id} AND user_id = ${user_id} AND role = 'STORYTELLER')`
  const secrets = sql`
    UNION ALL ${tallied(1)} FROM dice_tallies x ${inCampaigns}
    WHERE ${here} AND x.visibility <> 'PUBLIC' AND ${told} AND campaign.date_archived IS NULL AND (${tells})::boolean`
  return sql`${company} ${actor?.role === 'STORYTELLER' ? secrets : sql``}
    UNION ALL ${tallied(1)} FROM dice_tallies x ${inCampaigns} ${forSome}
    WHERE ${here} AND x.visibility = 'STORYTELLER' AND x.user_id = ${user_id} AND (subject.id IS NULL OR subject.visibility = 'OPEN')
      AND campaign.date_archived IS NULL AND NOT (${tells})::boolean
    UNION ALL ${tallied(-1)} FROM dice_tallies x ${inCampaigns} ${forSome}
    WHERE ${here} AND x.visibility = 'PUBLIC' AND subject.visibility <> 'OPEN'
      AND campaign.date_archived IS NULL AND NOT (${tells})::boolean`
}
