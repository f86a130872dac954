import { sql } from '../../db/sql.ts'
import { jsonOf, pathResource } from '../../http/path.ts'
import { campaign, isStoryteller } from '../campaigns/path-resource.ts'

/** A creation of the path's campaign, if the acting user may see it and it has not expired. */
export const creation = pathResource(campaign.path, 'creations', {
  name: 'creation',
  join: (id, company_id) => sql`LEFT JOIN creations creation
    ON creation.company_id = ${company_id} AND creation.campaign_id = campaign.id AND creation.id = ${id} AND creation.date_expires > now()
    AND ((creation.user_id = u.id AND creation.type = 'PLAYER') OR ${isStoryteller(sql`u.role`, sql`u.id`)})`,
  row: jsonOf<{ id: string }>(sql`CASE WHEN creation.id IS NOT NULL THEN json_build_object('id', creation.id) END`),
})
