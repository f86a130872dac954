import { type Static, Type } from '@guildhall/rules/type'
import { Role, TokenScope } from '../../core/access.ts'
import { Enum, Flag, Id, Int, Name, Nullable, stored, Text, Timestamp, Unset, WithDefault } from '../../core/fields.ts'

/** The maximum number of live tokens of a user, and of their console sessions. */
export const MAX_TOKENS = 100
const HOUR_SECONDS = 3600
const DAY_SECONDS = 86_400

const scope = TokenScope('READ for reading only, PLAY for everything that the user may do')
const kind = Enum(
  'UserTokenKind',
  ['TOKEN', 'SESSION'],
  'TOKEN for one that a key issued, SESSION for one in the cookie of the console',
  'TOKEN',
)
const label = Nullable(Name('A note on where the token is used', "Mina's browser"))

export const UserToken = Type.Object(
  {
    id: Id('Token identifier'),
    company_id: Id('Owning company'),
    user_id: Id('The user that the token acts as'),
    key_id: Id('The API key that issued the token, or the link that the session began with. The token ends with it'),
    kind,
    scope,
    label,
    date_last_used: Nullable(Timestamp('When the token was last used, accurate to about a minute')),
    date_expires: Timestamp('When the token stops working, unless its key ends before'),
    ...stored,
  },
  { title: 'UserToken', description: 'A token of a user, without the token itself' },
)
export type UserToken = Static<typeof UserToken>

export const IssuedToken = Type.Object(
  {
    ...UserToken.properties,
    token: Text(
      84,
      'The token itself, to send as `Authorization: Bearer`. It is shown only in this response: pass it on now',
      'glu_02sK5Q8mZ4tYw1XbR7nVc302sK5QdP9hLfUa6TeJ0gWiM4mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B2c',
    ),
  },
  { title: 'IssuedToken', description: 'A new token of a user, including the token itself' },
)

export const TokenCreate = Type.Object(
  {
    scope: WithDefault(scope, 'PLAY'),
    expires_in: WithDefault(
      Int(60, DAY_SECONDS, 'Number of seconds for which the token works, from a minute to a day', HOUR_SECONDS),
      HOUR_SECONDS,
    ),
    label: WithDefault(label, null),
  },
  { title: 'TokenCreate' },
)
export type TokenCreate = Static<typeof TokenCreate>

export const RevokedTokens = Type.Object(
  { revoked: Int(0, 2 * MAX_TOKENS, 'Number of tokens that were revoked', 2) },
  { title: 'RevokedTokens', description: 'The result of revoking all tokens of a user' },
)

/** The caller of a request, whatever credential it has. */
export const Me = Type.Object(
  {
    kind: Enum(
      'CallerKind',
      ['DEVELOPER', 'USER'],
      'DEVELOPER for an API key, USER for a user token; a console session is of either',
      'USER',
    ),
    credential: Enum('CredentialKind', ['KEY', 'TOKEN', 'SESSION'], 'An API key, a user token, or a console session', 'TOKEN'),
    developer: Unset(
      Type.Object(
        {
          id: Id('Developer identifier'),
          name: Text(100, 'Developer name', 'Night Club Bot'),
          is_global_admin: Flag('True if the developer is a global admin of the service'),
        },
        { title: 'MeDeveloper', description: 'The developer that the API key or console session belongs to; null for a user' },
      ),
    ),
    company: Nullable(
      Type.Object(
        { id: Id('Company identifier'), name: Text(100, 'Company name', 'Night Club') },
        { title: 'MeCompany', description: 'The company of the user; null for a developer' },
      ),
    ),
    user: Nullable(
      Type.Object(
        { id: Id('User identifier'), name: Text(100, 'User name', 'Mina Harker'), role: Role("The user's role in the company") },
        { title: 'MeUser', description: 'The user that the token or console session acts as; null for a developer' },
      ),
    ),
    key_id: Id('The API key, or the one that the user token or console session ends with'),
    token_id: Nullable(Id("The user token, or the user's console session; null for a developer")),
    session_id: Unset(Id('The console session; null for an API key or a user token')),
    scope: Nullable(scope),
    date_expires: Nullable(Timestamp('When the credential stops working; null for an API key that has not been rotated')),
    public_url: Nullable(
      Text(
        300,
        'The address at which people reach the service, which begins every link for them; null if links work on the machine of the service only',
        'https://play.example',
      ),
    ),
  },
  { title: 'Me', description: 'The caller of the request' },
)
export type Me = Static<typeof Me>
