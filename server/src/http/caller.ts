import type { Permission, Role } from '../core/access.ts'

/** The account behind the API key. */
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

/** The caller of a request. `permission` is the key's permission in the path's company; a global admin has all of them. */
export interface Caller {
  developer: Developer
  permission: Permission | null
  actor: Actor | null
}
