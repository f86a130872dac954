import { Type } from 'typebox'
import { Id } from '../../core/fields.ts'
import { archives, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { settings } from '../companies/place.ts'
import { campaign } from './place.ts'
import {
  adjustCampaign,
  archiveCampaign,
  createCampaign,
  getCampaign,
  listCampaigns,
  restoreCampaign,
  transferCampaign,
  updateCampaign,
} from './queries.ts'
import { mayChange, mayCreate, mayManage, maySet, mayTransfer } from './rules.ts'
import { Campaign, CampaignAdjust, CampaignCreate, CampaignOwner, CampaignPatch, CampaignStatus } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns'
const ONE = `${ALL}/{campaign_id}` as const

export const campaigns = [
  operation({
    id: 'campaigns.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'List the campaigns of the company',
    description: 'Every user sees every campaign. `archived=true` lists those that the acting user owns or tells.',
    query: Type.Object({
      ...archives,
      status: Type.Optional(CampaignStatus('Only campaigns that stand so')),
      user_id: Type.Optional(Id('Only campaigns of this owner')),
    }),
    reply: [200, Paged(Campaign)],
    run: ({ db, actor, query }) => listCampaigns(db, actor, query),
  }),
  operation({
    id: 'campaigns.create',
    method: 'POST',
    path: ALL,
    within: [settings],
    needs: {
      key: 'USER',
      mayWith: ({ actor }, _params, body) => maySet(actor, body),
      mayHere: ({ actor, settings }) => mayCreate(actor, settings),
      who: 'Every user may, unless the company keeps it to storytellers (`campaign_creation`); `danger` and `desperation` are for storytellers only.',
    },
    summary: 'Create a campaign',
    description:
      'The acting user owns it and is its first member. An owner who is a PLAYER can name, describe, archive and give it away and write its books; members, NPCs and settings take a storyteller.',
    body: CampaignCreate,
    reply: [201, Campaign],
    emits: 'campaign.created',
    run: ({ db, actor, body }) => createCampaign(db, actor, body),
  }),
  operation({
    id: 'campaigns.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Get a campaign',
    reply: [200, Campaign],
    run: ({ db, actor, params }) => getCampaign(db, actor, params.campaign_id),
  }),
  operation({
    id: 'campaigns.update',
    method: 'PATCH',
    path: ONE,
    within: [campaign],
    needs: {
      key: 'USER',
      mayWith: ({ actor }, _params, patch) => maySet(actor, patch),
      mayHere: mayChange,
      who: 'Its owner, its storytellers and ADMINs may; `danger` and `desperation` any STORYTELLER of the company, and no PLAYER.',
    },
    summary: 'Change a campaign',
    description: 'A PLANNED campaign becomes ACTIVE; ACTIVE and PAUSED change to each other and to COMPLETED; COMPLETED becomes ACTIVE.',
    body: CampaignPatch,
    reply: [200, Campaign],
    emits: 'campaign.updated',
    conflicts: { illegal_transition: 'The status cannot become this from what it is' },
    run: ({ db, actor, params, body }) => updateCampaign(db, actor, params.campaign_id, body),
  }),
  operation({
    id: 'campaigns.delete',
    method: 'DELETE',
    path: ONE,
    within: [campaign],
    needs: { key: 'USER', mayHere: mayManage, who: 'Its owner, its storytellers and ADMINs may.' },
    summary: 'Archive a campaign',
    description: 'It is hidden with everything in it, and can be restored for 30 days.',
    reply: [204],
    emits: 'campaign.deleted',
    run: ({ db, actor, params }) => archiveCampaign(db, actor, params.campaign_id),
  }),
  operation({
    id: 'campaigns.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    within: [campaign],
    needs: { key: 'USER', mayHere: mayManage, who: 'Its owner, its storytellers and ADMINs may.' },
    summary: 'Restore an archived campaign',
    description: 'What was live in it when it was archived comes back with it.',
    reply: [200, Campaign],
    emits: 'campaign.restored',
    run: ({ db, actor, params }) => restoreCampaign(db, actor, params.campaign_id),
  }),
  operation({
    id: 'campaigns.adjust',
    method: 'POST',
    path: `${ONE}/adjust`,
    within: [campaign],
    needs: { key: 'USER', role: 'STORYTELLER' },
    summary: 'Raise or lower danger and desperation',
    description: 'Adds to what they are, exactly, however many do so at once.',
    body: CampaignAdjust,
    reply: [200, Campaign],
    emits: 'campaign.adjusted',
    conflicts: { out_of_range: 'One of them would leave 0 to 5; nothing is changed' },
    run: ({ db, actor, params, body }) => adjustCampaign(db, actor, params.campaign_id, body),
  }),
  operation({
    id: 'campaigns.transfer',
    method: 'PUT',
    path: `${ONE}/owner`,
    within: [campaign],
    needs: {
      key: 'USER',
      mayHere: ({ actor, campaign }) => mayTransfer(actor, campaign),
      who: 'Its owner and ADMINs may.',
    },
    summary: 'Give a campaign to another user',
    description: 'Both are members afterwards; the new owner is a STORYTELLER of it if their role in the company allows, else a PLAYER.',
    body: CampaignOwner,
    reply: [200, Campaign],
    emits: 'campaign.transferred',
    run: ({ db, actor, params, body }) => transferCampaign(db, actor, params.campaign_id, body.user_id),
  }),
]
