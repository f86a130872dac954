import type { Permission, Role, TokenScope } from '../core/access.ts'

/** The account behind the API key, or behind the key that issued the user token. It is no global admin for a token. */
export interface Developer {
  id: string
  name: string
  is_global_admin: boolean
  key_id: string
}

/** The end-user on whose behalf a request is made. */
export interface Actor {
  id: string
  company_id: string
  name: string
  role: Role
}

/** The user token of a request. */
export interface UserToken {
  id: string
  scope: TokenScope
}

/** The console session of a request, or, while it signs in, the link that it signs in with. */
export interface ConsoleSession {
  /** The id of the developer's session; of a user's session, the id of the token that it is. */
  id: string
}

/** The caller of a request. `permission` is the key's permission in the path's company; a global admin has all of them, a user token only USER. */
export interface Caller {
  developer: Developer
  /** Null if the request has an API key. */
  token: UserToken | null
  /** Null if the request has no cookie of the console. */
  session: ConsoleSession | null
  permission: Permission | null
  actor: Actor | null
}
