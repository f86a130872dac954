import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { WITHOUT_USER } from '../campaigns/across.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { FeedItem } from '../changes/schema.ts'
import { openChanges } from './open.ts'
import { CampaignStreamQuery, StreamQuery } from './schema.ts'

const STREAMING =
  'Sends each change as it happens, as Server-Sent Events. An event has the same form as in `changes`, and its `id` is a cursor: send the last one as `Last-Event-ID`, or as `after`, to go on from there. `Last-Event-ID` wins. A cursor that is too old, or from before a restore, gets one `feed.reset`.'

export const streams = resource(
  {
    Streams: 'Everything that changes, as it happens, as far as you may see it',
  },
  [
    operation({
      id: 'streams.open',
      method: 'GET',
      path: below(USER, 'stream'),
      needs: { key: 'USER' },
      summary: 'Stream the changes that a user may see',
      description: STREAMING,
      query: StreamQuery,
      reply: [200, FeedItem],
      streams: true,
      run: ({ db, params: { company_id }, developer, token, permission, actor, query, lastEventId }) =>
        openChanges(db, { company_id, developer, permission, actor }, token !== null, { ...query, lastEventId }),
    }),
    operation({
      id: 'streams.openInCompany',
      method: 'GET',
      path: below(COMPANY, 'stream'),
      needs: { key: 'USER' },
      summary: 'Stream the changes of the company without a user in the path',
      description: `${STREAMING} ${WITHOUT_USER}`,
      query: StreamQuery,
      reply: [200, FeedItem],
      streams: true,
      run: ({ db, params: { company_id }, developer, token, permission, actor, query, lastEventId }) =>
        openChanges(db, { company_id, developer, permission, actor }, token !== null, { ...query, lastEventId }),
    }),
    operation({
      id: 'streams.openInCampaign',
      method: 'GET',
      path: below(campaign.path, 'stream'),
      needs: { key: 'USER' },
      summary: 'Stream the changes in one campaign that a user may see',
      description: `${STREAMING} Only changes in this campaign are sent, and those of your own role.`,
      query: CampaignStreamQuery,
      reply: [200, FeedItem],
      streams: true,
      run: ({ db, params: { company_id, campaign_id }, developer, token, permission, actor, query, lastEventId }) =>
        openChanges(db, { company_id, developer, permission, actor }, token !== null, { ...query, campaign_id, lastEventId }),
    }),
  ],
)
