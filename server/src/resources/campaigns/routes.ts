import { Type } from '@guildhall/rules/type'
import { Flag, Id } from '../../core/fields.ts'
import { archives, byExternalId, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER, withLookup } from '../../http/path.ts'
import { settings } from '../companies/path-resource.ts'
import { viewerOf, WITHOUT_USER } from './across.ts'
import { CampaignOverview, getOverview, OverviewQuery } from './overview.ts'
import { campaign } from './path-resource.ts'
import {
  adjustCampaign,
  archiveCampaign,
  createCampaign,
  listCampaigns,
  restoreCampaign,
  transferCampaign,
  updateCampaign,
} from './queries.ts'
import { mayCreate, mayManage, mayTransfer, mayUpdate } from './rules.ts'
import { Campaign, CampaignAdjust, CampaignCreate, CampaignOwner, CampaignPatch, CampaignStatus } from './schema.ts'

const all = below(USER, 'campaigns')
const filters = {
  ...archives,
  status: Type.Optional(CampaignStatus('Only campaigns with this status')),
  owner_id: Type.Optional(Id('Only campaigns with this owner')),
  ...byExternalId,
}

export const campaigns = resource(
  {
    Campaigns: 'The games, with their owner, status, danger and desperation',
  },
  [
    operation({
      id: 'campaigns.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the campaigns of the company',
      description:
        'Every user sees every campaign, except private ones (`access` MEMBERS) of which they are not a member. With `archived=true`, only those that the acting user may restore are listed.',
      query: Type.Object({
        ...filters,
        mine: Type.Optional(Flag('`true` lists only the campaigns that the acting user owns or is a member of')),
      }),
      formerly: { owner_id: 'user_id' },
      reply: [200, Paged(Campaign)],
      run: ({ db, actor, query }) => listCampaigns(db, viewerOf(actor), query),
    }),
    operation({
      id: 'campaigns.listInCompany',
      method: 'GET',
      path: below(COMPANY, 'campaigns'),
      needs: { key: 'USER' },
      summary: 'List the campaigns of the company without a user in the path',
      description: WITHOUT_USER,
      query: Type.Object(filters),
      formerly: { owner_id: 'user_id' },
      reply: [200, Paged(Campaign)],
      run: ({ db, params: { company_id }, actor, permission, query }) => listCampaigns(db, { company_id, actor, permission }, query),
    }),
    operation({
      id: 'campaigns.create',
      method: 'POST',
      path: withLookup(all, settings),
      needs: { key: 'USER', may: mayCreate },
      summary: 'Create a campaign',
      description:
        'The acting user becomes its owner and first member. An owner whose role in the company is PLAYER can change, archive and transfer the campaign and write its books. Only storytellers manage its members and NPCs and set its danger and desperation.',
      body: CampaignCreate,
      reply: [201, Campaign],
      emits: ['campaign.created', 'member.added'],
      run: ({ db, actor, body }) => createCampaign(db, actor, body),
    }),
    operation({
      id: 'campaigns.get',
      method: 'GET',
      path: campaign.path,
      needs: { key: 'USER' },
      summary: 'Get a campaign, optionally with its parts',
      description: 'Use `include` to read a whole screen at once.',
      query: OverviewQuery,
      long: ({ include }) => include !== undefined,
      reply: [200, CampaignOverview],
      run: ({ db, actor, campaign, query }) => getOverview(db, { actor, campaign }, query.include),
    }),
    operation({
      id: 'campaigns.update',
      method: 'PATCH',
      path: campaign.path,
      needs: { key: 'USER', may: mayUpdate },
      summary: 'Change a campaign',
      description:
        'The status can change from PLANNED to ACTIVE, between ACTIVE and PAUSED, from either of them to COMPLETED, and from COMPLETED to ACTIVE. `experience_per` can change until the first award.',
      body: CampaignPatch,
      reply: [200, Campaign],
      emits: ['campaign.updated'],
      conflicts: {
        illegal_transition: 'The status cannot change from the current one to this one',
        experience_exists: '`experience_per` cannot change, because experience has been awarded in the campaign',
      },
      run: ({ db, actor, params, body }) => updateCampaign(db, actor, params.campaign_id, body),
    }),
    operation({
      id: 'campaigns.delete',
      method: 'DELETE',
      path: campaign.path,
      needs: { key: 'USER', may: mayManage },
      summary: 'Archive a campaign',
      description: 'The campaign and everything in it are hidden. It can be restored for 30 days.',
      reply: [204],
      emits: ['campaign.deleted'],
      run: ({ db, actor, params }) => archiveCampaign(db, actor, params.campaign_id),
    }),
    operation({
      id: 'campaigns.restore',
      method: 'POST',
      path: below(campaign.path, 'restore'),
      needs: { key: 'USER', may: mayManage },
      summary: 'Restore an archived campaign',
      description: 'Everything in it that was not archived separately is restored with it.',
      reply: [200, Campaign],
      emits: ['campaign.restored'],
      run: ({ db, actor, params }) => restoreCampaign(db, actor, params.campaign_id),
    }),
    operation({
      id: 'campaigns.adjust',
      method: 'POST',
      path: below(campaign.path, 'adjust'),
      needs: { key: 'USER', role: 'STORYTELLER', outsiders: true },
      summary: 'Raise or lower danger and desperation',
      description: 'Adds to the current values. All of several concurrent adjustments count.',
      body: CampaignAdjust,
      reply: [200, Campaign],
      emits: ['campaign.adjusted'],
      conflicts: { out_of_range: 'One of them would leave the range from 0 to 5. Nothing is changed' },
      run: ({ db, actor, params, body }) => adjustCampaign(db, actor, params.campaign_id, body),
    }),
    operation({
      id: 'campaigns.transfer',
      method: 'PUT',
      path: below(campaign.path, 'owner'),
      needs: { key: 'USER', may: mayTransfer },
      summary: 'Transfer a campaign to another user',
      description:
        'The former owner stays a member. The new owner becomes a STORYTELLER of the campaign if their role in the company is STORYTELLER or ADMIN, otherwise a PLAYER.',
      body: CampaignOwner,
      reply: [200, Campaign],
      emits: ['campaign.transferred', 'member.added', 'member.changed'],
      run: ({ db, actor, params, body }) => transferCampaign(db, actor, params.campaign_id, body.user_id),
    }),
  ],
)
