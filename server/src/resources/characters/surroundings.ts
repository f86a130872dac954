import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Db } from '../../db/client.ts'
import { seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import { type InCampaign, ofHiddenSheetsIn } from './hidden-sheets.ts'

/** The values besides those of a character itself that its ruleset computes with. */
export interface Surroundings {
  trackers: Record<string, number>
  /** Danger and desperation, and the trackers of the campaign. */
  levels: { danger: number; desperation: number }
  campaign_trackers: Record<string, number>
  xp: { earned: number; spent: number } | null
}

const trackersOf = (context: InCampaign, parent: Sql): Sql => {
  const sight = sightIn(context)
  return sql`(SELECT coalesce(json_object_agg(t.key, t.value), '{}') FROM trackers t
    WHERE t.company_id = ${context.actor.company_id} AND t.parent_id = ${parent} AND ${seen(sight, sql`t.visibility`)}
      AND (t.visibility <> 'NAME_ONLY' OR (${sight.all})::boolean OR (${sight.isStoryteller})::boolean))`
}

const levelsOf = ({ actor, campaign }: InCampaign): Sql => sql`(SELECT json_build_object('danger', k.danger, 'desperation', k.desperation)
    FROM campaigns k WHERE k.company_id = ${actor.company_id} AND k.id = ${campaign.id})`

/** The balance that spends of the character are taken from, if the acting user sees it: that of a user is hidden with any of their sheets. */
function balanceOf(context: InCampaign, character: Sql): Sql {
  const { actor, campaign } = context
  const inCampaign = sql`b.company_id = ${actor.company_id} AND b.campaign_id = ${campaign.id}`
  const balance = sql`SELECT json_build_object('earned', b.earned, 'spent', b.spent)`
  if (campaign.experience_per === 'CHARACTER')
    return sql`(${balance} FROM experience_character_balances b WHERE ${inCampaign} AND b.character_id = ${character}.id)`
  const isSeen = sql`(b.user_id = ${actor.id} OR b.user_id NOT IN (${ofHiddenSheetsIn(context, sql`y.user_id`)} AND y.user_id IS NOT NULL))`
  return sql`(${balance} FROM experience_balances b WHERE ${inCampaign} AND b.user_id = ${character}.user_id AND ${isSeen})`
}

/** The surroundings that a ruleset computes with. Each of the others would be a subquery for nothing. */
export type Needed = Record<'levels' | 'campaign_trackers' | 'xp', boolean>
const ALL: Needed = { levels: true, campaign_trackers: true, xp: true }

export function neededBy({ read, trackers }: Ruleset): Needed {
  const reads = (...names: string[]) => names.some((name) => read.has(name))
  return {
    levels: reads('campaign.danger', 'campaign.desperation'),
    campaign_trackers: [...trackers.values()].some(({ ofCampaign }) => ofCampaign),
    xp: reads('xp.earned', 'xp.spent', 'xp.available'),
  }
}

/**
 * Selects the surroundings of a row of characters as JSON, as far as the acting user sees them: a value that they do not see counts as one that was never set, so that no
 * sheet, price or roll reveals it.
 */
export const selectSurroundings = (context: InCampaign, character: Sql, needed = ALL): Sql => sql`json_build_object(
  'trackers', ${trackersOf(context, sql`${character}.id`)},
  'levels', ${needed.levels ? levelsOf(context) : sql`'{"danger": 0, "desperation": 0}'::json`},
  'campaign_trackers', ${needed.campaign_trackers ? trackersOf(context, sql`${context.campaign.id}::uuid`) : sql`'{}'::json`},
  'xp', ${needed.xp ? balanceOf(context, character) : sql`NULL::json`})`

/** Reads the surroundings of a character that is not stored yet: those of its campaign, as far as the acting user sees them. */
export async function readNewSurroundings(db: Db, context: InCampaign): Promise<Surroundings> {
  const { actor, campaign } = context
  const [found] = await db.query<Pick<Surroundings, 'levels' | 'campaign_trackers'>>(sql`
    SELECT json_build_object('danger', k.danger, 'desperation', k.desperation) AS levels, ${trackersOf(context, sql`k.id`)} AS campaign_trackers
    FROM campaigns k WHERE k.company_id = ${actor.company_id} AND k.id = ${campaign.id}`)
  return { trackers: {}, levels: { danger: 0, desperation: 0 }, campaign_trackers: {}, ...found, xp: null }
}
