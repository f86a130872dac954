import { type Static, Type } from '@guildhall/rules/type'
import { Id, Int, stored, Text, Timestamp, WithDefault } from '../../core/fields.ts'

/** The maximum number of live links of a user. */
export const MAX_LINKS = 100
const QUARTER_SECONDS = 900
const DAY_SECONDS = 86_400

export const SignInLink = Type.Object(
  {
    id: Id('Link identifier'),
    company_id: Id('Owning company'),
    user_id: Id('The user whom the link signs in'),
    key_id: Id('The API key that created the link. The link ends with it, and so does the session that began with the link'),
    date_expires: Timestamp('When the link stops working, if it is not used before'),
    ...stored,
  },
  { title: 'SignInLink', description: 'A link with which a user signs in to the console, without the address itself' },
)
export type SignInLink = Static<typeof SignInLink>

export const IssuedSignInLink = Type.Object(
  {
    ...SignInLink.properties,
    url: Text(
      500,
      'The address to give to the user. It works once, and is shown only in this response. Its code is in the fragment, which browsers send to nobody',
      'https://play.example/console/#code=gll_02sK5Q8mZ4tYw1XbR7nVc302sK5QdP9hLfUa6TeJ0gWiM4mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B2c',
    ),
  },
  { title: 'IssuedSignInLink', description: 'A new link with which a user signs in to the console, including the address itself' },
)

export const SignInLinkCreate = Type.Object(
  {
    expires_in: WithDefault(
      Int(60, DAY_SECONDS, 'Number of seconds for which the link works, from a minute to a day', QUARTER_SECONDS),
      QUARTER_SECONDS,
    ),
  },
  { title: 'SignInLinkCreate' },
)
