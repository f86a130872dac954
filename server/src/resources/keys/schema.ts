import { type Static, Type } from '@guildhall/rules/type'
import { Id, Nullable, stored, Text, Timestamp } from '../../core/fields.ts'

export const ApiKey = Type.Object(
  {
    id: Id('Key identifier'),
    developer_id: Id('The developer that the key belongs to'),
    prefix: Text(8, 'The first eight characters of the key', 'glh_7Kd2'),
    last_four: Text(4, 'The last four characters of the key', 'x9Qa'),
    date_last_used: Nullable(Timestamp('When the key was last used, accurate to about a minute')),
    date_expires: Nullable(Timestamp('When the key stops working. Null until it is rotated')),
    ...stored,
  },
  { title: 'ApiKey', description: 'An API key, without the key itself' },
)
export type ApiKey = Static<typeof ApiKey>

export const IssuedKey = Type.Object(
  {
    ...ApiKey.properties,
    key: Text(40, 'The key itself. It is shown only in this response: store it now', 'glh_7Kd2mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B'),
  },
  { title: 'IssuedKey', description: 'A new API key, including the key itself' },
)

export const DEFAULT_OVERLAP_SECONDS = 3600
export const KeyRotate = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: DEFAULT_OVERLAP_SECONDS,
        format: 'int32',
        description: 'Number of seconds for which the old key keeps working, up to 7 days',
        examples: [DEFAULT_OVERLAP_SECONDS],
      }),
    ),
  },
  { title: 'KeyRotate' },
)
