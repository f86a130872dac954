import { Type } from '@guildhall/rules/type'
import { ChangesQuery } from '../changes/schema.ts'

const { after, types, campaign_id } = ChangesQuery.properties

/** The query of a stream: a client that sends Last-Event-ID resumes from there instead. */
export const StreamQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...after,
      description: 'The cursor to begin at, as `changes` and every frame have one. Without it, the stream begins now',
    }),
  ),
  types,
  campaign_id,
})

/** The query of a stream of one campaign. */
export const CampaignStreamQuery = Type.Object({ after: StreamQuery.properties.after, types })
