import { type Static, Type } from 'typebox'
import { Id, Nullable, stored, Text, Timestamp } from '../../core/fields.ts'

export const ApiKey = Type.Object(
  {
    id: Id('Key identifier'),
    developer_id: Id('The developer it identifies'),
    prefix: Text(8, 'How the key begins', 'glh_7Kd2'),
    last_four: Text(4, 'How the key ends', 'x9Qa'),
    date_last_used: Nullable(Timestamp('When it was last used, give or take a minute')),
    date_expires: Nullable(Timestamp('When it stops working, once it was rotated')),
    ...stored,
  },
  { title: 'ApiKey', description: 'An API key, known by its beginning and end' },
)
export type ApiKey = Static<typeof ApiKey>

export const IssuedKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Text(40, 'The key itself. It stands in this reply only: store it now.', 'glh_7Kd2mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B'),
  },
  { title: 'IssuedKey', description: 'A new API key, with the key itself' },
)

export const KeyRotate = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 3600,
        format: 'int32',
        description: 'For how long the old key goes on working, up to 7 days',
        examples: [3600],
      }),
    ),
  },
  { title: 'KeyRotate' },
)
