// Generated from the list of operations. Do not edit it: run npm run generate.
import type { EventsOptions } from "./events.ts"
import type { HandleSpec } from "./handle.ts"
import type { List } from "./list.ts"
import type { ChangeOptions, DeleteOptions, RequestOptions, WriteOptions } from "./options.ts"

/** The codes of all errors that this version knows. A newer service may have others. */
export type ErrorCode = 'already_reversed' | 'already_rolled' | 'already_rotated' | 'already_settled' | 'already_voided' | 'award_spent' | 'bad_request' | 'body_too_large' | 'character_archived' | 'characters_unfit' | 'client_gone' | 'creation_finished' | 'creation_unfinished' | 'database_busy' | 'database_unavailable' | 'defined_by_ruleset' | 'desperation_too_low' | 'draft_exists' | 'draining' | 'duplicate' | 'expectation_failed' | 'experience_exists' | 'experience_per_character' | 'experience_per_user' | 'forbidden' | 'gone' | 'headers_too_large' | 'idempotency_in_progress' | 'idempotency_key_reused' | 'illegal_transition' | 'insufficient_quantity' | 'internal_error' | 'invite_expired' | 'invite_used_up' | 'last_admin' | 'last_global_admin' | 'last_owner' | 'method_not_allowed' | 'needs_not_met' | 'no_creation' | 'no_player' | 'no_recipients' | 'no_ruleset' | 'not_acceptable' | 'not_enough_experience' | 'not_for_experience' | 'not_found' | 'not_generated' | 'not_pending' | 'not_published' | 'not_reversible' | 'not_rolled' | 'not_strained' | 'not_their_character' | 'out_of_range' | 'outcome_unknown' | 'overloaded' | 'owner_is_member' | 'parent_archived' | 'precondition_failed' | 'price_changed' | 'read_timeout' | 'reference_removed' | 'replaying' | 'request_timeout' | 'response_too_large' | 'role_too_low' | 'rotating' | 'ruleset_changed' | 'ruleset_faulty' | 'ruleset_in_use' | 'seed_in_use' | 'sign_in_refused' | 'token_expired' | 'too_many_bodies' | 'too_many_characters' | 'too_many_conditions' | 'too_many_creations' | 'too_many_links' | 'too_many_recipients' | 'too_many_requests' | 'too_many_rulesets' | 'too_many_streams' | 'too_many_terms' | 'too_many_tokens' | 'too_many_trackers' | 'too_many_versions' | 'too_many_waits' | 'too_many_webhooks' | 'too_much_unread' | 'tracker_exhausted' | 'trait_changed' | 'trait_not_raised' | 'unauthorized' | 'unsupported_media_type' | 'user_archived' | 'validation_failed' | 'version_not_published' | 'version_published' | 'voided' | 'webhook_disabled' | 'webhook_enabled'

/** The version of the service that this client was made for. An older one may lack some of what the client knows. */
export const SERVICE_VERSION: string = '0.2.0'

/** The resources that changes tell of, by their type. */
export interface ResourceTypes {
  company: Company
  grant: Grant
  webhook: Webhook
  ruleset: Ruleset
  ruleset_version: RulesetVersion
  user: User
  term: Term
  campaign: Campaign
  member: Member
  invite: Invite
  character: Character
  item: Item
  tracker: Tracker
  secret_metadata: SecretMetadata
  book: Book
  chapter: Chapter
  note: Note
  dice_roll: DiceRoll
  quick_roll: QuickRoll
  dice_seed: DiceSeed
  experience: ExperienceEntry
}
type ResourceTypeOf<Type> = Type extends `${infer Kind extends keyof ResourceTypes}.${string}` ? Kind : 'company'

/** A change, as one reader is told of it. After `if (change.type === 'character.updated')` its resource is a Character, or null. */
export type FeedItem<Type extends FeedType = FeedType> = {
  [Each in Type]: Omit<AnyFeedItem, 'type' | 'data'> & {
    type: Each
    data: Omit<FeedData, 'resource_type' | 'resource'> & {
      resource_type: ResourceTypeOf<Each>
      resource: ResourceTypes[ResourceTypeOf<Each>] | null
    }
  }
}[Type]

/** An event of a stream, with the cursor behind it: store the cursor to go on from there. */
export type StreamEvent<Type extends FeedType = FeedType> = FeedItem<Type> & { cursor: string }
/** Values of permission */
export type Permission = "USER" | "ADMIN" | "OWNER"
/** A company that the developer has access to */
export interface DeveloperCompany {
  /** Company identifier */
  company_id: string
  /** The developer's permission in the company */
  permission: Permission
}
/** An account that uses the service with API keys */
export interface Developer {
  /** Developer identifier */
  id: string
  /** Developer name */
  name: string
  /** True if the developer is a global admin of the service */
  is_global_admin: boolean
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** One entry per accessible company */
  companies: DeveloperCompany[]
}
/** The fields of a account that change */
export interface AccountPatch {
  /** Developer name. 1 to 100 characters */
  name?: string | undefined
}
/** Values of forbidden reason */
export type ForbiddenReason = "company_access" | "global_admin" | "api_key_required" | "console_session_required" | "read_only_token" | "key_permission" | "role" | "not_a_storyteller" | "not_a_member" | "not_the_owner" | "not_your_character" | "not_yours" | "hidden_sheet" | "campaign_settings" | "company_settings" | "too_late"
/** Values of role */
export type Role = "PLAYER" | "STORYTELLER" | "ADMIN"
/** One fault of a request */
export interface Fault {
  /** The field or parameter */
  field: string
  /** The fault */
  message: string
}
/** A problem (RFC 9457) */
export interface Problem {
  /** The page that explains the code, relative to the service */
  type: string
  /** HTTP status code */
  status: number
  /** Status phrase */
  title: string
  /** Human-readable explanation */
  detail: string
  /** Path of the request that failed */
  instance: string
  /** Stable code of the problem, for programs */
  code: string
  /** Identifies the request in the log of the service */
  request_id: string
  /** Why access is denied, on 403 */
  reason?: ForbiddenReason | undefined
  /** The same in words for people, with what would allow the request. It completes the sentence of `detail` */
  why?: string | undefined
  /** What would allow the request, on 403, if that can be said */
  needs?: {
    /** The permission that the key needs */
    permission?: Permission | undefined
    /** The role that the acting user needs */
    role?: Role | undefined
  } | undefined
  /** Every fault of a request that is not valid */
  invalid_parameters?: Fault[] | undefined
  /** The resource that causes a `duplicate` or `user_archived`. Absent if the caller may not see it */
  id?: string | undefined
  /** How much there is of what the request wants more of, with `not_enough_experience`, `award_spent`, `insufficient_quantity`, `desperation_too_low` */
  available?: number | undefined
}
/** An API key, without the key itself */
export interface ApiKey {
  /** Key identifier */
  id: string
  /** The developer that the key belongs to */
  developer_id: string
  /** The first eight characters of the key */
  prefix: string
  /** The last four characters of the key */
  last_four: string
  /** When the key was last used, accurate to about a minute */
  date_last_used: string | null
  /** When the key stops working. Null until it is rotated */
  date_expires: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: api key */
export interface ApiKeyPage {
  /** The requested page */
  items: ApiKey[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Rotate one of your API keys */
export interface KeyRotate {
  /** Number of seconds for which the old key keeps working, up to 7 days. Default: 3600. 0 to 604,800 */
  overlap_seconds?: number | undefined
}
/** A new API key, including the key itself */
export interface IssuedKey {
  /** Key identifier */
  id: string
  /** The developer that the key belongs to */
  developer_id: string
  /** The first eight characters of the key */
  prefix: string
  /** The last four characters of the key */
  last_four: string
  /** When the key was last used, accurate to about a minute */
  date_last_used: string | null
  /** When the key stops working. Null until it is rotated */
  date_expires: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The key itself. It is shown only in this response: store it now */
  key: string
}
/** An account that uses the service with API keys */
export interface DeveloperListItem {
  /** Developer identifier */
  id: string
  /** Developer name */
  name: string
  /** True if the developer is a global admin of the service */
  is_global_admin: boolean
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The first 100 accessible companies, in the order of their ids */
  companies: DeveloperCompany[]
  /** Number of accessible companies */
  companies_total: number
  /** True if there are more than 100 companies. Get the developer to see all of them */
  truncated: boolean
}
/** A page of a list: developer */
export interface DeveloperPage {
  /** The requested page */
  items: DeveloperListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new developer */
export interface DeveloperCreate {
  /** Developer name. 1 to 100 characters */
  name: string
  /** True to make the developer a global admin of the service. Default: false */
  is_global_admin?: boolean | undefined
}
/** The fields of a developer that change */
export interface DeveloperPatch {
  /** Developer name. 1 to 100 characters */
  name?: string | undefined
  /** True if the developer is a global admin of the service */
  is_global_admin?: boolean | undefined
}
/** Values of campaign creation */
export type CampaignCreation = "ANYONE" | "STORYTELLER"
/** Values of default user role */
export type DefaultUserRole = "PLAYER" | "STORYTELLER"
/** Settings that apply to all campaigns of the company */
export interface CompanySettings {
  /** The users who may create campaigns: all (ANYONE, the default), or only STORYTELLERs and ADMINs (STORYTELLER) */
  campaign_creation: CampaignCreation
  /** The role of users that `PUT .../users/by-external-id/{external_id}` creates without a role (default: PLAYER). With STORYTELLER everyone can run a campaign */
  default_user_role: DefaultUserRole
}
/** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
export type Metadata = Record<string, string>
/** A tenant. It owns its users, its campaigns and everything in them */
export interface CompanyListItem {
  /** Company identifier */
  id: string
  /** Company name */
  name: string
  /** What the company is about; its first 1,000 characters in a list */
  description: string | null
  /** Email address of the company */
  email: string | null
  settings: CompanySettings
  /** The id of the company in the client application. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if description was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: company */
export interface CompanyPage {
  /** The requested page */
  items: CompanyListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a company settings that change */
export interface CompanySettingsPatch {
  /** The users who may create campaigns: all (ANYONE, the default), or only STORYTELLERs and ADMINs (STORYTELLER) */
  campaign_creation?: CampaignCreation | undefined
  /** The role of users that `PUT .../users/by-external-id/{external_id}` creates without a role (default: PLAYER). With STORYTELLER everyone can run a campaign */
  default_user_role?: DefaultUserRole | undefined
}
/** The fields of a new company */
export interface CompanyCreate {
  /** Company name. 1 to 100 characters */
  name: string
  /** What the company is about. At most 10,000 characters */
  description?: string | null | undefined
  /** Email address of the company */
  email?: string | null | undefined
  settings?: CompanySettingsPatch | undefined
  /** The id of the company in the client application. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A tenant. It owns its users, its campaigns and everything in them */
export interface Company {
  /** Company identifier */
  id: string
  /** Company name */
  name: string
  /** What the company is about */
  description: string | null
  /** Email address of the company */
  email: string | null
  settings: CompanySettings
  /** The id of the company in the client application. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** Metadata to set by key. null removes a key; keys that are not named stay */
export type MetadataPatch = Record<string, string | null>
/** The fields of a company that change */
export interface CompanyPatch {
  /** Company name. 1 to 100 characters */
  name?: string | undefined
  /** What the company is about. At most 10,000 characters */
  description?: string | null | undefined
  /** Email address of the company */
  email?: string | null | undefined
  settings?: CompanySettingsPatch | undefined
  /** The id of the company in the client application. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** A developer's access to a company */
export interface Grant {
  /** The developer's identifier */
  id: string
  /** Company identifier */
  company_id: string
  /** Developer name */
  name: string
  /** The developer's permission in the company */
  permission: Permission
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: grant */
export interface GrantPage {
  /** The requested page */
  items: Grant[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Give a developer access to a company, or change it */
export interface GrantSet {
  /** The developer's permission in the company */
  permission: Permission
}
/** The seed of the next rolls. Its commitment is published before the dice are rolled */
export interface DiceSeed {
  /** Seed identifier; the client seed of rolls that name none */
  id: string
  /** SHA-256 of the server seed, in lowercase hex */
  commitment: string
  /** Number of the next roll with this seed */
  next_nonce: number
}
/** A retired seed, revealed so that its rolls can be verified */
export interface RevealedSeed {
  /** Seed identifier */
  id: string
  /** Commitment that was published before the rolls */
  commitment: string
  /** The server seed; its SHA-256 is the commitment */
  server_seed: string
  /** Number of rolls made with the seed */
  rolls: number
}
/** The new seed, and the revealed seed that it replaces */
export interface DiceSeedRotated {
  /** Seed identifier; the client seed of rolls that name none */
  id: string
  /** SHA-256 of the server seed, in lowercase hex */
  commitment: string
  /** Number of the next roll with this seed */
  next_nonce: number
  revealed: RevealedSeed
}
/** A person who plays. Several client applications can share the same user */
export interface UserListItem {
  /** User identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User name */
  name: string
  /** The user's role in the company */
  role: Role
  /** Email address of the user. Null for acting users other than the user and ADMINs */
  email: string | null
  /** The id of the user in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. Null for acting users other than the user and ADMINs */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if large metadata was left out; the resource itself has it */
  truncated: boolean
}
/** A page of a list: user */
export interface UserPage {
  /** The requested page */
  items: UserListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new user */
export interface UserCreate {
  /** User name. 1 to 100 characters */
  name: string
  /** The user's role in the company */
  role: Role
  /** Email address of the user. Null for acting users other than the user and ADMINs */
  email?: string | null | undefined
  /** The id of the user in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. Null for acting users other than the user and ADMINs. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A person who plays. Several client applications can share the same user */
export interface User {
  /** User identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User name */
  name: string
  /** The user's role in the company */
  role: Role
  /** Email address of the user. Null for acting users other than the user and ADMINs */
  email: string | null
  /** The id of the user in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. Null for acting users other than the user and ADMINs */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** Get the user with an external id, or create them */
export interface UserLink {
  /** User name. 1 to 100 characters */
  name: string
  /** The user's role if the user is new. Default: the company setting `default_user_role` */
  role?: Role | undefined
}
/** The fields of a user that change */
export interface UserPatch {
  /** User name. 1 to 100 characters */
  name?: string | undefined
  /** The user's role in the company */
  role?: Role | undefined
  /** Email address of the user. Null for acting users other than the user and ADMINs */
  email?: string | null | undefined
  /** The id of the user in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. Null for acting users other than the user and ADMINs. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** Values of caller kind */
export type CallerKind = "DEVELOPER" | "USER"
/** Values of credential kind */
export type CredentialKind = "KEY" | "TOKEN" | "SESSION"
/** The developer that the API key or console session belongs to; null for a user */
export interface MeDeveloper {
  /** Developer identifier */
  id: string
  /** Developer name */
  name: string
  /** True if the developer is a global admin of the service */
  is_global_admin: boolean
}
/** The company of the user; null for a developer */
export interface MeCompany {
  /** Company identifier */
  id: string
  /** Company name */
  name: string
}
/** The user that the token or console session acts as; null for a developer */
export interface MeUser {
  /** User identifier */
  id: string
  /** User name */
  name: string
  /** The user's role in the company */
  role: Role
}
/** Values of token scope */
export type TokenScope = "READ" | "PLAY"
/** The caller of the request */
export interface Me {
  /** DEVELOPER for an API key, USER for a user token; a console session is of either */
  kind: CallerKind
  /** An API key, a user token, or a console session */
  credential: CredentialKind
  /** The developer that the API key or console session belongs to; null for a user */
  developer: MeDeveloper | null
  /** The company of the user; null for a developer */
  company: MeCompany | null
  /** The user that the token or console session acts as; null for a developer */
  user: MeUser | null
  /** The API key, or the one that the user token or console session ends with */
  key_id: string
  /** The user token, or the user's console session; null for a developer */
  token_id: string | null
  /** The console session; null for an API key or a user token */
  session_id: string | null
  /** READ for reading only, PLAY for everything that the user may do */
  scope: TokenScope | null
  /** When the credential stops working; null for an API key that has not been rotated */
  date_expires: string | null
  /** The address at which people reach the service, which begins every link for them; null if links work on the machine of the service only */
  public_url: string | null
}
/** Values of user token kind */
export type UserTokenKind = "TOKEN" | "SESSION"
/** A token of a user, without the token itself */
export interface UserToken {
  /** Token identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The user that the token acts as */
  user_id: string
  /** The API key that issued the token, or the link that the session began with. The token ends with it */
  key_id: string
  /** TOKEN for one that a key issued, SESSION for one in the cookie of the console */
  kind: UserTokenKind
  /** READ for reading only, PLAY for everything that the user may do */
  scope: TokenScope
  /** A note on where the token is used */
  label: string | null
  /** When the token was last used, accurate to about a minute */
  date_last_used: string | null
  /** When the token stops working, unless its key ends before */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: user token */
export interface UserTokenPage {
  /** The requested page */
  items: UserToken[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new token */
export interface TokenCreate {
  /** READ for reading only, PLAY for everything that the user may do. Default: "PLAY" */
  scope?: TokenScope | undefined
  /** Number of seconds for which the token works, from a minute to a day. Default: 3600. 60 to 86,400 */
  expires_in?: number | undefined
  /** A note on where the token is used. 1 to 100 characters */
  label?: string | null | undefined
}
/** A new token of a user, including the token itself */
export interface IssuedToken {
  /** Token identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The user that the token acts as */
  user_id: string
  /** The API key that issued the token, or the link that the session began with. The token ends with it */
  key_id: string
  /** TOKEN for one that a key issued, SESSION for one in the cookie of the console */
  kind: UserTokenKind
  /** READ for reading only, PLAY for everything that the user may do */
  scope: TokenScope
  /** A note on where the token is used */
  label: string | null
  /** When the token was last used, accurate to about a minute */
  date_last_used: string | null
  /** When the token stops working, unless its key ends before */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The token itself, to send as `Authorization: Bearer`. It is shown only in this response: pass it on now */
  token: string
}
/** The result of revoking all tokens of a user */
export interface RevokedTokens {
  /** Number of tokens that were revoked */
  revoked: number
}
/** A link with which a user signs in to the console, without the address itself */
export interface SignInLink {
  /** Link identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The user whom the link signs in */
  user_id: string
  /** The API key that created the link. The link ends with it, and so does the session that began with the link */
  key_id: string
  /** When the link stops working, if it is not used before */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: sign in link */
export interface SignInLinkPage {
  /** The requested page */
  items: SignInLink[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new sign in link */
export interface SignInLinkCreate {
  /** Number of seconds for which the link works, from a minute to a day. Default: 900. 60 to 86,400 */
  expires_in?: number | undefined
}
/** A new link with which a user signs in to the console, including the address itself */
export interface IssuedSignInLink {
  /** Link identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The user whom the link signs in */
  user_id: string
  /** The API key that created the link. The link ends with it, and so does the session that began with the link */
  key_id: string
  /** When the link stops working, if it is not used before */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The address to give to the user. It works once, and is shown only in this response. Its code is in the fragment, which browsers send to nobody */
  url: string
}
/** The fields of a new console session, with `key` */
export interface ConsoleSessionCreateKey {
  /** An API key, to sign in as its developer. At most 100 characters */
  key: string
  code?: never
  remember?: never
}
/** The fields of a new console session, with `code` */
export interface ConsoleSessionCreateCode {
  /** The code of a sign-in link, to sign in as its user, or of a link of `guildhall console-link`, to sign in as its developer. At most 100 characters */
  code: string
  /** True to stay signed in for 30 days instead of 12 hours. It has no effect for a developer. Default: false */
  remember?: boolean | undefined
  key?: never
}
/** The fields of a new console session */
export type ConsoleSessionCreate = ConsoleSessionCreateKey | ConsoleSessionCreateCode
/** The fields of a new sign in preview */
export interface SignInPreviewCreate {
  /** The code of a sign-in link. At most 100 characters */
  code: string
}
/** The person whom a sign-in link is for */
export interface SignInPreview {
  /** The name of the user or the developer whom the link signs in */
  name: string
  /** The name of the company of the user, or null for a developer */
  company_name: string | null
  /** When the link stops working, if it is not used before */
  date_expires: string
}
/** Values of audit log type */
export type AuditLogType = "api_key.issued" | "api_key.revoked" | "api_key.rotated" | "book.created" | "book.deleted" | "book.moved" | "book.restored" | "book.updated" | "campaign.adjusted" | "campaign.created" | "campaign.deleted" | "campaign.purged" | "campaign.restored" | "campaign.ruleset_changed" | "campaign.transferred" | "campaign.updated" | "chapter.created" | "chapter.deleted" | "chapter.moved" | "chapter.restored" | "chapter.updated" | "character.adjusted" | "character.created" | "character.deleted" | "character.died" | "character.migrated" | "character.purged" | "character.restored" | "character.updated" | "company.created" | "company.deleted" | "company.restored" | "company.updated" | "console_link.created" | "console_session.created" | "console_session.deleted" | "creation.abandoned" | "creation.answered" | "creation.finished" | "creation.started" | "developer.created" | "developer.deleted" | "developer.updated" | "dice_roll.created" | "dice_roll.settled" | "dice_roll.voided" | "dice_seed.rotated" | "experience.awarded" | "experience.gained" | "experience.reversed" | "experience.spent" | "grant.removed" | "grant.set" | "invite.created" | "invite.deleted" | "item.adjusted" | "item.created" | "item.deleted" | "item.restored" | "item.updated" | "member.added" | "member.changed" | "member.removed" | "note.created" | "note.deleted" | "note.restored" | "note.updated" | "quick_roll.created" | "quick_roll.deleted" | "quick_roll.restored" | "quick_roll.updated" | "ruleset.created" | "ruleset.deleted" | "ruleset.restored" | "ruleset.updated" | "ruleset_version.created" | "ruleset_version.deleted" | "ruleset_version.published" | "ruleset_version.retired" | "ruleset_version.updated" | "secret_metadata.updated" | "sign_in_link.created" | "sign_in_link.deleted" | "term.created" | "term.deleted" | "term.restored" | "term.updated" | "tracker.adjusted" | "tracker.created" | "tracker.deleted" | "tracker.emptied" | "tracker.filled" | "tracker.updated" | "user.created" | "user.deleted" | "user.purged" | "user.restored" | "user.updated" | "user_token.created" | "user_token.deleted" | "user_token.revoked" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.restored" | "webhook.retried" | "webhook.rotated" | "webhook.skipped" | "webhook.updated"
/** Values of audit log resource type */
export type AuditLogResourceType = "api_key" | "book" | "campaign" | "chapter" | "character" | "company" | "console_link" | "console_session" | "creation" | "developer" | "dice_roll" | "dice_seed" | "experience" | "grant" | "invite" | "item" | "member" | "note" | "quick_roll" | "ruleset" | "ruleset_version" | "secret_metadata" | "sign_in_link" | "term" | "tracker" | "user" | "user_token" | "webhook"
/** One field before and after */
export interface Difference {
  /** The value before. Null if there was none */
  old: unknown
  /** The value after. Null if there is none */
  new: unknown
}
/** A change made in the company */
export interface AuditLog {
  /** Entry identifier */
  id: string
  /** Company identifier */
  company_id: string
  /** Type of the event */
  type: string
  /** Type of the resource that changed */
  resource_type: string
  /** Identifier of the resource that changed */
  resource_id: string
  /** The developer whose key was used. Null for changes made on the command line */
  developer_id: string | null
  /** The user on whose behalf the change was made */
  user_id: string | null
  /** Identifier of the request */
  request_id: string | null
  /** Every field that changed */
  changes: Record<string, Difference>
  /** The reason that the caller gave */
  reason: string | null
  /** Time of the change */
  date_created: string
  /** True if `changes` is shortened: texts are cut after 500 characters, lists of more than 100 elements are left empty, and changes that still exceed 48,000 bytes are left out */
  truncated: boolean
}
/** A page of a list: audit log */
export interface AuditLogPage {
  /** The requested page */
  items: AuditLog[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** A game that the service brings, to be copied into a company */
export interface Pack {
  /** Pack identifier */
  id: string
  /** Name of the game */
  name: string
  /** What the game is */
  description: string | null
  /** License of the game: an SPDX identifier */
  license: string
  /** The sentence that names the authors. Show it to those who play with it */
  attribution: string | null
  /** Where the work can be found */
  url: string | null
  /** How the work was changed */
  changes: string | null
  /** Length of the document in bytes */
  bytes: number
  /** SHA-256 of the document, in hexadecimal digits */
  sha256: string
}
/** A page of a list: pack */
export interface PackPage {
  /** The requested page */
  items: Pack[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
}
/** A pack, with its document */
export interface PackWithDocument {
  /** Pack identifier */
  id: string
  /** Name of the game */
  name: string
  /** What the game is */
  description: string | null
  /** License of the game: an SPDX identifier */
  license: string
  /** The sentence that names the authors. Show it to those who play with it */
  attribution: string | null
  /** Where the work can be found */
  url: string | null
  /** How the work was changed */
  changes: string | null
  /** Length of the document in bytes */
  bytes: number
  /** SHA-256 of the document, in hexadecimal digits */
  sha256: string
  /** The game as data. Its format is that of `/ruleset.schema.json` */
  document: Record<string, unknown>
}
/** A ruleset in a list, with facts of its version */
export interface RulesetListItem {
  /** Ruleset identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Name of the ruleset */
  name: string
  /** What the ruleset is for; its first 1,000 characters in a list */
  description: string | null
  /** The newest version that is published and not retired; null if there is none */
  published_version_id: string | null
  /** The draft of the next version; null if there is none */
  draft_version_id: string | null
  /** Number of versions that were published */
  versions: number
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Number of the published version; null if there is none */
  number: number | null
  /** Name of the game of the published version, or of the draft if none is published; null if the draft does not say */
  game: string | null
  /** License of the published version, or of the draft if none is published; null if the draft does not say */
  license: string | null
  /** True if description was cut after 1,000 characters; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: ruleset */
export interface RulesetPage {
  /** The requested page */
  items: RulesetListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** A game as data. Its format is that of `/ruleset.schema.json` */
export type RulesetDocument = Record<string, unknown>
/** The fields of a new ruleset, with `pack` */
export interface RulesetCreatePack {
  /** Name of the ruleset. Default: the name of the game. 1 to 100 characters */
  name?: string | undefined
  /** What the ruleset is for. At most 2,000 characters */
  description?: string | null | undefined
  /** A game that the service brings. Its copy is published at once. 1 to 64 characters */
  pack: string
  document?: never
  copy_of?: never
}
/** The fields of a new ruleset, with `document` */
export interface RulesetCreateDocument {
  /** Name of the ruleset. Default: the name of the game. 1 to 100 characters */
  name?: string | undefined
  /** What the ruleset is for. At most 2,000 characters */
  description?: string | null | undefined
  /** A game as data. Its format is that of `/ruleset.schema.json` */
  document: RulesetDocument
  pack?: never
  copy_of?: never
}
/** The fields of a new ruleset, with `copy_of` */
export interface RulesetCreateCopy {
  /** Name of the ruleset. Default: the name of the game. 1 to 100 characters */
  name?: string | undefined
  /** What the ruleset is for. At most 2,000 characters */
  description?: string | null | undefined
  /** A version of a ruleset of this company, whose document becomes the draft */
  copy_of: string
  pack?: never
  document?: never
}
/** The fields of a new ruleset */
export type RulesetCreate = RulesetCreatePack | RulesetCreateDocument | RulesetCreateCopy
/** A game as data, in versions that never change once they are published */
export interface Ruleset {
  /** Ruleset identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Name of the ruleset */
  name: string
  /** What the ruleset is for */
  description: string | null
  /** The newest version that is published and not retired; null if there is none */
  published_version_id: string | null
  /** The draft of the next version; null if there is none */
  draft_version_id: string | null
  /** Number of versions that were published */
  versions: number
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** Check a document without storing it */
export interface RulesetValidate {
  /** A game as data. Its format is that of `/ruleset.schema.json` */
  document: RulesetDocument
  /** A version of the company to compare with */
  previous_version_id?: string | undefined
  /** Sheets to compute. At most 20 items */
  samples?: ({
    /** Values of traits */
    traits?: Record<string, number> | undefined
    /** Chosen options */
    choices?: Record<string, string> | undefined
    /** Values of trackers */
    trackers?: Record<string, number> | undefined
    /** Levels of conditions */
    conditions?: Record<string, number> | undefined
    /** Experience */
    xp?: {
      /** Earned */
      earned?: number | undefined
      /** Spent */
      spent?: number | undefined
    } | undefined
    /** Danger, desperation and trackers of the campaign */
    campaign?: Record<string, number> | undefined
  })[] | undefined
}
/** A fault of a ruleset document */
export interface RulesetFault {
  /** The part of the document */
  field: string
  /** Description of the fault, with its position in a formula */
  message: string
}
/** How much there is to compute */
export interface RulesetCost {
  /** The most steps that computing a sheet takes */
  derivation: number
  /** The most that it may take */
  most: number
}
/** Numbers of entries in the document */
export interface RulesetCounts {
  /** Number of traits */
  traits: number
  /** Number of derived values */
  derived: number
  /** Number of rolls */
  rolls: number
  /** Number of formulas */
  formulas: number
}
/** An example of the document, tried */
export interface RulesetExampleResult {
  /** Name of the example */
  name: string
  /** True if everything is as expected */
  holds: boolean
  /** Results that differ from the expected ones */
  faults: RulesetFault[]
}
/** A tracker, with the limits that follow from the sheet */
export interface SheetTracker {
  /** Current value */
  value: number
  /** Lowest value */
  min: number
  /** Highest value */
  max: number
}
/** Values of sheet fault level */
export type SheetFaultLevel = "ERROR" | "WARNING"
/** A part of a sheet that breaks a rule of the ruleset */
export interface SheetFault {
  /** The part of the sheet */
  field: string
  /** Description of the fault */
  message: string
  /** ERROR: the rules forbid it. WARNING: worth a look */
  level: SheetFaultLevel
}
/** A sheet that was computed */
export interface RulesetSample {
  /** All traits of the ruleset: stored values, and the defaults of others */
  traits: Record<string, number>
  /** Derived values */
  derived: Record<string, number>
  /** Trackers with their limits */
  trackers: Record<string, SheetTracker>
  /** Levels of all conditions */
  conditions: Record<string, number>
  /** Choices that were made */
  choices: Record<string, string>
  /** Rules of the ruleset that the sheet breaks, at most 20 */
  faults: SheetFault[]
}
/** Values of ruleset change kind */
export type RulesetChangeKind = "ADDED" | "REMOVED" | "CHANGED" | "NARROWED" | "WIDENED"
/** A difference from the earlier version */
export interface RulesetChange {
  /** The part that differs */
  field: string
  /** How it differs */
  kind: RulesetChangeKind
  /** True if characters, or clients that know the earlier version, may not fit any more */
  breaking: boolean
}
/** The result of validating a ruleset document */
export interface ValidatedRuleset {
  /** True if there is no fault and every example holds: the document can be published */
  valid: boolean
  /** Faults that keep the document from being published, at most 50 */
  faults: RulesetFault[]
  /** Probable mistakes, at most 50 */
  warnings: RulesetFault[]
  cost: RulesetCost
  counts: RulesetCounts
  /** The examples of the document */
  examples: RulesetExampleResult[]
  /** The sheets of the request, computed; none if the document has a fault */
  samples: RulesetSample[]
  /** Differences from the earlier version, at most 500 */
  changes: RulesetChange[]
}
/** The fields of a ruleset that change */
export interface RulesetPatch {
  /** Name of the ruleset. 1 to 100 characters */
  name?: string | undefined
  /** What the ruleset is for. At most 2,000 characters */
  description?: string | null | undefined
}
/** Values of ruleset version status */
export type RulesetVersionStatus = "DRAFT" | "PUBLISHED" | "RETIRED"
/** A state of a ruleset, with the facts about its document */
export interface RulesetVersionListItem {
  /** Version identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The ruleset */
  ruleset_id: string
  /** Number of the version, in the order of publishing; null for a draft */
  number: number | null
  /** DRAFT: it can change, and no campaign can use it. PUBLISHED: it never changes. RETIRED: campaigns that use it keep it, and no other can choose it */
  status: RulesetVersionStatus
  /** Name of the game in the document; null while a draft has none */
  game: string | null
  /** License of the game: an SPDX identifier, or one that begins with LicenseRef- */
  license: string | null
  /** The sentence that names the authors. Show it to those who play; its first 1,000 characters in a list */
  attribution: string | null
  /** Where the work can be found; its first 1,000 characters in a list */
  source_url: string | null
  /** How the work was changed; its first 1,000 characters in a list */
  source_changes: string | null
  /** True if the document has no fault and all its examples hold. Every published version is valid */
  valid: boolean
  /** SHA-256 of the document as it is exported, in hexadecimal digits */
  sha256: string
  /** Length of the document as it is exported */
  bytes: number
  /** Number of traits */
  traits: number
  /** Number of derived values */
  derived: number
  /** Number of rolls */
  rolls: number
  /** The most steps that computing a sheet takes */
  cost: number
  /** True once a campaign was played by it. It is then kept, even if its ruleset is archived */
  used: boolean
  /** When the version was published; null for a draft */
  date_published: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** True if attribution or source_url or source_changes was cut after 1,000 characters; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: ruleset version */
export interface RulesetVersionPage {
  /** The requested page */
  items: RulesetVersionListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Replace the document of a draft */
export interface RulesetDocumentBody {
  /** A game as data. Its format is that of `/ruleset.schema.json` */
  document: RulesetDocument
}
/** A state of a ruleset, with the facts about its document */
export interface RulesetVersion {
  /** Version identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The ruleset */
  ruleset_id: string
  /** Number of the version, in the order of publishing; null for a draft */
  number: number | null
  /** DRAFT: it can change, and no campaign can use it. PUBLISHED: it never changes. RETIRED: campaigns that use it keep it, and no other can choose it */
  status: RulesetVersionStatus
  /** Name of the game in the document; null while a draft has none */
  game: string | null
  /** License of the game: an SPDX identifier, or one that begins with LicenseRef- */
  license: string | null
  /** The sentence that names the authors. Show it to those who play */
  attribution: string | null
  /** Where the work can be found */
  source_url: string | null
  /** How the work was changed */
  source_changes: string | null
  /** True if the document has no fault and all its examples hold. Every published version is valid */
  valid: boolean
  /** SHA-256 of the document as it is exported, in hexadecimal digits */
  sha256: string
  /** Length of the document as it is exported */
  bytes: number
  /** Number of traits */
  traits: number
  /** Number of derived values */
  derived: number
  /** Number of rolls */
  rolls: number
  /** The most steps that computing a sheet takes */
  cost: number
  /** True once a campaign was played by it. It is then kept, even if its ruleset is archived */
  used: boolean
  /** When the version was published; null for a draft */
  date_published: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A JSON Schema (2020-12) of the traits, choices and conditions of a character */
export type CharacterSchema = Record<string, unknown>
/** Values of ruleset term kind */
export type RulesetTermKind = "TERM" | "TRAIT" | "DERIVED" | "TRACKER" | "CONDITION" | "CHOICE" | "OPTION" | "ROLL"
/** An entry of the glossary of a ruleset */
export interface RulesetTermListItem {
  /** The word, or the label of a part of the ruleset */
  term: string
  /** Kind of the entry: a term of the glossary, or a part of the ruleset */
  kind: RulesetTermKind
  /** The name in formulas and requests; null for a term */
  name: string | null
  /** What it means; null if the document does not say; its first 1,000 characters in a list */
  definition: string | null
  /** Other words for it */
  synonyms: string[]
  /** True if definition was cut after 1,000 characters; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: ruleset term */
export interface RulesetTermPage {
  /** The requested page */
  items: RulesetTermListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
}
/** Values of campaign status */
export type CampaignStatus = "PLANNED" | "ACTIVE" | "PAUSED" | "COMPLETED"
/** Values of levels display */
export type LevelsDisplay = "SHOWN" | "HIDDEN"
/** Values of trait changes */
export type TraitChanges = "ANYONE" | "STORYTELLER" | "EXPERIENCE"
/** Values of campaign access */
export type CampaignAccess = "COMPANY" | "MEMBERS"
/** Values of campaign joining */
export type CampaignJoining = "OPEN" | "INVITE"
/** Values of experience per */
export type ExperiencePer = "USER" | "CHARACTER"
/** Values of ruleset mode */
export type RulesetMode = "STRICT" | "ADVISORY"
/** Numbers of resources in the campaign that the acting user may see */
export interface CampaignCounts {
  /** Number of members */
  members: number
  /** Number of player characters */
  player_characters: number
  /** Number of NPCs that the acting user may see */
  npcs: number
  /** Number of books */
  books: number
}
/** A game played over many sessions */
export interface CampaignListItem {
  /** Campaign identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Owner of the campaign */
  user_id: string
  /** Campaign name */
  name: string
  /** What the campaign is about; its first 1,000 characters in a list */
  description: string | null
  /** Status of the campaign */
  status: CampaignStatus
  /** How dangerous the world is to the characters. Set by storytellers */
  danger: number
  /** How desperate the characters are. Set by storytellers */
  desperation: number
  /** Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes */
  levels_display: LevelsDisplay
  /** Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience */
  trait_changes: TraitChanges
  /** The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS) */
  access: CampaignAccess
  /** How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE) */
  joining: CampaignJoining
  /** The current date in the game world, in any calendar */
  in_game_date: string | null
  /** Owner of the experience in the campaign: each user, or each character. It cannot change after the first award */
  experience_per: ExperiencePer
  /** The id of the campaign in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** The version of a ruleset that the campaign is played by; null for none */
  ruleset_version_id: string | null
  /** STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet. Null without a ruleset */
  ruleset_mode: RulesetMode | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  counts: CampaignCounts
  /** True if description was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: campaign */
export interface CampaignPage {
  /** The requested page */
  items: CampaignListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new campaign */
export interface CampaignCreate {
  /** Campaign name. 1 to 100 characters */
  name: string
  /** What the campaign is about. At most 10,000 characters */
  description?: string | null | undefined
  /** Status of the campaign. Default: "ACTIVE" */
  status?: CampaignStatus | undefined
  /** How dangerous the world is to the characters. Set by storytellers. Default: 0. 0 to 5 */
  danger?: number | undefined
  /** How desperate the characters are. Set by storytellers. Default: 0. 0 to 5 */
  desperation?: number | undefined
  /** Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes. Default: "SHOWN" */
  levels_display?: LevelsDisplay | undefined
  /** Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience. Default: "ANYONE" */
  trait_changes?: TraitChanges | undefined
  /** The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS). Default: "COMPANY" */
  access?: CampaignAccess | undefined
  /** How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE). Default: "OPEN" */
  joining?: CampaignJoining | undefined
  /** The current date in the game world, in any calendar. At most 100 characters */
  in_game_date?: string | null | undefined
  /** Owner of the experience in the campaign: each user, or each character. It cannot change after the first award. Default: "USER" */
  experience_per?: ExperiencePer | undefined
  /** The id of the campaign in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A game played over many sessions */
export interface Campaign {
  /** Campaign identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Owner of the campaign */
  user_id: string
  /** Campaign name */
  name: string
  /** What the campaign is about */
  description: string | null
  /** Status of the campaign */
  status: CampaignStatus
  /** How dangerous the world is to the characters. Set by storytellers */
  danger: number
  /** How desperate the characters are. Set by storytellers */
  desperation: number
  /** Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes */
  levels_display: LevelsDisplay
  /** Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience */
  trait_changes: TraitChanges
  /** The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS) */
  access: CampaignAccess
  /** How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE) */
  joining: CampaignJoining
  /** The current date in the game world, in any calendar */
  in_game_date: string | null
  /** Owner of the experience in the campaign: each user, or each character. It cannot change after the first award */
  experience_per: ExperiencePer
  /** The id of the campaign in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** The version of a ruleset that the campaign is played by; null for none */
  ruleset_version_id: string | null
  /** STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet. Null without a ruleset */
  ruleset_mode: RulesetMode | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  counts: CampaignCounts
}
/** Values of member role */
export type MemberRole = "STORYTELLER" | "PLAYER"
/** A user who takes part in a campaign */
export interface Member {
  /** The user's identifier */
  id: string
  /** Company identifier */
  company_id: string
  /** Campaign identifier */
  campaign_id: string
  /** The user's identifier */
  user_id: string
  /** Name of the user */
  name: string
  /** The user's role in the campaign */
  role: MemberRole
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** Values of character type */
export type CharacterType = "PLAYER" | "NPC"
/** Values of character status */
export type CharacterStatus = "ACTIVE" | "RETIRED" | "DEAD"
/** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON */
export type CharacterTraits = Record<string, number>
/** Texts of up to 2,000 characters by snake_case name, at most 100 */
export type CharacterDetails = Record<string, string>
/** What the character chose, such as a class, by the names of the ruleset, at most 20 */
export type CharacterChoices = Record<string, string>
/** Values of sheet visibility */
export type SheetVisibility = "EVERYONE" | "PLAYER" | "STORYTELLER"
/** Values of character visibility */
export type CharacterVisibility = "OPEN" | "STORYTELLER"
/** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
export type ConditionLevels = Record<string, number>
/** A character in a list */
export interface CharacterListItem {
  /** Character identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** Name of the character */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status: CharacterStatus
  /** The character in one sentence */
  concept: string | null
  /** Story of the character so far; its first 1,000 characters in a list */
  biography: string | null
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON. Null if the sheet is hidden from the acting user */
  traits: CharacterTraits | null
  /** Texts of up to 2,000 characters by snake_case name, at most 100. Null if the sheet is hidden from the acting user. A list has the first 200 characters of each, and none if they still exceed 4,000 bytes */
  details: CharacterDetails | null
  /** What the character chose, such as a class, by the names of the ruleset, at most 20. Null if the sheet is hidden from the acting user */
  choices: CharacterChoices | null
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility: SheetVisibility
  /** The player of the character; null for an NPC */
  user_id: string | null
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility: CharacterVisibility
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
  conditions: ConditionLevels | null
  /** When the character died; null while its status is not DEAD */
  date_died: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if biography was cut after 1,000 characters, details were cut or left out, or large metadata was left out; the character itself has all of them */
  truncated: boolean
}
/** Values of tracker style */
export type TrackerStyle = "NUMBER" | "CLOCK" | "BOXES"
/** Values of tracker visibility */
export type TrackerVisibility = "OPEN" | "NAME_ONLY" | "STORYTELLER"
/** Values of tracker mover */
export type TrackerMover = "STORYTELLER" | "MEMBERS" | "PLAYER"
/** A number that moves during play, such as hit points, hunger or a clock */
export interface Tracker {
  /** Tracker identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the tracker */
  campaign_id: string
  /** Character that has the tracker; null if the campaign has it */
  character_id: string | null
  /** The name in paths and bodies, in snake_case */
  key: string
  /** The name that people read */
  label: string
  /** The current value, from `minimum` to `maximum`. Null for players if `visibility` is NAME_ONLY */
  value: number | null
  /** The lowest value */
  minimum: number
  /** The highest value, above `minimum`. Null: 1,000,000, which does not count as filled */
  maximum: number | null
  /** The value that a reset sets. Null where `value` is hidden */
  start: number | null
  /** A hint for clients that draw the tracker */
  style: TrackerStyle
  /** OPEN for all users; NAME_ONLY hides `value` and `start` from players; STORYTELLER hides the tracker from players, on campaigns and NPCs only */
  visibility: TrackerVisibility
  /** Users who may move the tracker besides the storytellers of the campaign: no one else, the MEMBERS of the campaign, or the PLAYER of the character. Always STORYTELLER if `visibility` is not OPEN */
  movable_by: TrackerMover
  /** True if the ruleset of the campaign defines the tracker: its limits follow from the sheet */
  by_ruleset: boolean
  /** When the resource was created */
  date_created: string
  /** When the resource last changed. Changes of what NAME_ONLY hides do not count, so that players cannot watch them */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag. Players see a number that does not count changes of what is hidden from them */
  version: number
}
/** The sum of the entries of a user or a character in a campaign */
export interface ExperienceBalance {
  /** User of the balance; if it belongs to a character, its present player */
  user_id: string
  /** Campaign of the balance */
  campaign_id: string
  /** Character that the balance belongs to; null where experience belongs to users */
  character_id: string | null
  /** Experience awarded or gained, minus what was reversed */
  earned: number
  /** Experience spent, minus reversed spends */
  spent: number
  /** Experience available to spend */
  available: number
}
/** A part of a book */
export interface ChapterListItem {
  /** Chapter identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book of the chapter */
  book_id: string
  /** Chapter name */
  name: string
  /** Summary of the events; its first 1,000 characters in a list */
  description: string | null
  /** The id of the chapter in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
  /** True if description was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** Values of value source */
export type ValueSource = "TRAIT" | "TRACKER" | "INPUT" | "MISSING"
/** A value that a roll used by its name */
export interface UsedValue {
  /** a name of a trait, a tracker or an input in snake_case, such as strength, or hp.max for the maximum of a tracker */
  name: string
  /** Value when the dice were rolled */
  value: number
  /** Where the value came from; MISSING counted as 0 */
  source: ValueSource
}
/** A trait, tracker or input of a pool with its value when the dice were rolled */
export interface TraitValue {
  /** a name of a trait, a tracker or an input in snake_case, such as strength, or hp.max for the maximum of a tracker */
  name: string
  /** Value when the dice were rolled; 0 if it was missing */
  value: number
}
/** Values of pool ones */
export type PoolOnes = "SUBTRACT" | "IGNORE"
/** The special dice. Absent unless it was requested */
export interface RolledSpecialDice {
  /** Number of special dice */
  count: number
  /** What they stand for */
  label: string | null
}
/** The pool with all values resolved; null for a roll with notation */
export interface RolledPool {
  /** Sides of each die */
  sides: number
  /** Number of dice before the modifier: as requested, or the sum of the traits, which may be negative */
  dice: number
  /** Traits of the pool. Empty if the sheet of the character is hidden from the acting user */
  traits: TraitValue[]
  /** Number of dice to add; negative to take away */
  modifier: number
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up */
  difficulty: number | null
  /** Number of additional desperation dice, at most the desperation of the campaign */
  desperation_dice: number
  /** Faces that count as two successes. Absent unless it was requested */
  double?: number[] | undefined
  /** What a 1 does. Absent unless it was requested */
  ones?: PoolOnes | undefined
  /** Faces that are rolled again. Absent unless it was requested */
  again?: number[] | undefined
  /** Number of successes that the roll needs, otherwise 1. Absent unless it was requested */
  needed?: number | null | undefined
  /** The special dice. Absent unless it was requested */
  special?: RolledSpecialDice | null | undefined
  /** True if the pool had no dice and a chance die was rolled; otherwise absent */
  chance?: boolean | undefined
}
/** Values of roll compare */
export type RollCompare = "AT_LEAST" | "AT_MOST"
/** The roll by the ruleset of the campaign, if it was made by its name; null for every other roll */
export interface RollOfRuleset {
  /** The version of the ruleset */
  version_id: string
  /** Name of the roll in the ruleset */
  roll: string
  /** Answers to the inputs of the roll, with defaults. Empty if the sheet of the character is hidden from the acting user */
  inputs: Record<string, string | number>
  /** Every value that the formulas of the roll read, and how often each of its spends was paid. Empty if the sheet of the character is hidden from the acting user */
  values: Record<string, number>
  /** Choices of the character that the formulas of the roll ask about. Empty if the sheet of the character is hidden from the acting user */
  choices: Record<string, string>
  /** Result of the roll by the ruleset. Null in a BLIND roll, for users who do not see its result */
  score: number | null
  /** How far the score is from what was needed; null if the ruleset does not say. Null in a BLIND roll, for users who do not see its result */
  margin: number | null
  /** Name of the outcome in the ruleset. Null in a BLIND roll, for users who do not see its result */
  code: string | null
  /** Label of the outcome; null without one. Null in a BLIND roll, for users who do not see its result */
  label: string | null
}
/** Values of roll visibility */
export type RollVisibility = "PUBLIC" | "STORYTELLER" | "BLIND"
/** Values of die kind */
export type DieKind = "NORMAL" | "DESPERATION" | "SPECIAL"
/** A rolled die */
export interface Die {
  /** Kind of the die */
  kind: DieKind
  /** Number of sides; a Fudge die has 3 */
  sides: number
  /** Value that the die shows; a Fudge die shows -1, 0 or 1 */
  value: number
  /** How the die counts */
  flags: ("kept" | "dropped" | "exploded" | "rerolled" | "adjusted" | "success" | "critical" | "botch" | "natural_max" | "natural_min")[]
  /** Value that the die counts as, if it differs from the one it shows */
  counts_as?: number | undefined
  /** Index of the term that the die belongs to. Absent in pools, and in rolls made before terms existed */
  term?: number | undefined
}
/** Values of roll outcome */
export type RollOutcome = "BOTCH" | "FAILURE" | "SUCCESS" | "CRITICAL"
/** A part of the sum that a notation is */
export interface RolledTerm {
  /** The term, without its sign and label */
  notation: string
  /** Label of the term, as in `2d6[fire]` */
  label: string | null
  /** Sign with which the term counts */
  sign: "+" | "-"
  /** Result of the term, without its sign */
  subtotal: number
}
/** Values of settlement */
export type Settlement = "OVERREACH" | "DESPAIR"
/** Values of roll source */
export type RollSource = "SERVER" | "MANUAL"
/** A roll of dice and its result */
export interface DiceRollListItem {
  /** Roll identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who rolled */
  user_id: string
  /** Campaign of the roll */
  campaign_id: string | null
  /** Character that the roll was made for */
  character_id: string | null
  /** Notation that was rolled, with values in place of names; null for a pool, and if it has values of a sheet that is hidden from the acting user; its first 1,000 characters in a list */
  notation: string | null
  /** Notation with names as requested; null without names */
  formula: string | null
  /** Values that the notation names */
  values: UsedValue[]
  /** The pool with all values resolved; null for a roll with notation */
  pool: RolledPool | null
  /** Result to reach. It gives the roll an outcome and a margin */
  target: number | null
  /** How the result is compared with the target */
  compare: RollCompare | null
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals: boolean
  /** The roll by the ruleset of the campaign, if it was made by its name; null for every other roll */
  ruleset: RollOfRuleset | null
  /** What the roll stands for among several */
  label: string | null
  /** Group of the roll: one for all rolls of a request with `rolls` or `repeat` */
  group_id: string | null
  /** Comment on the roll */
  comment: string | null
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only */
  visibility: RollVisibility
  /** All dice in the order they were rolled; empty if there are more than 100 */
  dice: Die[]
  /** Successes minus failures, if successes are counted */
  net: number | null
  /** Sum of the dice, if they are added up */
  total: number | null
  /** By how much the target was reached, or the successes that the pool needed; negative if it failed */
  margin: number | null
  /** Outcome against the difficulty or the target; null without one */
  outcome: RollOutcome | null
  /** The parts of the sum that the notation is; empty for a pool */
  terms: RolledTerm[]
  /** True if a desperation die shows 1, so that the roll has to be settled */
  strained: boolean
  /** Settlement of a strained roll */
  settlement: Settlement | null
  /** SERVER if the service rolled the dice; MANUAL if they were rolled at the table */
  source: RollSource
  /** When a storyteller voided the roll; null if it counts */
  date_voided: string | null
  /** User who voided the roll */
  voided_by: string | null
  /** Why the roll was voided */
  void_reason: string | null
  /** The roll on one line, as plain text. Names and comments are as people wrote them, except for control characters, which are replaced by spaces; its first 1,000 characters in a list */
  text: string
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The text in Markdown, to post in a chat. Struck dice are struck through, and the result is strong. What people wrote is escaped: it is no emphasis, link or mention. An invisible character (U+200B) follows each @ */
  text_markdown: string
  /** True if more than 100 dice were left out or the text was cut after 1,000 characters, or large metadata was left out. Get the roll to read all of it */
  truncated: boolean
}
/** Data of the client application that only storytellers see: up to 50 texts of up to 10,000 characters, by keys of 1 to 40 characters, at most 200,000 bytes as JSON */
export type SecretTexts = Record<string, string>
/** A campaign, with the parts named by `include` */
export interface CampaignOverview {
  /** Campaign identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Owner of the campaign */
  user_id: string
  /** Campaign name */
  name: string
  /** What the campaign is about */
  description: string | null
  /** Status of the campaign */
  status: CampaignStatus
  /** How dangerous the world is to the characters. Set by storytellers */
  danger: number
  /** How desperate the characters are. Set by storytellers */
  desperation: number
  /** Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes */
  levels_display: LevelsDisplay
  /** Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience */
  trait_changes: TraitChanges
  /** The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS) */
  access: CampaignAccess
  /** How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE) */
  joining: CampaignJoining
  /** The current date in the game world, in any calendar */
  in_game_date: string | null
  /** Owner of the experience in the campaign: each user, or each character. It cannot change after the first award */
  experience_per: ExperiencePer
  /** The id of the campaign in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** The version of a ruleset that the campaign is played by; null for none */
  ruleset_version_id: string | null
  /** STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet. Null without a ruleset */
  ruleset_mode: RulesetMode | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  counts: CampaignCounts
  /** The first 100 members, with `include=members` */
  members?: Member[] | undefined
  /** Total number of members, with `include=members` */
  members_total?: number | undefined
  /** The first 100 characters, with `include=characters` */
  characters?: CharacterListItem[] | undefined
  /** Total number of characters, with `include=characters` */
  characters_total?: number | undefined
  /** The trackers of the campaign, with `include=trackers` */
  trackers?: Tracker[] | undefined
  /** The first 1,000 trackers of the characters whose sheets the acting user sees, in order of creation, with `include=character_trackers` */
  character_trackers?: Tracker[] | undefined
  /** Total number of trackers of these characters, with `include=character_trackers` */
  character_trackers_total?: number | undefined
  /** The first 100 balances of experience, with `include=experience` */
  experience?: ExperienceBalance[] | undefined
  /** Total number of balances, with `include=experience` */
  experience_total?: number | undefined
  /** The last chapter of the last book, with `include=latest_chapter` */
  latest_chapter?: ChapterListItem | null | undefined
  /** The last 10 rolls in the campaign, newest first, with `include=rolls` */
  rolls?: DiceRollListItem[] | undefined
  /** The secret metadata of the campaign. Null for users who are no storytellers of it, with `include=secret_metadata` */
  secret_metadata?: SecretTexts | null | undefined
}
/** The fields of a campaign that change */
export interface CampaignPatch {
  /** Campaign name. 1 to 100 characters */
  name?: string | undefined
  /** What the campaign is about. At most 10,000 characters */
  description?: string | null | undefined
  /** Status of the campaign */
  status?: CampaignStatus | undefined
  /** How dangerous the world is to the characters. Set by storytellers. 0 to 5 */
  danger?: number | undefined
  /** How desperate the characters are. Set by storytellers. 0 to 5 */
  desperation?: number | undefined
  /** Whether applications show `danger` and `desperation`. HIDDEN is for games that do not use them: both stay as they are, and nothing else changes */
  levels_display?: LevelsDisplay | undefined
  /** Users who change the traits of a player character, besides storytellers: ANYONE for its player; STORYTELLER for nobody else; EXPERIENCE for its player when creating it, and then only by spending experience */
  trait_changes?: TraitChanges | undefined
  /** The users for whom the campaign exists: all users of the company (COMPANY), or only its members and ADMINs (MEMBERS) */
  access?: CampaignAccess | undefined
  /** How users become members: by their first write in the campaign or by joining it (OPEN), or only by an invite or a storyteller (INVITE) */
  joining?: CampaignJoining | undefined
  /** The current date in the game world, in any calendar. At most 100 characters */
  in_game_date?: string | null | undefined
  /** Owner of the experience in the campaign: each user, or each character. It cannot change after the first award */
  experience_per?: ExperiencePer | undefined
  /** The id of the campaign in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** Raise or lower danger and desperation */
export interface CampaignAdjust {
  /** Amount to add to danger. A negative amount lowers it. -5 to 5 */
  danger?: number | undefined
  /** Amount to add to desperation. A negative amount lowers it. -5 to 5 */
  desperation?: number | undefined
}
/** Transfer a campaign to another user */
export interface CampaignOwner {
  /** The new owner of the campaign */
  user_id: string
}
/** A page of a list: member */
export interface MemberPage {
  /** The requested page */
  items: Member[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Add a user to a campaign, or change their role in it */
export interface MemberSet {
  /** The user's role in the campaign */
  role: MemberRole
}
/** An invitation to a campaign, without its code */
export interface Invite {
  /** Invite identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The campaign to which the invite leads */
  campaign_id: string
  /** The user who made the invite */
  user_id: string
  /** The role in the campaign that the invite gives */
  role: MemberRole
  /** Number of users who may accept the invite; null for any number */
  max_uses: number | null
  /** Number of users who became members by the invite */
  uses: number
  /** When the invite stops working; null if it never does */
  date_expires: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: invite */
export interface InvitePage {
  /** The requested page */
  items: Invite[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new invite */
export interface InviteCreate {
  /** The role in the campaign that the invite gives. Default: "PLAYER" */
  role?: MemberRole | undefined
  /** Number of seconds for which the invite works, up to a year; null for no end. Default: 604800. 1 to 31,536,000 */
  expires_in?: number | null | undefined
  /** Number of users who may accept the invite; null for any number. 1 to 10,000 */
  max_uses?: number | null | undefined
}
/** A new invite, including its code */
export interface IssuedInvite {
  /** Invite identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The campaign to which the invite leads */
  campaign_id: string
  /** The user who made the invite */
  user_id: string
  /** The role in the campaign that the invite gives */
  role: MemberRole
  /** Number of users who may accept the invite; null for any number */
  max_uses: number | null
  /** Number of users who became members by the invite */
  uses: number
  /** When the invite stops working; null if it never does */
  date_expires: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The code that users accept. It is shown only in this response: pass it on now */
  code: string
}
/** Accept an invite */
export interface InviteAccept {
  /** The code of an invite. 1 to 100 characters */
  code: string
}
/** Values of item kind */
export type ItemKind = "WEAPON" | "EQUIPMENT" | "CONSUMABLE" | "BOOK" | "OTHER"
/** An item in the inventory of a character */
export interface ItemPreview {
  /** Item identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Character that has the item */
  character_id: string
  /** Name of the item */
  name: string
  /** Description of the item; its first 200 characters in a list */
  description: string | null
  /** Kind of the item */
  kind: ItemKind
  /** Number of pieces */
  quantity: number
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if description was cut after 200 characters; the resource itself has all of it */
  truncated: boolean
}
/** Values of note visibility */
export type NoteVisibility = "EVERYONE" | "STORYTELLER" | "AUTHOR"
/** A note on a resource of a campaign, or in a notebook */
export interface NotePreview {
  /** Note identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who wrote the note */
  author_id: string
  /** Campaign of the note; null in a notebook */
  campaign_id: string | null
  /** Book that the note, or its chapter, belongs to */
  book_id: string | null
  /** Chapter that the note belongs to */
  chapter_id: string | null
  /** Character that the note belongs to */
  character_id: string | null
  /** Title of the note */
  title: string
  /** Text of the note, in Markdown; its first 200 characters in a list */
  body: string | null
  /** Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else */
  visibility: NoteVisibility
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if body was cut after 200 characters; the resource itself has all of it */
  truncated: boolean
}
/** A sheet with everything that follows from it by the ruleset of the campaign */
export interface RuledSheet {
  /** The version of the ruleset */
  version_id: string
  /** All traits of the ruleset: stored values, and the defaults of others */
  traits: Record<string, number>
  /** Derived values */
  derived: Record<string, number>
  /** Trackers with their limits */
  trackers: Record<string, SheetTracker>
  /** Levels of all conditions */
  conditions: Record<string, number>
  /** Choices that were made */
  choices: Record<string, string>
  /** Rules of the ruleset that the sheet breaks, at most 50 */
  faults: SheetFault[]
}
/** A character, with the parts named by `include` */
export interface SheetListItem {
  /** Character identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** Name of the character */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status: CharacterStatus
  /** The character in one sentence */
  concept: string | null
  /** Story of the character so far; its first 1,000 characters in a list */
  biography: string | null
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON. Null if the sheet is hidden from the acting user */
  traits: CharacterTraits | null
  /** Texts of up to 2,000 characters by snake_case name, at most 100. Null if the sheet is hidden from the acting user. A list has the first 200 characters of each, and none if they still exceed 4,000 bytes */
  details: CharacterDetails | null
  /** What the character chose, such as a class, by the names of the ruleset, at most 20. Null if the sheet is hidden from the acting user */
  choices: CharacterChoices | null
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility: SheetVisibility
  /** The player of the character; null for an NPC */
  user_id: string | null
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility: CharacterVisibility
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
  conditions: ConditionLevels | null
  /** When the character died; null while its status is not DEAD */
  date_died: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Items of the character, with `include=inventory`: the first 10, with texts cut to 200 characters. Null if the sheet is hidden from the acting user */
  inventory?: ItemPreview[] | null | undefined
  /** Total number of items, with `include=inventory`. Null if the sheet is hidden from the acting user */
  inventory_total?: number | null | undefined
  /** Notes of the character, with `include=notes`: the first 10, with texts cut to 200 characters */
  notes?: NotePreview[] | undefined
  /** Total number of notes, with `include=notes` */
  notes_total?: number | undefined
  /** The sheet by the ruleset of the campaign, with `include=sheet`: effective traits, derived values, limits of trackers, and what does not follow the rules. Null without a ruleset, or if the sheet is hidden from the acting user */
  sheet?: RuledSheet | null | undefined
  /** The trackers of the character, with `include=trackers`. Null if the sheet is hidden from the acting user */
  trackers?: Tracker[] | null | undefined
  /** The experience of the character or, where it belongs to users, of its player, with `include=experience`. Null if there is none, or if it is hidden */
  experience?: ExperienceBalance | null | undefined
  /** True if biography was cut after 1,000 characters, details were cut or left out, or large metadata was left out; the character itself has all of them */
  truncated: boolean
}
/** A page of a list: sheet */
export interface SheetPage {
  /** The requested page */
  items: SheetListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Create or replace a tracker of a character */
export interface TrackerSet {
  /** The name that people read. Default: the key. 1 to 100 characters */
  label?: string | undefined
  /** The current value, from `minimum` to `maximum`. -1,000,000 to 1,000,000 */
  value: number
  /** The lowest value. Default: 0. -1,000,000 to 1,000,000 */
  minimum?: number | undefined
  /** The highest value, above `minimum`. Null: 1,000,000, which does not count as filled. -1,000,000 to 1,000,000 */
  maximum?: number | null | undefined
  /** The value that a reset sets. Default: `maximum`, or `value` if that is null. -1,000,000 to 1,000,000 */
  start?: number | undefined
  /** A hint for clients that draw the tracker. Default: "NUMBER" */
  style?: TrackerStyle | undefined
  /** OPEN for all users; NAME_ONLY hides `value` and `start` from players; STORYTELLER hides the tracker from players, on campaigns and NPCs only. Default: "OPEN" */
  visibility?: TrackerVisibility | undefined
  /** Users who may move the tracker besides the storytellers of the campaign: no one else, the MEMBERS of the campaign, or the PLAYER of the character. Always STORYTELLER if `visibility` is not OPEN. Default: PLAYER on a character, STORYTELLER on a campaign */
  movable_by?: TrackerMover | undefined
}
/** Trackers by key. New ones are created in this order */
export type TrackersByKey = Record<string, TrackerSet>
/** The fields of a new character */
export interface CharacterCreate {
  /** Name of the character. 1 to 100 characters */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it. Default: "ACTIVE" */
  status?: CharacterStatus | undefined
  /** The character in one sentence. At most 500 characters */
  concept?: string | null | undefined
  /** Story of the character so far. At most 10,000 characters */
  biography?: string | null | undefined
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON */
  traits?: CharacterTraits | undefined
  /** Texts of up to 2,000 characters by snake_case name, at most 100 */
  details?: CharacterDetails | undefined
  /** What the character chose, such as a class, by the names of the ruleset, at most 20 */
  choices?: CharacterChoices | undefined
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only. Default: "EVERYONE" */
  sheet_visibility?: SheetVisibility | undefined
  /** The player of the character. Default: the acting user, or null for an NPC */
  user_id?: string | null | undefined
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see. Default: "OPEN" */
  visibility?: CharacterVisibility | undefined
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** PLAYER for the character of a player, NPC for a character of the storytellers. Default: "PLAYER" */
  type?: CharacterType | undefined
  /** The trackers of the character by key, in the order in which it lists them */
  trackers?: TrackersByKey | undefined
}
/** A character in a campaign */
export interface Character {
  /** Character identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** Name of the character */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status: CharacterStatus
  /** The character in one sentence */
  concept: string | null
  /** Story of the character so far */
  biography: string | null
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON. Null if the sheet is hidden from the acting user */
  traits: CharacterTraits | null
  /** Texts of up to 2,000 characters by snake_case name, at most 100. Null if the sheet is hidden from the acting user */
  details: CharacterDetails | null
  /** What the character chose, such as a class, by the names of the ruleset, at most 20. Null if the sheet is hidden from the acting user */
  choices: CharacterChoices | null
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility: SheetVisibility
  /** The player of the character; null for an NPC */
  user_id: string | null
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility: CharacterVisibility
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
  conditions: ConditionLevels | null
  /** When the character died; null while its status is not DEAD */
  date_died: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** A page of a list: character */
export interface CharacterPage {
  /** The requested page */
  items: CharacterListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** An item in the inventory of a character */
export interface ItemListItem {
  /** Item identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Character that has the item */
  character_id: string
  /** Name of the item */
  name: string
  /** Description of the item; its first 1,000 characters in a list */
  description: string | null
  /** Kind of the item */
  kind: ItemKind
  /** Number of pieces */
  quantity: number
  /** The id of the item in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if description was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** A note on a resource of a campaign, or in a notebook */
export interface NoteListItem {
  /** Note identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who wrote the note */
  author_id: string
  /** Campaign of the note; null in a notebook */
  campaign_id: string | null
  /** Book that the note, or its chapter, belongs to */
  book_id: string | null
  /** Chapter that the note belongs to */
  chapter_id: string | null
  /** Character that the note belongs to */
  character_id: string | null
  /** Title of the note */
  title: string
  /** Text of the note, in Markdown; its first 1,000 characters in a list */
  body: string | null
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else */
  visibility: NoteVisibility
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if body was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** The user who plays the character. Null for an NPC, with `include=player` */
export interface Player {
  /** User identifier */
  id: string
  /** User name */
  name: string
  /** The user's role in the company */
  role: Role
}
/** A character, with the parts named by `include` */
export interface CharacterOverview {
  /** Character identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** Name of the character */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status: CharacterStatus
  /** The character in one sentence */
  concept: string | null
  /** Story of the character so far */
  biography: string | null
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON. Null if the sheet is hidden from the acting user */
  traits: CharacterTraits | null
  /** Texts of up to 2,000 characters by snake_case name, at most 100. Null if the sheet is hidden from the acting user */
  details: CharacterDetails | null
  /** What the character chose, such as a class, by the names of the ruleset, at most 20. Null if the sheet is hidden from the acting user */
  choices: CharacterChoices | null
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility: SheetVisibility
  /** The player of the character; null for an NPC */
  user_id: string | null
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility: CharacterVisibility
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
  conditions: ConditionLevels | null
  /** When the character died; null while its status is not DEAD */
  date_died: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Items of the character, with `include=inventory`: the first 100, with texts cut to 1,000 characters. Null if the sheet is hidden from the acting user */
  inventory?: ItemListItem[] | null | undefined
  /** Total number of items, with `include=inventory`. Null if the sheet is hidden from the acting user */
  inventory_total?: number | null | undefined
  /** Notes of the character, with `include=notes`: the first 100, with texts cut to 1,000 characters */
  notes?: NoteListItem[] | undefined
  /** Total number of notes, with `include=notes` */
  notes_total?: number | undefined
  /** The sheet by the ruleset of the campaign, with `include=sheet`: effective traits, derived values, limits of trackers, and what does not follow the rules. Null without a ruleset, or if the sheet is hidden from the acting user */
  sheet?: RuledSheet | null | undefined
  /** The trackers of the character, with `include=trackers`. Null if the sheet is hidden from the acting user */
  trackers?: Tracker[] | null | undefined
  /** The experience of the character or, where it belongs to users, of its player, with `include=experience`. Null if there is none, or if it is hidden */
  experience?: ExperienceBalance | null | undefined
  /** The last 10 rolls for the character, newest first, with `include=rolls` */
  rolls?: DiceRollListItem[] | undefined
  /** The user who plays the character. Null for an NPC, with `include=player` */
  player?: Player | null | undefined
  /** The secret metadata of the character. Null for users who are no storytellers of the campaign, with `include=secret_metadata` */
  secret_metadata?: SecretTexts | null | undefined
}
/** Trait values to set by name. null removes a trait; traits that are not named stay */
export type CharacterTraitsPatch = Record<string, number | null>
/** Texts to set by name. null removes a text; texts that are not named stay */
export type CharacterDetailsPatch = Record<string, string | null>
/** Choices to set by name. null removes a choice; choices that are not named stay */
export type CharacterChoicesPatch = Record<string, string | null>
/** The fields of a character that change */
export interface CharacterPatch {
  /** Name of the character. 1 to 100 characters */
  name?: string | undefined
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status?: CharacterStatus | undefined
  /** The character in one sentence. At most 500 characters */
  concept?: string | null | undefined
  /** Story of the character so far. At most 10,000 characters */
  biography?: string | null | undefined
  /** Trait values to set by name. null removes a trait; traits that are not named stay */
  traits?: CharacterTraitsPatch | undefined
  /** Texts to set by name. null removes a text; texts that are not named stay */
  details?: CharacterDetailsPatch | undefined
  /** Choices to set by name. null removes a choice; choices that are not named stay */
  choices?: CharacterChoicesPatch | undefined
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility?: SheetVisibility | undefined
  /** The player of the character; null for an NPC */
  user_id?: string | null | undefined
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility?: CharacterVisibility | undefined
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** A page of a list: item */
export interface ItemPage {
  /** The requested page */
  items: ItemListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new item */
export interface ItemCreate {
  /** Name of the item. 1 to 100 characters */
  name: string
  /** Description of the item. At most 10,000 characters */
  description?: string | null | undefined
  /** Kind of the item. Default: "OTHER" */
  kind?: ItemKind | undefined
  /** Number of pieces. Default: 1. 0 to 1,000,000 */
  quantity?: number | undefined
  /** The id of the item in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** An item in the inventory of a character */
export interface Item {
  /** Item identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Character that has the item */
  character_id: string
  /** Name of the item */
  name: string
  /** Description of the item */
  description: string | null
  /** Kind of the item */
  kind: ItemKind
  /** Number of pieces */
  quantity: number
  /** The id of the item in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** The fields of a item that change */
export interface ItemPatch {
  /** Name of the item. 1 to 100 characters */
  name?: string | undefined
  /** Description of the item. At most 10,000 characters */
  description?: string | null | undefined
  /** Kind of the item */
  kind?: ItemKind | undefined
  /** Number of pieces. 0 to 1,000,000 */
  quantity?: number | undefined
  /** The id of the item in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** Increase or decrease the quantity of an item */
export interface ItemAdjust {
  /** Number of pieces to add; negative to take away. -1,000,000 to 1,000,000 */
  quantity: number
}
/** A page of a list: tracker */
export interface TrackerPage {
  /** The requested page */
  items: Tracker[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Create or replace several trackers of a character */
export interface TrackersSet {
  /** Trackers by key. New ones are created in this order */
  trackers: TrackersByKey
}
/** The trackers that were set */
export interface SetTrackers {
  /** The trackers that the request names, in its order */
  items: Tracker[]
}
/** Reset trackers of a character to their start */
export interface TrackerReset {
  /** The trackers to reset. Default: every tracker that the acting user may move. 1 to 100 items */
  keys?: string[] | undefined
  /** The reason, for the audit log. At most 500 characters */
  reason?: string | undefined
}
/** The trackers that were reset */
export interface ResetTrackers {
  /** The trackers that were reset, in order of creation */
  items: Tracker[]
}
/** The fields of a tracker that change */
export interface TrackerPatch {
  /** The name that people read. 1 to 100 characters */
  label?: string | undefined
  /** The current value, from `minimum` to `maximum`. -1,000,000 to 1,000,000 */
  value?: number | undefined
  /** The lowest value. -1,000,000 to 1,000,000 */
  minimum?: number | undefined
  /** The highest value, above `minimum`. Null: 1,000,000, which does not count as filled. -1,000,000 to 1,000,000 */
  maximum?: number | null | undefined
  /** The value that a reset sets. -1,000,000 to 1,000,000 */
  start?: number | undefined
  /** A hint for clients that draw the tracker */
  style?: TrackerStyle | undefined
  /** OPEN for all users; NAME_ONLY hides `value` and `start` from players; STORYTELLER hides the tracker from players, on campaigns and NPCs only */
  visibility?: TrackerVisibility | undefined
  /** Users who may move the tracker besides the storytellers of the campaign: no one else, the MEMBERS of the campaign, or the PLAYER of the character. Always STORYTELLER if `visibility` is not OPEN */
  movable_by?: TrackerMover | undefined
}
/** Move a tracker of a character, with `by` */
export interface TrackerAdjustBy {
  /** Amount to add; negative to subtract. -1,000,000 to 1,000,000 */
  by: number
  /** `true` stops at the limit instead of rejecting the request. Default: false */
  clamp?: boolean | undefined
  /** The reason, for the audit log. At most 500 characters */
  reason?: string | undefined
  to?: never
}
/** Move a tracker of a character, with `to` */
export interface TrackerAdjustTo {
  /** The new value. -1,000,000 to 1,000,000 */
  to: number
  /** `true` stops at the limit instead of rejecting the request. Default: false */
  clamp?: boolean | undefined
  /** The reason, for the audit log. At most 500 characters */
  reason?: string | undefined
  by?: never
}
/** Move a tracker of a character */
export type TrackerAdjust = TrackerAdjustBy | TrackerAdjustTo
/** Raise or lower several traits and trackers of a character, with `traits` */
export interface CharacterAdjustTraits {
  /** Amounts to add to traits, by name. The character must have these traits */
  traits: Record<string, number>
  /** Amounts to add to trackers of the character, by key */
  trackers?: Record<string, number> | undefined
  /** `true` stops at the limit instead of rejecting the request. Default: false */
  clamp?: boolean | undefined
  /** The reason, for the audit log. At most 500 characters */
  reason?: string | undefined
}
/** Raise or lower several traits and trackers of a character, with `trackers` */
export interface CharacterAdjustTrackers {
  /** Amounts to add to trackers of the character, by key */
  trackers: Record<string, number>
  /** `true` stops at the limit instead of rejecting the request. Default: false */
  clamp?: boolean | undefined
  /** The reason, for the audit log. At most 500 characters */
  reason?: string | undefined
  traits?: never
}
/** Raise or lower several traits and trackers of a character */
export type CharacterAdjust = CharacterAdjustTraits | CharacterAdjustTrackers
/** A character, with the trackers that the request names */
export interface AdjustedCharacter {
  /** Character identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** Name of the character */
  name: string
  /** Status of the character. DEAD sets `date_died`, any other status clears it */
  status: CharacterStatus
  /** The character in one sentence */
  concept: string | null
  /** Story of the character so far */
  biography: string | null
  /** Trait values from -1,000,000 to 1,000,000 by snake_case name, at most 500, and at most 15202 characters as JSON. Null if the sheet is hidden from the acting user */
  traits: CharacterTraits | null
  /** Texts of up to 2,000 characters by snake_case name, at most 100. Null if the sheet is hidden from the acting user */
  details: CharacterDetails | null
  /** What the character chose, such as a class, by the names of the ruleset, at most 20. Null if the sheet is hidden from the acting user */
  choices: CharacterChoices | null
  /** Users who see the traits, details, trackers, inventory, experience and statistics: EVERYONE; PLAYER for the player of the character and the storytellers; STORYTELLER for the storytellers only */
  sheet_visibility: SheetVisibility
  /** The player of the character; null for an NPC */
  user_id: string | null
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see */
  visibility: CharacterVisibility
  /** The id of the character in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** Levels of conditions of the ruleset by name. A condition that is not named has level 0. Null if the sheet is hidden from the acting user */
  conditions: ConditionLevels | null
  /** When the character died; null while its status is not DEAD */
  date_died: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** The trackers that the request names, in order of creation */
  trackers: Tracker[]
}
/** Data of the client application on a campaign or character, for its storytellers only */
export interface SecretMetadata {
  /** Campaign of the secret metadata */
  campaign_id: string
  /** Character that has it; null if the campaign has it */
  character_id: string | null
  /** Data of the client application that only storytellers see: up to 50 texts of up to 10,000 characters, by keys of 1 to 40 characters, at most 200,000 bytes as JSON */
  metadata: SecretTexts
  /** When it last changed; null if nothing was ever written */
  date_modified: string | null
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** Texts to set by key. null removes a key; keys that are not named stay */
export type SecretTextsPatch = Record<string, string | null>
/** The fields of a secret metadata that change */
export interface SecretMetadataPatch {
  /** Texts to set by key. null removes a key; keys that are not named stay */
  metadata: SecretTextsPatch
}
/** Set the level of a condition of a character */
export interface ConditionLevel {
  /** The level of the condition, up to the highest one of the ruleset. 0 ends it. 0 to 100 */
  level: number
}
/** The ruleset of a campaign: everything that a client needs to draw a sheet and to roll */
export interface CampaignRuleset {
  version: RulesetVersion
  /** A game as data. Its format is that of `/ruleset.schema.json` */
  document: RulesetDocument
}
/** Choose the ruleset of a campaign */
export interface CampaignRulesetSet {
  /** A published version of a ruleset of the company */
  version_id: string
  /** STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet. Default: "STRICT" */
  mode?: RulesetMode | undefined
  /** True to get the report, and change nothing. Default: false */
  dry_run?: boolean | undefined
  /** True to choose the version even if characters do not fit it. They stay as they are. Default: false */
  accept_faults?: boolean | undefined
}
/** A character that breaks a rule */
export interface UnfitCharacter {
  /** The character */
  character_id: string
  /** Name of the character */
  name: string
  /** The first 5 faults */
  faults: SheetFault[]
}
/** What choosing the version does to the characters of the campaign */
export interface CampaignRulesetReport {
  /** Number of characters of the campaign, archived ones included */
  characters: number
  /** Number of characters whose sheets the upgrade changes */
  changed: number
  /** Number of characters that break a rule */
  unfit: number
  /** The first 100 characters that break a rule */
  faults: UnfitCharacter[]
}
/** A campaign, and what its ruleset does to its characters */
export interface ChangedCampaignRuleset {
  campaign: Campaign
  report: CampaignRulesetReport
}
/** A part of a book */
export interface ChapterPreview {
  /** Chapter identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book of the chapter */
  book_id: string
  /** Chapter name */
  name: string
  /** Summary of the events; its first 200 characters in a list */
  description: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
  /** True if description was cut after 200 characters; the resource itself has all of it */
  truncated: boolean
}
/** A book, with its chapters if `include` names them */
export interface BookListItem {
  /** Book identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book name */
  name: string
  /** Summary of the events; its first 1,000 characters in a list */
  description: string | null
  /** The id of the book in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
  /** The first 20 chapters in the order of their numbers, with texts cut to 200 characters, with `include=chapters` */
  chapters?: ChapterPreview[] | undefined
  /** Total number of chapters, with `include=chapters` */
  chapters_total?: number | undefined
  /** True if description was cut after 1,000 characters, or large metadata was left out; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: book */
export interface BookPage {
  /** The requested page */
  items: BookListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new book */
export interface BookCreate {
  /** Book name. 1 to 100 characters */
  name: string
  /** Summary of the events. At most 10,000 characters */
  description?: string | null | undefined
  /** The id of the book in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A part of the story of a campaign */
export interface Book {
  /** Book identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book name */
  name: string
  /** Summary of the events */
  description: string | null
  /** The id of the book in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
}
/** A book, with its chapters if `include` names them */
export interface BookWithChapters {
  /** Book identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book name */
  name: string
  /** Summary of the events */
  description: string | null
  /** The id of the book in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
  /** The first 100 chapters in the order of their numbers, with texts cut to 1,000 characters, with `include=chapters` */
  chapters?: ChapterListItem[] | undefined
  /** Total number of chapters, with `include=chapters` */
  chapters_total?: number | undefined
}
/** The fields of a book that change */
export interface BookPatch {
  /** Book name. 1 to 100 characters */
  name?: string | undefined
  /** Summary of the events. At most 10,000 characters */
  description?: string | null | undefined
  /** The id of the book in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** Move a chapter to another position */
export interface NumberSet {
  /** The new position. 1 to 2,147,483,647 */
  number: number
}
/** A page of a list: chapter */
export interface ChapterPage {
  /** The requested page */
  items: ChapterListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new chapter */
export interface ChapterCreate {
  /** Chapter name. 1 to 100 characters */
  name: string
  /** Summary of the events. At most 10,000 characters */
  description?: string | null | undefined
  /** The id of the chapter in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A part of a book */
export interface Chapter {
  /** Chapter identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the book */
  campaign_id: string
  /** Book of the chapter */
  book_id: string
  /** Chapter name */
  name: string
  /** Summary of the events */
  description: string | null
  /** The id of the chapter in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** Position, from 1 to n without gaps. Null while archived. It also changes when others move, without a new version */
  number: number | null
}
/** The fields of a chapter that change */
export interface ChapterPatch {
  /** Chapter name. 1 to 100 characters */
  name?: string | undefined
  /** Summary of the events. At most 10,000 characters */
  description?: string | null | undefined
  /** The id of the chapter in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** A page of a list: note */
export interface NotePage {
  /** The requested page */
  items: NoteListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new notebook */
export interface NotebookCreate {
  /** Title of the note. 1 to 100 characters */
  title: string
  /** Text of the note, in Markdown. At most 20,000 characters */
  body?: string | null | undefined
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A note on a resource of a campaign, or in a notebook */
export interface Note {
  /** Note identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who wrote the note */
  author_id: string
  /** Campaign of the note; null in a notebook */
  campaign_id: string | null
  /** Book that the note, or its chapter, belongs to */
  book_id: string | null
  /** Chapter that the note belongs to */
  chapter_id: string | null
  /** Character that the note belongs to */
  character_id: string | null
  /** Title of the note */
  title: string
  /** Text of the note, in Markdown */
  body: string | null
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it */
  external_id: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else */
  visibility: NoteVisibility
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** The fields of a notebook that change */
export interface NotebookPatch {
  /** Title of the note. 1 to 100 characters */
  title?: string | undefined
  /** Text of the note, in Markdown. At most 20,000 characters */
  body?: string | null | undefined
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
}
/** The fields of a new note */
export interface NoteCreate {
  /** Title of the note. 1 to 100 characters */
  title: string
  /** Text of the note, in Markdown. At most 20,000 characters */
  body?: string | null | undefined
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else. Default: "EVERYONE" */
  visibility?: NoteVisibility | undefined
}
/** The fields of a note that change */
export interface NotePatch {
  /** Title of the note. 1 to 100 characters */
  title?: string | undefined
  /** Text of the note, in Markdown. At most 20,000 characters */
  body?: string | null | undefined
  /** The id of the note in the client application. Unique in the company. Only ADMINs, and keys without an acting user, may write it. 1 to 255 characters */
  external_id?: string | null | undefined
  /** Metadata to set by key. null removes a key; keys that are not named stay */
  metadata?: MetadataPatch | undefined
  /** Users who can see the note besides its author and ADMINs: EVERYONE, the STORYTELLERs of the campaign, or, with AUTHOR, no one else */
  visibility?: NoteVisibility | undefined
}
/** Values of search type */
export type SearchType = "campaign" | "character" | "item" | "book" | "chapter" | "note" | "user"
/** A resource that matches the search */
export interface Hit {
  /** Type of the resource */
  type: SearchType
  /** Identifier of the resource */
  id: string
  /** Name or title of the resource */
  name: string
  /** Campaign that the resource belongs to, or is; null for a user and a note in a notebook */
  campaign_id: string | null
  /** An excerpt of its text around the match */
  snippet: string | null
  /** Path of the resource. Without an acting user, replace `{user_id}` with the id of the user who is to act */
  path: string
}
/** A page of a list: hit */
export interface HitPage {
  /** The requested page */
  items: Hit[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
}
/** A page of a list: dice roll */
export interface DiceRollPage {
  /** The requested page */
  items: DiceRollListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Dice of the pool that are of a second kind, such as hunger. If there are fewer dice in the pool, all of them are */
export interface SpecialDice {
  /** Number of special dice, or the name of a trait, a tracker or an input that has it */
  count: number | string
  /** What the special dice stand for. 1 to 100 characters */
  label?: string | undefined
}
/** A pool of dice with the same number of sides, instead of notation, with `dice` */
export interface PoolRequestDice {
  /** Number of dice. 0 to 100 */
  dice: number
  /** Sides of each die. Default: 10. 2 to 1,000 */
  sides?: number | undefined
  /** Number of dice to add; negative to take away. Default: 0. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Another name for difficulty, and not accepted together with it. 2 to 1,000 */
  success?: number | undefined
  /** Faces that count as two successes. Default: the highest face. At most 100 items */
  double?: number[] | undefined
  /** What a 1 does: SUBTRACT takes a success away, IGNORE does nothing. Default: "SUBTRACT" */
  ones?: PoolOnes | undefined
  /** Faces that are rolled again, adding a die to the pool; at most half of the faces. At most 100 items */
  again?: number[] | undefined
  /** Number of successes that the roll needs. Default: 1. 1 to 100 */
  needed?: number | undefined
  special?: SpecialDice | undefined
  /** True to roll one chance die if the pool has no dice: its highest face is a success, a 1 a botch. Default: false */
  chance?: boolean | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. Default: 0. 0 to 10 */
  desperation_dice?: number | undefined
  traits?: never
}
/** A pool of dice with the same number of sides, instead of notation, with `traits` */
export interface PoolRequestTraits {
  /** Names of traits and trackers of the character, trackers of the campaign or inputs; the sum of their values is the number of dice. 1 to 10 items */
  traits: string[]
  /** Sides of each die. Default: 10. 2 to 1,000 */
  sides?: number | undefined
  /** Number of dice to add; negative to take away. Default: 0. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Another name for difficulty, and not accepted together with it. 2 to 1,000 */
  success?: number | undefined
  /** Faces that count as two successes. Default: the highest face. At most 100 items */
  double?: number[] | undefined
  /** What a 1 does: SUBTRACT takes a success away, IGNORE does nothing. Default: "SUBTRACT" */
  ones?: PoolOnes | undefined
  /** Faces that are rolled again, adding a die to the pool; at most half of the faces. At most 100 items */
  again?: number[] | undefined
  /** Number of successes that the roll needs. Default: 1. 1 to 100 */
  needed?: number | undefined
  special?: SpecialDice | undefined
  /** True to roll one chance die if the pool has no dice: its highest face is a success, a 1 a botch. Default: false */
  chance?: boolean | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. Default: 0. 0 to 10 */
  desperation_dice?: number | undefined
  dice?: never
}
/** A pool of dice with the same number of sides, instead of notation */
export type PoolRequest = PoolRequestDice | PoolRequestTraits
/** One of several rolls, with `notation` */
export interface OneOfRollsNotation {
  /** What the roll stands for among several. 1 to 100 characters */
  label?: string | undefined
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation: string
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: boolean | undefined
  pool?: never
}
/** One of several rolls, with `pool` */
export interface OneOfRollsPool {
  /** What the roll stands for among several. 1 to 100 characters */
  label?: string | undefined
  pool: PoolRequest
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: false | undefined
  notation?: never
}
/** One of several rolls */
export type OneOfRolls = OneOfRollsNotation | OneOfRollsPool
/** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
export type InputValues = Record<string, number>
/** Values of missing names */
export type MissingNames = "REJECT" | "ZERO"
/** The fields of a new dice roll, with `notation` */
export interface DiceRollCreateNotation {
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation: string
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: boolean | undefined
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
  /** Faces of dice that were rolled at the table, in order. Such a roll has no proof, and statistics count it separately. 1 to 1,000 items */
  manual?: number[] | undefined
  /** Campaign to roll in */
  campaign_id?: string | undefined
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  pool?: never
  rolls?: never
}
/** The fields of a new dice roll, with `pool` */
export interface DiceRollCreatePool {
  pool: PoolRequest
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: false | undefined
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
  /** Faces of dice that were rolled at the table, in order. Such a roll has no proof, and statistics count it separately. 1 to 1,000 items */
  manual?: number[] | undefined
  /** Campaign to roll in */
  campaign_id?: string | undefined
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  notation?: never
  rolls?: never
}
/** The fields of a new dice roll, with `rolls` */
export interface DiceRollCreateSeveral {
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10. 1 to 10 items */
  rolls: OneOfRolls[]
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
  /** Campaign to roll in */
  campaign_id?: string | undefined
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  notation?: never
  target?: never
  compare?: never
  naturals?: never
  manual?: never
  pool?: never
}
/** The fields of a new dice roll */
export type DiceRollCreate = DiceRollCreateNotation | DiceRollCreatePool | DiceRollCreateSeveral
/** A roll of dice and its result */
export interface DiceRoll {
  /** Roll identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who rolled */
  user_id: string
  /** Campaign of the roll */
  campaign_id: string | null
  /** Character that the roll was made for */
  character_id: string | null
  /** Notation that was rolled, with values in place of names; null for a pool, and if it has values of a sheet that is hidden from the acting user */
  notation: string | null
  /** Notation with names as requested; null without names */
  formula: string | null
  /** Values that the notation names */
  values: UsedValue[]
  /** The pool with all values resolved; null for a roll with notation */
  pool: RolledPool | null
  /** Result to reach. It gives the roll an outcome and a margin */
  target: number | null
  /** How the result is compared with the target */
  compare: RollCompare | null
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals: boolean
  /** The roll by the ruleset of the campaign, if it was made by its name; null for every other roll */
  ruleset: RollOfRuleset | null
  /** What the roll stands for among several */
  label: string | null
  /** Group of the roll: one for all rolls of a request with `rolls` or `repeat` */
  group_id: string | null
  /** Comment on the roll */
  comment: string | null
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only */
  visibility: RollVisibility
  /** All dice in the order they were rolled */
  dice: Die[]
  /** Successes minus failures, if successes are counted */
  net: number | null
  /** Sum of the dice, if they are added up */
  total: number | null
  /** By how much the target was reached, or the successes that the pool needed; negative if it failed */
  margin: number | null
  /** Outcome against the difficulty or the target; null without one */
  outcome: RollOutcome | null
  /** The parts of the sum that the notation is; empty for a pool */
  terms: RolledTerm[]
  /** True if a desperation die shows 1, so that the roll has to be settled */
  strained: boolean
  /** Settlement of a strained roll */
  settlement: Settlement | null
  /** SERVER if the service rolled the dice; MANUAL if they were rolled at the table */
  source: RollSource
  /** When a storyteller voided the roll; null if it counts */
  date_voided: string | null
  /** User who voided the roll */
  voided_by: string | null
  /** Why the roll was voided */
  void_reason: string | null
  /** The roll on one line, as plain text. Names and comments are as people wrote them, except for control characters, which are replaced by spaces */
  text: string
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The text in Markdown, to post in a chat. Struck dice are struck through, and the result is strong. What people wrote is escaped: it is no emphasis, link or mention. An invisible character (U+200B) follows each @ */
  text_markdown: string
}
/** Several rolls made by one request */
export interface RollGroup {
  /** Group of the rolls */
  group_id: string
  /** The rolls, in the order of the request */
  items: DiceRoll[]
}
/** The values needed to verify a roll */
export interface Proof {
  /** Roll identifier */
  roll_id: string
  /** Seed of the roll */
  seed_id: string
  /** Commitment of the seed, published before the roll */
  commitment: string
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed */
  client_seed: string
  /** Number of the roll with this seed */
  nonce: number
  /** The 32-bit words that the roll used, in order */
  words: number[]
  /** The server seed; null until it is revealed */
  server_seed: string | null
}
/** Settle a strained roll */
export interface DiceRollSettle {
  /** OVERREACH keeps the result and raises the danger of the campaign by 1, up to 5; DESPAIR changes the outcome to FAILURE */
  choice: Settlement
}
/** Void a roll */
export interface DiceRollVoid {
  /** Why the roll does not count. It begins the text of the roll. 1 to 500 characters */
  reason: string
}
/** A roll of the ruleset, for one character */
export interface NamedRoll {
  /** Name of the roll, which the path takes */
  id: string
  /** Label of the roll */
  label: string
  /** Explanation for players */
  description: string | null
  /** What a player is asked for, by name */
  inputs: Record<string, {
    /** the name of a group or tag, of which a trait is asked for */
    trait?: string | undefined
    /** True if no trait is needed, which counts as 0. Default: false */
    optional?: boolean | undefined
    /** A number is asked for */
    number?: {
      /** The lowest */
      min: number
      /** The highest */
      max: number
      /** Without it the input is required */
      default?: number | undefined
    } | undefined
    /** One of these options is asked for */
    choice?: Record<string, string> | undefined
    /** the name of the option that is chosen without an answer */
    default?: string | undefined
  }>
  /** What a player may pay with the roll, by name */
  spends: Record<string, {
    /** What it is for. Default: the name */
    label?: string | undefined
    /** the name of a tracker */
    tracker: string
    /** What the tracker loses each time; a negative number is what it gains */
    amount: number
    /** How many times at most */
    most: number
  }>
  /** The dice that are rolled without any input; null if an input is required, or nothing would be rolled */
  notation: string | null
}
/** All rolls of the ruleset, for one character */
export interface NamedRolls {
  /** The rolls of the ruleset, in its order */
  items: NamedRoll[]
}
/** The fields of a new sheet roll */
export interface SheetRollCreate {
  /** Answers to the inputs of the roll, by name */
  inputs?: Record<string, string | number> | undefined
  /** How many times each spend of the roll is paid, by name. The trackers move with the roll, or not at all */
  spends?: Record<string, number> | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
}
/** Compute the odds of a roll of the ruleset */
export interface SheetRollOddsRequest {
  /** Answers to the inputs of the roll, by name */
  inputs?: Record<string, string | number> | undefined
  /** How many times each spend of the roll is paid, by name. The trackers move with the roll, or not at all */
  spends?: Record<string, number> | undefined
}
/** An outcome of the ruleset and its probability */
export interface CodeOdds {
  /** Name of the outcome in the ruleset */
  code: string
  /** Label of the outcome; null without one */
  label: string | null
  /** Probability from 0 to 1 */
  probability: number
}
/** A score and its probability */
export interface ScoreOdds {
  /** A possible score */
  score: number
  /** Probability from 0 to 1 */
  probability: number
}
/** The exact chances of a roll of the ruleset */
export interface SheetRollOdds {
  /** What would be rolled */
  notation: string
  /** Every outcome that can be reached */
  outcomes: CodeOdds[]
  /** Every score that can be reached, lowest first */
  scores: ScoreOdds[]
}
/** Values of creation status */
export type CreationStatus = "OPEN" | "FINISHED" | "ABANDONED"
/** A character that is being created */
export interface ListedCreation {
  /** Creation identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** The version of the ruleset by which the character is created */
  version_id: string
  /** The user who creates the character, and will play it unless it is an NPC */
  user_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** OPEN until there is a character, or nobody wants it any more */
  status: CreationStatus
  /** The character; null until the creation is finished */
  character_id: string | null
  /** When the creation is deleted: seven days after it was started */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
}
/** A page of a list: listed creation */
export interface ListedCreationPage {
  /** The requested page */
  items: ListedCreation[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Start to create a character */
export interface CreationStart {
  /** PLAYER for the character of a player, NPC for a character of the storytellers. Default: "PLAYER" */
  type?: CharacterType | undefined
  /** The user who creates the character. Default: the acting user */
  user_id?: string | undefined
  /** Options that are chosen already, by the names of the ruleset. They answer the steps that ask for them */
  choices?: CharacterChoices | undefined
}
/** The dice of the step; null if none were rolled */
export interface RolledStep {
  /** The values */
  values: number[]
  /** The dice rolls, which can be verified */
  roll_ids: string[]
}
/** Values of creation method */
export type CreationMethod = "choose" | "array" | "points" | "priority" | "dice"
/** A step of creating a character */
export interface CreationStep {
  /** The name of the step */
  id: string
  /** The question of the step */
  label: string
  /** True if the step has an answer that follows its rules */
  done: boolean
  /** The ways to answer the step, of which one is taken */
  methods: Record<string, unknown>[]
  /** The dice of the step; null if none were rolled */
  rolled: RolledStep | null
  /** An option, or values of traits; null if there is no answer yet */
  answer: string | Record<string, number> | null
  /** The kind of the method that the answer follows; null if there is no answer yet */
  method: CreationMethod | null
  /** Faults of the answer. A later answer to another step can add faults */
  faults: string[]
}
/** A character that is being created, step by step */
export interface Creation {
  /** Creation identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Campaign of the character */
  campaign_id: string
  /** The version of the ruleset by which the character is created */
  version_id: string
  /** The user who creates the character, and will play it unless it is an NPC */
  user_id: string
  /** PLAYER for the character of a player, NPC for a character of the storytellers */
  type: CharacterType
  /** OPEN until there is a character, or nobody wants it any more */
  status: CreationStatus
  /** The character; null until the creation is finished */
  character_id: string | null
  /** When the creation is deleted: seven days after it was started */
  date_expires: string
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** The steps, in the order of the ruleset */
  steps: CreationStep[]
  sheet: RuledSheet
  /** The faults of the sheet that keep the creation from being finished */
  faults: string[]
}
/** Answer a step */
export interface StepAnswer {
  /** The kind of the method, for a step that has several. Default: the first one whose rules the answer follows */
  method?: CreationMethod | undefined
  /** An option, or the values of the traits of the step. At most 64 characters */
  answer: string | Record<string, number>
}
/** Answer steps at random */
export interface CreationRandom {
  /** The steps to answer, even if they have an answer. Default: those that are not done. 1 to 30 items */
  steps?: string[] | undefined
  /** The name of a tier of the ruleset: the characters have spent this much experience by its prices. 1 to 64 characters */
  tier?: string | undefined
}
/** Finish a creation */
export interface CreationFinish {
  /** Name of the character. 1 to 100 characters */
  name: string
  /** The character in one sentence. At most 500 characters */
  concept?: string | null | undefined
  /** Story of the character so far. At most 10,000 characters */
  biography?: string | null | undefined
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see. Default: "OPEN" */
  visibility?: CharacterVisibility | undefined
}
/** Generate random characters by the ruleset */
export interface CharactersGenerate {
  /** Number of characters. Default: 1. 1 to 10 */
  count?: number | undefined
  /** PLAYER for characters of a player, NPC for characters of the storytellers. Default: "NPC" */
  type?: CharacterType | undefined
  /** Options that are given by the names of the ruleset, instead of chosen at random */
  choices?: CharacterChoices | undefined
  /** The name of a tier of the ruleset: the characters have spent this much experience by its prices. 1 to 64 characters */
  tier?: string | undefined
  /** The name: of several characters, each has its number after it. Default: the label of their first choice. 1 to 96 characters */
  name?: string | undefined
  /** OPEN for all users; STORYTELLER for an NPC that players cannot see. Default: "OPEN" */
  visibility?: CharacterVisibility | undefined
  /** The player of the characters. Default: the acting user, or null for NPCs */
  user_id?: string | null | undefined
  /** True to get the sheets, and store nothing. Default: false */
  dry_run?: boolean | undefined
}
/** The sheet of a generated character */
export interface GeneratedSheet {
  /** Name of the character */
  name: string
  sheet: RuledSheet
}
/** Random characters that follow the ruleset of the campaign */
export interface GeneratedCharacters {
  /** The characters. With `dry_run` there are none */
  items: Character[]
  /** Their sheets by the ruleset, in the same order */
  sheets: GeneratedSheet[]
}
/** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default, with `dice` */
export interface SavedPoolDice {
  /** Number of dice. 0 to 100 */
  dice: number
  /** Sides of each die. 2 to 1,000 */
  sides?: number | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Another name for difficulty, and not accepted together with it. 2 to 1,000 */
  success?: number | undefined
  /** Faces that count as two successes. Default: the highest face. At most 100 items */
  double?: number[] | undefined
  /** What a 1 does: SUBTRACT takes a success away, IGNORE does nothing */
  ones?: PoolOnes | undefined
  /** Faces that are rolled again, adding a die to the pool; at most half of the faces. At most 100 items */
  again?: number[] | undefined
  /** Number of successes that the roll needs. 1 to 100 */
  needed?: number | undefined
  special?: SpecialDice | undefined
  /** True to roll one chance die if the pool has no dice: its highest face is a success, a 1 a botch */
  chance?: boolean | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  traits?: never
}
/** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default, with `traits` */
export interface SavedPoolTraits {
  /** Names of traits and trackers of the character, trackers of the campaign or inputs; the sum of their values is the number of dice. 1 to 10 items */
  traits: string[]
  /** Sides of each die. 2 to 1,000 */
  sides?: number | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Another name for difficulty, and not accepted together with it. 2 to 1,000 */
  success?: number | undefined
  /** Faces that count as two successes. Default: the highest face. At most 100 items */
  double?: number[] | undefined
  /** What a 1 does: SUBTRACT takes a success away, IGNORE does nothing */
  ones?: PoolOnes | undefined
  /** Faces that are rolled again, adding a die to the pool; at most half of the faces. At most 100 items */
  again?: number[] | undefined
  /** Number of successes that the roll needs. 1 to 100 */
  needed?: number | undefined
  special?: SpecialDice | undefined
  /** True to roll one chance die if the pool has no dice: its highest face is a success, a 1 a botch */
  chance?: boolean | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  dice?: never
}
/** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
export type SavedPool = SavedPoolDice | SavedPoolTraits
/** One of several rolls that are saved together, with `notation` */
export interface SavedRollNotation {
  /** What the roll stands for among several. 1 to 100 characters */
  label?: string | undefined
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation: string
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: boolean | undefined
  pool?: never
}
/** One of several rolls that are saved together, with `pool` */
export interface SavedRollPool {
  /** What the roll stands for among several. 1 to 100 characters */
  label?: string | undefined
  pool: SavedPool
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: false | undefined
  notation?: never
}
/** One of several rolls that are saved together */
export type SavedRoll = SavedRollNotation | SavedRollPool
/** A roll that was saved under a name */
export interface QuickRoll {
  /** Quick roll identifier */
  id: string
  /** Owning company */
  company_id: string
  /** User who has the quick roll; null if a character or a campaign has it */
  user_id: string | null
  /** Campaign that has the quick roll, or that its character is in; null if a user has it */
  campaign_id: string | null
  /** Character that has the quick roll; null if a user or a campaign has it */
  character_id: string | null
  /** Name of the quick roll; unique among those of its user, character or campaign, ignoring case */
  name: string
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md */
  notation: string | null
  /** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
  pool: SavedPool | null
  /** Result to reach. It gives the roll an outcome and a margin */
  target: number | null
  /** How the result is compared with the target */
  compare: RollCompare | null
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals: boolean | null
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10 */
  rolls: SavedRoll[] | null
  /** Number of times to roll everything, at most 20 */
  repeat: number | null
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values: InputValues | null
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0 */
  missing: MissingNames | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** A page of a list: quick roll */
export interface QuickRollPage {
  /** The requested page */
  items: QuickRoll[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new quick roll, with `notation` */
export interface QuickRollCreateNotation {
  /** Name of the quick roll; unique among those of its user, character or campaign, ignoring case. 1 to 100 characters */
  name: string
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation: string
  /** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
  pool?: null | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | null | undefined
  /** How the result is compared with the target */
  compare?: RollCompare | null | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: boolean | null | undefined
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10 */
  rolls?: null | undefined
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | null | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | null | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0 */
  missing?: MissingNames | null | undefined
}
/** The fields of a new quick roll, with `pool` */
export interface QuickRollCreatePool {
  /** Name of the quick roll; unique among those of its user, character or campaign, ignoring case. 1 to 100 characters */
  name: string
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md */
  notation?: null | undefined
  /** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
  pool: SavedPool
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | null | undefined
  /** How the result is compared with the target */
  compare?: RollCompare | null | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: false | null | undefined
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10 */
  rolls?: null | undefined
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | null | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | null | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0 */
  missing?: MissingNames | null | undefined
}
/** The fields of a new quick roll, with `rolls` */
export interface QuickRollCreateSeveral {
  /** Name of the quick roll; unique among those of its user, character or campaign, ignoring case. 1 to 100 characters */
  name: string
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md */
  notation?: null | undefined
  /** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
  pool?: null | undefined
  /** Result to reach. It gives the roll an outcome and a margin */
  target?: null | undefined
  /** How the result is compared with the target */
  compare?: null | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: null | undefined
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10. 1 to 10 items */
  rolls: SavedRoll[]
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | null | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | null | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0 */
  missing?: MissingNames | null | undefined
}
/** The fields of a new quick roll */
export type QuickRollCreate = QuickRollCreateNotation | QuickRollCreatePool | QuickRollCreateSeveral
/** The fields of a quick roll that change */
export interface QuickRollPatch {
  /** Name of the quick roll; unique among those of its user, character or campaign, ignoring case. 1 to 100 characters */
  name?: string | undefined
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation?: string | null | undefined
  /** A pool of dice with the same number of sides. A roll has 10 sides, no modifier and no desperation dice by default */
  pool?: SavedPool | null | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | null | undefined
  /** How the result is compared with the target */
  compare?: RollCompare | null | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts */
  naturals?: boolean | null | undefined
  /** Several rolls at once, such as hit and damage, instead of notation or a pool. At most 10. 1 to 10 items */
  rolls?: SavedRoll[] | null | undefined
  /** Number of times to roll everything, at most 20. 1 to 20 */
  repeat?: number | null | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | null | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0 */
  missing?: MissingNames | null | undefined
}
/** Roll a quick roll of yours */
export interface QuickRollRoll {
  /** Campaign to roll in */
  campaign_id?: string | undefined
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
}
/** Roll a quick roll of a character */
export interface CharacterQuickRollRoll {
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
}
/** Roll a quick roll of a campaign */
export interface CampaignQuickRollRoll {
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
}
/** Roll a quick roll by its name */
export interface QuickRollByName {
  /** Name of the quick roll, ignoring case. 1 to 100 characters */
  name: string
  /** Campaign to roll in */
  campaign_id?: string | undefined
  /** Character to roll for; the roll belongs to its campaign */
  character_id?: string | undefined
  /** Comment on the roll. At most 500 characters */
  comment?: string | null | undefined
  /** PUBLIC for all users; STORYTELLER for the roller and the storytellers of the campaign; BLIND for the storytellers only. Default: "PUBLIC" */
  visibility?: RollVisibility | undefined
  /** a client seed of 1 to 64 characters (A-Z, a-z, 0-9, _ and -); by default the id of the current server seed. 1 to 64 characters */
  client_seed?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  /** Number of dice to add; negative to take away. -100 to 100 */
  modifier?: number | undefined
  /** Lowest face that counts as a success. Without a difficulty, the dice are added up. 2 to 1,000 */
  difficulty?: number | undefined
  /** Number of additional desperation dice, at most the desperation of the campaign. 0 to 10 */
  desperation_dice?: number | undefined
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
}
/** Compute the odds of a roll, with `notation` */
export interface OddsRequestNotation {
  /** Dice notation. `{name}` is the value of a trait, of a tracker or of `values`. See docs/guides/dice.md. 1 to 256 characters */
  notation: string
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: boolean | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
  /** Campaign whose trackers the names may be. It is looked up only if there are names */
  campaign_id?: string | undefined
  /** Character whose traits and trackers the names may be; any that the caller sees. It is looked up only if there are names */
  character_id?: string | undefined
  pool?: never
}
/** Compute the odds of a roll, with `pool` */
export interface OddsRequestPool {
  pool: PoolRequest
  /** Result to reach. It gives the roll an outcome and a margin. -1,000,000 to 1,000,000 */
  target?: number | undefined
  /** How the result is compared with the target. Default: "AT_LEAST" */
  compare?: RollCompare | undefined
  /** True to make a natural 20 CRITICAL and a natural 1 BOTCH, whatever the target. The notation then has one d20 that counts. Default: false */
  naturals?: false | undefined
  /** Inputs that the notation or pool names, at most 20. They take precedence over traits and trackers */
  values?: InputValues | undefined
  /** What a name does that is no input, trait or tracker: REJECT answers 400, ZERO counts it as 0. Default: "REJECT" */
  missing?: MissingNames | undefined
  /** Campaign whose trackers the names may be. It is looked up only if there are names */
  campaign_id?: string | undefined
  /** Character whose traits and trackers the names may be; any that the caller sees. It is looked up only if there are names */
  character_id?: string | undefined
  notation?: never
}
/** Compute the odds of a roll */
export type OddsRequest = OddsRequestNotation | OddsRequestPool
/** A result and its probability */
export interface ResultOdds {
  /** A possible result */
  value: number
  /** Probability from 0 to 1 */
  probability: number
}
/** A margin and its probability */
export interface MarginOdds {
  /** A possible margin */
  value: number
  /** Probability from 0 to 1 */
  probability: number
}
/** An outcome and its probability */
export interface OutcomeOdds {
  /** A possible outcome */
  outcome: RollOutcome
  /** Probability from 0 to 1 */
  probability: number
}
/** The exact probability distribution of a roll */
export interface Odds {
  /** Quantity of the results: NET for successes minus failures, TOTAL for the sum of the dice */
  of: "NET" | "TOTAL"
  /** All possible results, lowest first */
  results: ResultOdds[]
  /** All possible margins over the target or the needed successes, lowest first; empty without a target and a difficulty */
  margins: MarginOdds[]
  /** Probability of each outcome; empty without a target and a difficulty */
  outcomes: OutcomeOdds[]
  /** Probability of SUCCESS and CRITICAL together: of reaching the target or the needed successes. Null without a target and a difficulty */
  success: number | null
  /** Mean of the results */
  mean: number
  /** Standard deviation of the results */
  deviation: number
}
/** An outcome, and its share of all rolls */
export interface OutcomeShare {
  /** Outcome of the rolls */
  outcome: RollOutcome
  /** Number of rolls with this outcome */
  rolls: number
  /** Share of the rolls that have an outcome, in percent; the shares add up to 100 */
  percent: number
}
/** How often the one d20 that a roll keeps showed its highest and its lowest face */
export interface NaturalsRolled {
  /** Number of natural 20s */
  max: number
  /** Number of natural 1s */
  min: number
}
/** Rolls with dice rolled at the table, which count nowhere else: the service cannot tell how they fell */
export interface ManualRolls {
  /** Number of rolls */
  rolls: number
  /** Number of rolls by outcome, for rolls against a difficulty or a target. Each outcome is listed once */
  outcomes: OutcomeShare[]
}
/** How often each face of a die was seen */
export interface FacesSeen {
  /** Sides of the die */
  sides: number
  /** Number of rolled dice with this many sides */
  dice: number
  /** Expected number of times each face shows */
  expected: number
  /** Number of times each face showed, lowest face first; -1, 0 and 1 of a Fudge die count as 1, 2 and 3 */
  observed: number[]
  /** Chi-square statistic of the deviation from equally frequent faces */
  chi_square: number
  /** Probability that fair dice deviate at least this much; imprecise while fewer than 5 of each face are expected */
  p_value: number
}
/** How often a trait was used in rolls */
export interface TraitUsed {
  /** Name of the trait */
  name: string
  /** Number of rolls that used the trait; a pool only if the trait added dice to it */
  rolls: number
}
/** The rolls of one day */
export interface DayOfRolls {
  /** The day, in UTC */
  date: string
  /** Number of rolls on this day */
  rolls: number
  /** Number of rolls with the outcome BOTCH */
  botches: number
  /** Number of rolls with the outcome FAILURE */
  failures: number
  /** Number of rolls with the outcome SUCCESS */
  successes: number
  /** Number of rolls with the outcome CRITICAL */
  criticals: number
}
/** Statistics of the rolls that the caller may see */
export interface Statistics {
  /** Number of rolls, without those voided or made at the table */
  rolls: number
  /** Number of rolls by outcome, for rolls against a difficulty or a target. Each outcome is listed once */
  outcomes: OutcomeShare[]
  naturals: NaturalsRolled
  manual: ManualRolls
  /** Mean number of dice in a pool; null without pools */
  mean_pool: number | null
  /** Mean difficulty of the pools; null if none had a difficulty */
  mean_difficulty: number | null
  /** Faces of all dice that the service rolled, by number of sides, for dice with up to 100 sides */
  faces: FacesSeen[]
  /** The 10 traits used in the most rolls */
  traits: TraitUsed[]
  /** The last 90 days including today, earliest first */
  days: DayOfRolls[]
}
/** The sum over all campaigns */
export interface ExperienceLifetime {
  /** Experience awarded or gained, minus what was reversed */
  earned: number
  /** Experience spent, minus reversed spends */
  spent: number
  /** Experience available to spend */
  available: number
}
/** The experience of a user in a campaign */
export interface OwnExperience {
  /** The requested page */
  items: ExperienceBalance[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
  lifetime: ExperienceLifetime
}
/** A page of a list: experience balance */
export interface ExperienceBalancePage {
  /** The requested page */
  items: ExperienceBalance[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** An award to one recipient, with `user_id` */
export interface ExperienceRecipientAwardUser {
  /** User to award. Required where experience belongs to users */
  user_id: string
  /** Amount of experience. 1 to 1,000,000 */
  amount: number
  character_id?: never
}
/** An award to one recipient, with `character_id` */
export interface ExperienceRecipientAwardCharacter {
  /** Player character to award. Required where experience belongs to characters */
  character_id: string
  /** Amount of experience. 1 to 1,000,000 */
  amount: number
  user_id?: never
}
/** An award to one recipient */
export type ExperienceRecipientAward = ExperienceRecipientAwardUser | ExperienceRecipientAwardCharacter
/** Values of experience recipients */
export type ExperienceRecipients = "MEMBERS"
/** Experience for users or characters of a campaign, with `user_ids` and `amount` */
export interface ExperienceAwardUsers {
  /** Reason of the entry. 1 to 500 characters */
  reason: string
  /** Amount of experience for each recipient. 1 to 1,000,000 */
  amount: number
  /** Users to award. Each user gets the full amount. Not accepted where experience belongs to characters. 1 to 100 items */
  user_ids: string[]
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  awards?: never
  to?: never
}
/** Experience for users or characters of a campaign, with `awards` */
export interface ExperienceAwardAmounts {
  /** Reason of the entry. 1 to 500 characters */
  reason: string
  /** Recipients, each with an amount of their own. 1 to 100 items */
  awards: ExperienceRecipientAward[]
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  amount?: never
  user_ids?: never
  to?: never
}
/** Experience for users or characters of a campaign, with `to` and `amount` */
export interface ExperienceAwardEveryone {
  /** Reason of the entry. 1 to 500 characters */
  reason: string
  /** Amount of experience for each recipient. 1 to 1,000,000 */
  amount: number
  /** MEMBERS: every member of the campaign, or, where experience belongs to characters, every ACTIVE player character. At most 100 */
  to: ExperienceRecipients
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
  user_ids?: never
  awards?: never
}
/** Experience for users or characters of a campaign */
export type ExperienceAward = ExperienceAwardUsers | ExperienceAwardAmounts | ExperienceAwardEveryone
/** Values of experience kind */
export type ExperienceKind = "AWARD" | "SPEND" | "GAIN" | "REVERSAL"
/** The trait that the entry changed; null if it changed none */
export interface TraitChange {
  /** a snake_case name: lower-case letters and digits, with single underscores between */
  name: string
  /** Former value; null if the character did not have the trait */
  from: number | null
  /** New value; null if a reversal removed the trait */
  to: number | null
}
/** An entry of the ledger. Entries are never changed or deleted */
export interface ExperienceEntryListItem {
  /** Entry identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Kind of the entry */
  kind: ExperienceKind
  /** Amount of experience, never negative. 0 for a raise that costs nothing */
  amount: number
  /** Change of the available experience, which is the sum of all deltas */
  delta: number
  /** Price of the raise by the ruleset of the campaign at that time, below 0 for a GAIN. Null without a ruleset or a trait */
  price: number | null
  /** User whose experience changed. If it belongs to a character: the player of the character at that time */
  user_id: string
  /** Campaign of the entry */
  campaign_id: string
  /** Character that the experience belongs to, or was spent on */
  character_id: string | null
  /** The trait that the entry changed; null if it changed none */
  trait: TraitChange | null
  /** Reason of the entry */
  reason: string
  /** User who wrote the entry */
  awarded_by: string
  /** Entry that this one reverses */
  reverses: string | null
  /** Entry that reverses this one */
  reversed_by: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters; empty in a list if it takes more than 4,000 bytes */
  metadata: Metadata
  /** When the entry was written */
  date_created: string
  /** True if large metadata was left out; the resource itself has it */
  truncated: boolean
}
/** The entries of an award */
export interface ExperienceAwarded {
  /** The entries, in the order of the recipients; with `to`, in the order of their ids */
  items: ExperienceEntryListItem[]
}
/** Trait of the character to raise */
export interface TraitRaise {
  /** a snake_case name: lower-case letters and digits, with single underscores between. At most 64 characters */
  name: string
  /** New value, above the present one. -1,000,000 to 1,000,000 */
  to: number
}
/** Spend experience */
export interface ExperienceSpend {
  /** Amount of experience, 1 or more. Where the campaign has a ruleset and a trait is named, it may be left out: the price of the ruleset is paid. A player who sends it must send that price, as `costs` shows it; storytellers may send any amount of 0 or more, and so may everybody in an ADVISORY campaign. -1,000,000,000 to 1,000,000,000 */
  amount?: number | undefined
  /** Reason of the entry. 1 to 500 characters */
  reason: string
  /** Character to spend the experience on. Required where experience belongs to characters: it is spent from its balance */
  character_id?: string | null | undefined
  trait?: TraitRaise | undefined
  /** User whose experience is spent. Default: the acting user. Not accepted where experience belongs to characters */
  user_id?: string | undefined
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** An entry of the ledger. Entries are never changed or deleted */
export interface ExperienceEntry {
  /** Entry identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Kind of the entry */
  kind: ExperienceKind
  /** Amount of experience, never negative. 0 for a raise that costs nothing */
  amount: number
  /** Change of the available experience, which is the sum of all deltas */
  delta: number
  /** Price of the raise by the ruleset of the campaign at that time, below 0 for a GAIN. Null without a ruleset or a trait */
  price: number | null
  /** User whose experience changed. If it belongs to a character: the player of the character at that time */
  user_id: string
  /** Campaign of the entry */
  campaign_id: string
  /** Character that the experience belongs to, or was spent on */
  character_id: string | null
  /** The trait that the entry changed; null if it changed none */
  trait: TraitChange | null
  /** Reason of the entry */
  reason: string
  /** User who wrote the entry */
  awarded_by: string
  /** Entry that this one reverses */
  reverses: string | null
  /** Entry that reverses this one */
  reversed_by: string | null
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata: Metadata
  /** When the entry was written */
  date_created: string
}
/** A page of a list: experience entry */
export interface ExperienceEntryPage {
  /** The requested page */
  items: ExperienceEntryListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** Reverse an award or a spend */
export interface ExperienceReverse {
  /** Reason of the entry. 1 to 500 characters */
  reason: string
  /** Data of the client application: up to 50 texts of up to 500 characters, by keys of 1 to 40 characters */
  metadata?: Metadata | undefined
}
/** A step of a trait, with its price */
export interface Cost {
  /** a snake_case name: lower-case letters and digits, with single underscores between */
  trait: string
  /** Label of the trait in the ruleset */
  label: string
  /** Group of the trait in the ruleset */
  group: string
  /** Value before the step */
  from: number
  /** Value after the step */
  to: number
  /** Price of the step, below 0 if it gives experience; null if it cannot be taken */
  cost: number | null
  /** True if the available experience pays for the step, and for the steps before it in the list of one trait */
  affordable: boolean
  /** Why the step cannot be taken; null if it can */
  refused: string | null
}
/** What it costs to raise the traits of a character, by the ruleset of its campaign */
export interface Costs {
  /** Experience that spends of the character are taken from. 0 if the balance is hidden from the acting user */
  available: number
  /** The next step of every trait, or the steps of one */
  items: Cost[]
}
/** A field before and after a change */
export interface FieldMoved {
  /** The field that changed. A trait is named traits.<name>, a detail details.<name> */
  field: string
  /** The value before. Null if there was none */
  from: unknown
  /** The value after. Null if there is none */
  to: unknown
}
/** A change of a character */
export interface HistoryEntry {
  /** Event identifier */
  id: string
  /** Type of the event */
  type: string
  /** The user who made the change */
  user_id: string | null
  /** Every field that changed */
  changes: FieldMoved[]
  /** The reason that the user gave */
  reason: string | null
  /** Time of the change */
  date_created: string
  /** True if `changes` is shortened: texts are cut after 500 characters, lists of more than 100 elements are left empty, and changes that still exceed 48,000 bytes are left out */
  truncated: boolean
}
/** A page of a list: history entry */
export interface HistoryEntryPage {
  /** The requested page */
  items: HistoryEntry[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** An entry of a company's glossary */
export interface TermListItem {
  /** Term identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The word or phrase; unique in the company, ignoring case and accents */
  term: string
  /** The meaning of the term; its first 1,000 characters in a list */
  definition: string
  /** Other words for the term, at most 20. No two are equal, ignoring case and accents */
  synonyms: string[]
  /** The address of a page about the term, with http or https; null if there is none; its first 1,000 characters in a list */
  link: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if definition or link was cut after 1,000 characters; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: term */
export interface TermPage {
  /** The requested page */
  items: TermListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new term */
export interface TermCreate {
  /** The word or phrase; unique in the company, ignoring case and accents. 1 to 100 characters */
  term: string
  /** The meaning of the term. 1 to 2,000 characters */
  definition: string
  /** Other words for the term, at most 20. No two are equal, ignoring case and accents. At most 20 items */
  synonyms?: string[] | undefined
  /** The address of a page about the term, with http or https; null if there is none. 1 to 2,000 characters */
  link?: string | null | undefined
}
/** An entry of a company's glossary */
export interface Term {
  /** Term identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The word or phrase; unique in the company, ignoring case and accents */
  term: string
  /** The meaning of the term */
  definition: string
  /** Other words for the term, at most 20. No two are equal, ignoring case and accents */
  synonyms: string[]
  /** The address of a page about the term, with http or https; null if there is none */
  link: string | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** The fields of a term that change */
export interface TermPatch {
  /** The word or phrase; unique in the company, ignoring case and accents. 1 to 100 characters */
  term?: string | undefined
  /** The meaning of the term. 1 to 2,000 characters */
  definition?: string | undefined
  /** Other words for the term, at most 20. No two are equal, ignoring case and accents. At most 20 items */
  synonyms?: string[] | undefined
  /** The address of a page about the term, with http or https; null if there is none. 1 to 2,000 characters */
  link?: string | null | undefined
}
/** Values of webhook type */
export type WebhookType = "*" | "book.*" | "book.created" | "book.deleted" | "book.moved" | "book.restored" | "book.updated" | "book.vanished" | "campaign.*" | "campaign.adjusted" | "campaign.appeared" | "campaign.created" | "campaign.deleted" | "campaign.purged" | "campaign.restored" | "campaign.ruleset_changed" | "campaign.transferred" | "campaign.updated" | "campaign.vanished" | "chapter.*" | "chapter.created" | "chapter.deleted" | "chapter.moved" | "chapter.restored" | "chapter.updated" | "chapter.vanished" | "character.*" | "character.adjusted" | "character.appeared" | "character.created" | "character.deleted" | "character.died" | "character.migrated" | "character.purged" | "character.restored" | "character.updated" | "character.vanished" | "company.*" | "company.created" | "company.deleted" | "company.restored" | "company.updated" | "dice_roll.*" | "dice_roll.created" | "dice_roll.settled" | "dice_roll.voided" | "dice_seed.*" | "dice_seed.rotated" | "dice_seed.vanished" | "experience.*" | "experience.awarded" | "experience.gained" | "experience.reversed" | "experience.spent" | "feed.*" | "feed.reset" | "feed.withdrawn" | "grant.*" | "grant.removed" | "grant.set" | "invite.*" | "invite.created" | "invite.deleted" | "item.*" | "item.adjusted" | "item.created" | "item.deleted" | "item.restored" | "item.updated" | "item.vanished" | "member.*" | "member.added" | "member.changed" | "member.removed" | "member.vanished" | "note.*" | "note.appeared" | "note.created" | "note.deleted" | "note.restored" | "note.updated" | "note.vanished" | "quick_roll.*" | "quick_roll.created" | "quick_roll.deleted" | "quick_roll.restored" | "quick_roll.updated" | "quick_roll.vanished" | "ruleset.*" | "ruleset.created" | "ruleset.deleted" | "ruleset.restored" | "ruleset.updated" | "ruleset.vanished" | "ruleset_version.*" | "ruleset_version.created" | "ruleset_version.deleted" | "ruleset_version.published" | "ruleset_version.retired" | "ruleset_version.updated" | "ruleset_version.vanished" | "secret_metadata.*" | "secret_metadata.updated" | "secret_metadata.vanished" | "sight.*" | "sight.changed" | "term.*" | "term.created" | "term.deleted" | "term.restored" | "term.updated" | "term.vanished" | "tracker.*" | "tracker.adjusted" | "tracker.appeared" | "tracker.created" | "tracker.deleted" | "tracker.emptied" | "tracker.filled" | "tracker.updated" | "tracker.vanished" | "user.*" | "user.created" | "user.deleted" | "user.purged" | "user.restored" | "user.updated" | "user.vanished" | "webhook.*" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.restored" | "webhook.retried" | "webhook.rotated" | "webhook.skipped" | "webhook.updated"
/** Values of webhook sight */
export type WebhookSight = "OPEN" | "ALL" | "USER"
/** Values of webhook status */
export type WebhookStatus = "ENABLED" | "DISABLED"
/** Values of webhook disabled reason */
export type WebhookDisabledReason = "MANUAL" | "GONE" | "FAILING" | "RESTORED"
/** An endpoint of yours, and the events that are posted to it */
export interface WebhookListItem {
  /** Webhook identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Name of the webhook */
  name: string
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too; its first 1,000 characters in a list */
  url: string
  /** The types of events that are sent */
  types: WebhookType[]
  /** Only events of this campaign; null for all */
  campaign_id: string | null
  /** The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id` */
  sight: WebhookSight
  /** The user whose view is sent, if `sight` is USER */
  user_id: string | null
  /** True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later */
  ordered: boolean
  /** ENABLED: events are sent. DISABLED: they wait, for up to 30 days */
  status: WebhookStatus
  /** MANUAL: somebody disabled it. GONE: the endpoint answered 410. FAILING: no delivery was accepted for 72 hours. RESTORED: the service was restored from a backup, and a copy must not call anybody */
  disabled_reason: WebhookDisabledReason | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** True if url was cut after 1,000 characters; the resource itself has all of it */
  truncated: boolean
}
/** A page of a list: webhook */
export interface WebhookPage {
  /** The requested page */
  items: WebhookListItem[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The fields of a new webhook */
export interface WebhookCreate {
  /** Name of the webhook. 1 to 100 characters */
  name: string
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too. 1 to 2,000 characters */
  url: string
  /** The types of events that are sent. Default: ["*"]. 1 to 100 items */
  types?: WebhookType[] | undefined
  /** Only events of this campaign; null for all */
  campaign_id?: string | null | undefined
  /** The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id`. Default: "OPEN" */
  sight?: WebhookSight | undefined
  /** The user whose view is sent, if `sight` is USER */
  user_id?: string | null | undefined
  /** True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later. Default: false */
  ordered?: boolean | undefined
}
/** A webhook, including a new secret */
export interface IssuedWebhook {
  /** Webhook identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Name of the webhook */
  name: string
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too */
  url: string
  /** The types of events that are sent */
  types: WebhookType[]
  /** Only events of this campaign; null for all */
  campaign_id: string | null
  /** The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id` */
  sight: WebhookSight
  /** The user whose view is sent, if `sight` is USER */
  user_id: string | null
  /** True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later */
  ordered: boolean
  /** ENABLED: events are sent. DISABLED: they wait, for up to 30 days */
  status: WebhookStatus
  /** MANUAL: somebody disabled it. GONE: the endpoint answered 410. FAILING: no delivery was accepted for 72 hours. RESTORED: the service was restored from a backup, and a copy must not call anybody */
  disabled_reason: WebhookDisabledReason | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
  /** The secret that signs the deliveries. It is shown only in this response: store it where the receiver can read it */
  secret: string
}
/** An endpoint of yours, and the events that are posted to it */
export interface Webhook {
  /** Webhook identifier */
  id: string
  /** Owning company */
  company_id: string
  /** Name of the webhook */
  name: string
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too */
  url: string
  /** The types of events that are sent */
  types: WebhookType[]
  /** Only events of this campaign; null for all */
  campaign_id: string | null
  /** The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id` */
  sight: WebhookSight
  /** The user whose view is sent, if `sight` is USER */
  user_id: string | null
  /** True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later */
  ordered: boolean
  /** ENABLED: events are sent. DISABLED: they wait, for up to 30 days */
  status: WebhookStatus
  /** MANUAL: somebody disabled it. GONE: the endpoint answered 410. FAILING: no delivery was accepted for 72 hours. RESTORED: the service was restored from a backup, and a copy must not call anybody */
  disabled_reason: WebhookDisabledReason | null
  /** When the resource was created */
  date_created: string
  /** When the resource last changed */
  date_modified: string
  /** Number of changes, from 1; the first part of the ETag */
  version: number
  /** When the resource was archived; null while it is live */
  date_archived: string | null
}
/** The fields of a webhook that change */
export interface WebhookPatch {
  /** Name of the webhook. 1 to 100 characters */
  name?: string | undefined
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too. 1 to 2,000 characters */
  url?: string | undefined
  /** The types of events that are sent. 1 to 100 items */
  types?: WebhookType[] | undefined
  /** Only events of this campaign; null for all */
  campaign_id?: string | null | undefined
  /** The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id` */
  sight?: WebhookSight | undefined
  /** The user whose view is sent, if `sight` is USER */
  user_id?: string | null | undefined
  /** True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later */
  ordered?: boolean | undefined
}
/** A secret that signs */
export interface WebhookSecret {
  /** Last four characters of the secret */
  last_four: string
  /** When the secret was created */
  date_created: string
  /** When the secret stops signing; null for the current one */
  date_expires: string | null
}
/** How far the deliveries of a webhook are */
export interface WebhookProgress {
  /** Number of events that are not deliveries yet */
  backlog: number
  /** Number of deliveries that wait */
  pending: number
  /** Number of the last delivery */
  number: number
  /** Number of failed attempts since the last delivery that was accepted */
  failures: number
  /** Time of the first of them */
  date_failing_since: string | null
  /** When the next delivery that waits is sent; null if none waits */
  date_due: string | null
  /** Number of events of a replay that are not deliveries yet */
  replaying: number
  /** The secrets that sign, the current one first */
  secrets: WebhookSecret[]
}
/** Replace the secret of a webhook */
export interface WebhookRotate {
  /** For how long the old secret signs, too: a receiver that knows either one accepts every delivery. Default: 86400. 0 to 604,800 */
  overlap_seconds?: number | undefined
}
/** Values of webhook start */
export type WebhookStart = "BACKLOG" | "NOW"
/** Enable a webhook */
export interface WebhookEnable {
  /** BACKLOG: everything that happened in between is sent, in order. NOW: it is skipped, and so are the deliveries that wait. Default: "BACKLOG" */
  from?: WebhookStart | undefined
}
/** Values of webhook attempt error */
export type WebhookAttemptError = "dns" | "address_not_allowed" | "connect" | "tls" | "timeout" | "too_large" | "protocol" | "status" | "user_archived"
/** A request to the endpoint, and its response */
export interface WebhookAttempt {
  /** When the request was sent */
  date_created: string
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too */
  url: string
  /** Headers of the request */
  request_headers: Record<string, string>
  /** Length of the body of the request in bytes */
  request_bytes: number
  /** Status of the response; null without one */
  status: number | null
  /** Headers of the response; null without one */
  response_headers: Record<string, string> | null
  /** The first 4 kB of the response; null without one, and after a user was purged whom it may name */
  response_body: string | null
  /** Why there was no response, or no success. dns: the name has no address. address_not_allowed: it leads to an address that webhooks are not sent to. connect: no connection, or it broke. tls: the certificate is not valid. timeout: no complete response in time. too_large: headers over 16 kB. protocol: the response is not HTTP. status: the status is not 2xx. user_archived: the user whose view is sent is archived */
  error: WebhookAttemptError | null
  /** Time from the request to the end of the response, in milliseconds */
  duration_ms: number
}
/** Send the events of a time again */
export interface WebhookReplay {
  /** The first time of the events */
  from: string
  /** The time up to which events are sent again, not included, and after `from`. Default: now */
  to?: string | undefined
  /** Only these of the types that the webhook sends. 1 to 100 items */
  types?: WebhookType[] | undefined
}
/** Events that are sent a second time */
export interface WebhookReplayed {
  /** Number of events in this time. Those that the webhook does not ask for, or may not see now, are not sent */
  events: number
}
/** Values of event type */
export type EventType = "book.*" | "book.created" | "book.deleted" | "book.moved" | "book.restored" | "book.updated" | "book.vanished" | "campaign.*" | "campaign.adjusted" | "campaign.appeared" | "campaign.created" | "campaign.deleted" | "campaign.purged" | "campaign.restored" | "campaign.ruleset_changed" | "campaign.transferred" | "campaign.updated" | "campaign.vanished" | "chapter.*" | "chapter.created" | "chapter.deleted" | "chapter.moved" | "chapter.restored" | "chapter.updated" | "chapter.vanished" | "character.*" | "character.adjusted" | "character.appeared" | "character.created" | "character.deleted" | "character.died" | "character.migrated" | "character.purged" | "character.restored" | "character.updated" | "character.vanished" | "company.*" | "company.created" | "company.deleted" | "company.restored" | "company.updated" | "dice_roll.*" | "dice_roll.created" | "dice_roll.settled" | "dice_roll.voided" | "dice_seed.*" | "dice_seed.rotated" | "dice_seed.vanished" | "experience.*" | "experience.awarded" | "experience.gained" | "experience.reversed" | "experience.spent" | "feed.*" | "feed.reset" | "feed.withdrawn" | "grant.*" | "grant.removed" | "grant.set" | "invite.*" | "invite.created" | "invite.deleted" | "item.*" | "item.adjusted" | "item.created" | "item.deleted" | "item.restored" | "item.updated" | "item.vanished" | "member.*" | "member.added" | "member.changed" | "member.removed" | "member.vanished" | "note.*" | "note.appeared" | "note.created" | "note.deleted" | "note.restored" | "note.updated" | "note.vanished" | "quick_roll.*" | "quick_roll.created" | "quick_roll.deleted" | "quick_roll.restored" | "quick_roll.updated" | "quick_roll.vanished" | "ruleset.*" | "ruleset.created" | "ruleset.deleted" | "ruleset.restored" | "ruleset.updated" | "ruleset.vanished" | "ruleset_version.*" | "ruleset_version.created" | "ruleset_version.deleted" | "ruleset_version.published" | "ruleset_version.retired" | "ruleset_version.updated" | "ruleset_version.vanished" | "secret_metadata.*" | "secret_metadata.updated" | "secret_metadata.vanished" | "sight.*" | "sight.changed" | "term.*" | "term.created" | "term.deleted" | "term.restored" | "term.updated" | "term.vanished" | "tracker.*" | "tracker.adjusted" | "tracker.appeared" | "tracker.created" | "tracker.deleted" | "tracker.emptied" | "tracker.filled" | "tracker.updated" | "tracker.vanished" | "user.*" | "user.created" | "user.deleted" | "user.purged" | "user.restored" | "user.updated" | "user.vanished" | "webhook.*" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.restored" | "webhook.retried" | "webhook.rotated" | "webhook.skipped" | "webhook.updated"
/** Values of feed type */
export type FeedType = "book.created" | "book.deleted" | "book.moved" | "book.restored" | "book.updated" | "book.vanished" | "campaign.adjusted" | "campaign.appeared" | "campaign.created" | "campaign.deleted" | "campaign.purged" | "campaign.restored" | "campaign.ruleset_changed" | "campaign.transferred" | "campaign.updated" | "campaign.vanished" | "chapter.created" | "chapter.deleted" | "chapter.moved" | "chapter.restored" | "chapter.updated" | "chapter.vanished" | "character.adjusted" | "character.appeared" | "character.created" | "character.deleted" | "character.died" | "character.migrated" | "character.purged" | "character.restored" | "character.updated" | "character.vanished" | "company.created" | "company.deleted" | "company.restored" | "company.updated" | "dice_roll.created" | "dice_roll.settled" | "dice_roll.voided" | "dice_seed.rotated" | "dice_seed.vanished" | "experience.awarded" | "experience.gained" | "experience.reversed" | "experience.spent" | "feed.reset" | "feed.withdrawn" | "grant.removed" | "grant.set" | "invite.created" | "invite.deleted" | "item.adjusted" | "item.created" | "item.deleted" | "item.restored" | "item.updated" | "item.vanished" | "member.added" | "member.changed" | "member.removed" | "member.vanished" | "note.appeared" | "note.created" | "note.deleted" | "note.restored" | "note.updated" | "note.vanished" | "quick_roll.created" | "quick_roll.deleted" | "quick_roll.restored" | "quick_roll.updated" | "quick_roll.vanished" | "ruleset.created" | "ruleset.deleted" | "ruleset.restored" | "ruleset.updated" | "ruleset.vanished" | "ruleset_version.created" | "ruleset_version.deleted" | "ruleset_version.published" | "ruleset_version.retired" | "ruleset_version.updated" | "ruleset_version.vanished" | "secret_metadata.updated" | "secret_metadata.vanished" | "sight.changed" | "term.created" | "term.deleted" | "term.restored" | "term.updated" | "term.vanished" | "tracker.adjusted" | "tracker.appeared" | "tracker.created" | "tracker.deleted" | "tracker.emptied" | "tracker.filled" | "tracker.updated" | "tracker.vanished" | "user.created" | "user.deleted" | "user.purged" | "user.restored" | "user.updated" | "user.vanished" | "webhook.created" | "webhook.deleted" | "webhook.disabled" | "webhook.enabled" | "webhook.replayed" | "webhook.restored" | "webhook.retried" | "webhook.rotated" | "webhook.skipped" | "webhook.updated"
/** The originator of a change */
export interface FeedActor {
  /** The developer whose key was used */
  developer_id: string | null
  /** The user on whose behalf the change was made */
  user_id: string | null
}
/** Values of feed change */
export type FeedChange = "UPSERT" | "REMOVE" | "RESYNC"
/** The resource that changed */
export interface FeedData {
  /** What to do with a copy of the resource: UPSERT: replace it by `resource`. REMOVE: delete it, and everything that refers to it. After a character, read the rolls and the experience of its campaign again: those of an archived one stay. RESYNC: replace it, and read again what belongs to it, because other parts of it may be visible now */
  change: FeedChange
  /** Type of the resource */
  resource_type: string
  /** Identifier of the resource */
  id: string
  /** Version of the resource that the change led to. That of `resource` may be newer */
  version: number | null
  /** Path that the resource can be read at. Without an acting user, it contains {user_id} for any user */
  path: string | null
  /** Every field that changed, with its old and new value. Null if you could not see the resource before the change */
  changes: Record<string, unknown> | null
  /** The resource exactly as a GET of `path` shows it to you now, not as it was at the time of the change. Null if it is removed, or larger than 20,000 bytes */
  resource: Record<string, unknown> | null
  /** True if `resource` is left out because of its size, or `changes` is shortened. True if `changes` is shortened: texts are cut after 500 characters, lists of more than 100 elements are left empty, and changes that still exceed 48,000 bytes are left out */
  truncated: boolean
}
/** A change, as one reader is told of it */
export interface AnyFeedItem {
  /** Identifier of this change. If you get it twice, it is the same change */
  id: string
  /**
   * Type of the event:
   * - `book.created`: A book was created
   * - `book.deleted`: A book was archived
   * - `book.moved`: A book got another place among the books of its campaign
   * - `book.restored`: An archived book was restored
   * - `book.updated`: A book was changed
   * - `book.vanished`: A book is no longer visible to you
   * - `campaign.adjusted`: Danger or desperation of a campaign went up or down
   * - `campaign.appeared`: A campaign became visible to you
   * - `campaign.created`: A campaign was created
   * - `campaign.deleted`: A campaign was archived
   * - `campaign.purged`: A campaign that had been archived for 30 days was deleted for good, with everything in it
   * - `campaign.restored`: An archived campaign was restored
   * - `campaign.ruleset_changed`: A campaign is played by another version of a ruleset, or by none
   * - `campaign.transferred`: A campaign got another owner
   * - `campaign.updated`: A campaign was changed
   * - `campaign.vanished`: A campaign is no longer visible to you
   * - `chapter.created`: A chapter was created
   * - `chapter.deleted`: A chapter was archived
   * - `chapter.moved`: A chapter got another place among the chapters of its book
   * - `chapter.restored`: An archived chapter was restored
   * - `chapter.updated`: A chapter was changed
   * - `chapter.vanished`: A chapter is no longer visible to you
   * - `character.adjusted`: A trait of a character went up or down
   * - `character.appeared`: A character became visible to you
   * - `character.created`: A character was created
   * - `character.deleted`: A character was archived
   * - `character.died`: A character died
   * - `character.migrated`: The sheet of a character was carried over to another version of the ruleset
   * - `character.purged`: A character that had been archived for 30 days was deleted for good
   * - `character.restored`: An archived character was restored
   * - `character.updated`: A character was changed
   * - `character.vanished`: A character is no longer visible to you
   * - `company.created`: A company was created
   * - `company.deleted`: A company was archived
   * - `company.restored`: An archived company was restored
   * - `company.updated`: A company was changed
   * - `dice_roll.created`: Dice were rolled, or a roll at the table was entered
   * - `dice_roll.settled`: The price of a roll with desperation dice was chosen
   * - `dice_roll.voided`: A roll was declared void
   * - `dice_seed.rotated`: A dice seed was revealed and replaced by a new one
   * - `dice_seed.vanished`: A dice seed is no longer visible to you
   * - `experience.awarded`: A user or a character received experience
   * - `experience.gained`: A user or a character received experience for raising a trait that pays
   * - `experience.reversed`: An entry of the experience ledger was reversed
   * - `experience.spent`: A user or a character spent experience
   * - `feed.reset`: Your cursor is too old, or from before the service was restored from a backup: read everything again
   * - `feed.withdrawn`: A change that was to be delivered to a webhook is no longer visible to it
   * - `grant.removed`: A developer lost access to a company
   * - `grant.set`: A developer got access to a company, or another permission in it
   * - `invite.created`: An invite to a campaign was created
   * - `invite.deleted`: An invite to a campaign was deleted
   * - `item.adjusted`: The quantity of an item went up or down
   * - `item.created`: An item was added to an inventory
   * - `item.deleted`: An item was archived
   * - `item.restored`: An archived item was restored
   * - `item.updated`: An item was changed
   * - `item.vanished`: An item is no longer visible to you
   * - `member.added`: A user joined a campaign
   * - `member.changed`: A member of a campaign got another role in it
   * - `member.removed`: A user left a campaign, or was removed from it
   * - `member.vanished`: A member of a campaign is no longer visible to you
   * - `note.appeared`: A note became visible to you
   * - `note.created`: A note was written
   * - `note.deleted`: A note was archived
   * - `note.restored`: An archived note was restored
   * - `note.updated`: A note was changed
   * - `note.vanished`: A note is no longer visible to you
   * - `quick_roll.created`: A quick roll was saved
   * - `quick_roll.deleted`: A quick roll was archived
   * - `quick_roll.restored`: An archived quick roll was restored
   * - `quick_roll.updated`: A quick roll was changed
   * - `quick_roll.vanished`: A quick roll is no longer visible to you
   * - `ruleset.created`: A ruleset was created
   * - `ruleset.deleted`: A ruleset was archived
   * - `ruleset.restored`: An archived ruleset was restored
   * - `ruleset.updated`: A ruleset was changed, or has another version
   * - `ruleset.vanished`: A ruleset is no longer visible to you
   * - `ruleset_version.created`: A draft of a version of a ruleset was created
   * - `ruleset_version.deleted`: A draft of a version of a ruleset was deleted
   * - `ruleset_version.published`: A version of a ruleset was published
   * - `ruleset_version.retired`: A version of a ruleset was retired: no further campaign can use it
   * - `ruleset_version.updated`: The document of a draft was replaced
   * - `ruleset_version.vanished`: A version of a ruleset is no longer visible to you
   * - `secret_metadata.updated`: Data of an application for storytellers was changed on a campaign or character
   * - `secret_metadata.vanished`: Data of an application for storytellers is no longer visible to you
   * - `sight.changed`: Your role, or your part in a campaign, changed what you see: read the campaign or the company again
   * - `term.created`: A term was added to the glossary of the company
   * - `term.deleted`: A term was archived
   * - `term.restored`: An archived term was restored
   * - `term.updated`: A term was changed
   * - `term.vanished`: A term is no longer visible to you
   * - `tracker.adjusted`: The value of a tracker went up or down
   * - `tracker.appeared`: A tracker became visible to you
   * - `tracker.created`: A tracker was created
   * - `tracker.deleted`: A tracker was deleted
   * - `tracker.emptied`: A tracker reached its minimum
   * - `tracker.filled`: A tracker reached its maximum
   * - `tracker.updated`: A tracker was changed
   * - `tracker.vanished`: A tracker is no longer visible to you
   * - `user.created`: A user was created
   * - `user.deleted`: A user was archived
   * - `user.purged`: A user who had been archived for 30 days was deleted for good
   * - `user.restored`: An archived user was restored
   * - `user.updated`: A user was changed
   * - `user.vanished`: A user is no longer visible to you
   * - `webhook.created`: A webhook was created
   * - `webhook.deleted`: A webhook was archived
   * - `webhook.disabled`: A webhook was disabled, by somebody or because its endpoint failed
   * - `webhook.enabled`: A webhook was enabled
   * - `webhook.replayed`: Events were sent to a webhook a second time
   * - `webhook.restored`: An archived webhook was restored
   * - `webhook.retried`: A delivery of a webhook was sent again because somebody asked for it
   * - `webhook.rotated`: A webhook got another secret
   * - `webhook.skipped`: A delivery of a webhook was left out because somebody asked for it
   * - `webhook.updated`: A webhook was changed
   */
  type: FeedType
  /** Time of the change */
  timestamp: string
  /** Company of the change */
  company_id: string
  /** Campaign of the change */
  campaign_id: string | null
  /** The originator of a change */
  actor: FeedActor | null
  /** Identifier of the request */
  request_id: string | null
  /** The reason that the caller gave */
  reason: string | null
  data: FeedData
}
/** A part of the feed. This is not a collection: it has no total, and is followed by its cursor */
export interface Changes {
  /** The next changes that you may see, oldest first */
  items: FeedItem[]
  /** Send it as `after` to get what comes next. It is only valid for you */
  cursor: string
  /** True if there are further changes that you may see, or your rights have changed: ask again at once, even if this page has few items or none */
  more: boolean
}
/** Values of webhook delivery status */
export type WebhookDeliveryStatus = "PENDING" | "DELIVERED" | "FAILED" | "SKIPPED"
/** A change that is posted to an endpoint */
export interface WebhookDelivery {
  /** Delivery identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The webhook */
  webhook_id: string
  /** Number among the deliveries of the webhook, without gaps: header `guildhall-number` */
  number: number
  /** The event; null for a `feed.reset` */
  event_id: string | null
  /** Identifier of the change, as in the changes feed: header `webhook-id` */
  change_id: string
  /** Type of the event, as in the changes feed */
  type: string
  /** PENDING: waits, or is being sent. DELIVERED: the endpoint answered with a status of 2xx. FAILED: given up after 72 hours in which others were accepted. SKIPPED: somebody skipped it */
  status: WebhookDeliveryStatus
  /** True if it was sent before, and a replay sends it again */
  is_replay: boolean
  /** Number of attempts */
  attempts: number
  /** When the next attempt may be made; null if there is none. While the endpoint fails, it is made later */
  date_due: string | null
  /** When it was delivered, given up or skipped */
  date_done: string | null
  /** When the delivery was created */
  date_created: string
}
/** A page of a list: webhook delivery */
export interface WebhookDeliveryPage {
  /** The requested page */
  items: WebhookDelivery[]
  /** Limit that was applied */
  limit: number
  /** Offset that was applied; 0 with `after` */
  offset: number
  /** Total items available across all pages */
  total: number
  /** Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list */
  next_cursor: string | null
}
/** The request as it would be sent now; null if the user whose view is sent is archived */
export interface WebhookDeliveryRequest {
  /** The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too */
  url: string
  /** Headers of the request, except the time and the signature, which every attempt has of its own */
  headers: Record<string, string>
  /** The body, as it is signed */
  body: string
}
/** A delivery with its attempts, and the request as it would be sent now */
export interface LoggedWebhookDelivery {
  /** Delivery identifier */
  id: string
  /** Owning company */
  company_id: string
  /** The webhook */
  webhook_id: string
  /** Number among the deliveries of the webhook, without gaps: header `guildhall-number` */
  number: number
  /** The event; null for a `feed.reset` */
  event_id: string | null
  /** Identifier of the change, as in the changes feed: header `webhook-id` */
  change_id: string
  /** Type of the event, as in the changes feed */
  type: string
  /** PENDING: waits, or is being sent. DELIVERED: the endpoint answered with a status of 2xx. FAILED: given up after 72 hours in which others were accepted. SKIPPED: somebody skipped it */
  status: WebhookDeliveryStatus
  /** True if it was sent before, and a replay sends it again */
  is_replay: boolean
  /** Number of attempts */
  attempts: number
  /** When the next attempt may be made; null if there is none. While the endpoint fails, it is made later */
  date_due: string | null
  /** When it was delivered, given up or skipped */
  date_done: string | null
  /** When the delivery was created */
  date_created: string
  /** The last 50 attempts, oldest first */
  log: WebhookAttempt[]
  /** The request as it would be sent now; null if the user whose view is sent is archived */
  request: WebhookDeliveryRequest | null
}
/** Enumerated values by name */
export interface Options {
  /** Accepted values of campaign creation */
  campaign_creation: string[]
  /** Accepted values of default user role */
  default_user_role: string[]
  /** Accepted values of permission */
  permission: string[]
  /** Accepted values of role */
  role: string[]
  /** Accepted values of token scope */
  token_scope: string[]
  /** Accepted values of audit log type */
  audit_log_type: string[]
  /** Accepted values of audit log resource type */
  audit_log_resource_type: string[]
  /** Accepted values of ruleset version status */
  ruleset_version_status: string[]
  /** Accepted values of ruleset term kind */
  ruleset_term_kind: string[]
  /** Accepted values of campaign status */
  campaign_status: string[]
  /** Accepted values of levels display */
  levels_display: string[]
  /** Accepted values of trait changes */
  trait_changes: string[]
  /** Accepted values of campaign access */
  campaign_access: string[]
  /** Accepted values of campaign joining */
  campaign_joining: string[]
  /** Accepted values of experience per */
  experience_per: string[]
  /** Accepted values of member role */
  member_role: string[]
  /** Accepted values of character type */
  character_type: string[]
  /** Accepted values of character status */
  character_status: string[]
  /** Accepted values of sheet visibility */
  sheet_visibility: string[]
  /** Accepted values of character visibility */
  character_visibility: string[]
  /** Accepted values of tracker style */
  tracker_style: string[]
  /** Accepted values of tracker visibility */
  tracker_visibility: string[]
  /** Accepted values of tracker mover */
  tracker_mover: string[]
  /** Accepted values of item kind */
  item_kind: string[]
  /** Accepted values of ruleset mode */
  ruleset_mode: string[]
  /** Accepted values of note visibility */
  note_visibility: string[]
  /** Accepted values of search type */
  search_type: string[]
  /** Accepted values of roll outcome */
  roll_outcome: string[]
  /** Accepted values of pool ones */
  pool_ones: string[]
  /** Accepted values of roll compare */
  roll_compare: string[]
  /** Accepted values of missing names */
  missing_names: string[]
  /** Accepted values of roll visibility */
  roll_visibility: string[]
  /** Accepted values of settlement */
  settlement: string[]
  /** Accepted values of creation status */
  creation_status: string[]
  /** Accepted values of creation method */
  creation_method: string[]
  /** Accepted values of experience recipients */
  experience_recipients: string[]
  /** Accepted values of experience kind */
  experience_kind: string[]
  /** Accepted values of webhook type */
  webhook_type: string[]
  /** Accepted values of webhook sight */
  webhook_sight: string[]
  /** Accepted values of webhook start */
  webhook_start: string[]
  /** Accepted values of event type */
  event_type: string[]
  /** Accepted values of webhook delivery status */
  webhook_delivery_status: string[]
  /** Accepted values of feed type */
  feed_type: string[]
}
/** Values of webhook ping type */
export type WebhookPingType = "webhook.ping"
/** The webhook that somebody wants to try out */
export interface WebhookPingData {
  /** The webhook */
  webhook_id: string
}
/** A delivery that tells nothing, to try out an endpoint */
export interface WebhookPing {
  /** Identifier of the ping */
  id: string
  /** Always `webhook.ping` */
  type: WebhookPingType
  /** When it was sent */
  timestamp: string
  /** Company of the webhook */
  company_id: string
  data: WebhookPingData
}
export interface ChapterNotes {
  /**
   * List notes on a chapter. Lists the notes that the acting user may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes`
   */
  list(query?: ChapterNotesListQuery, options?: RequestOptions): List<NotePage>
  /**
   * Write a note on a chapter. Every user who can see the resource may write notes on it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: NoteCreate, options?: WriteOptions): Promise<Note>
  /**
   * Get a note on a chapter. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes/{note_id}`
   */
  get(noteId: string, options?: RequestOptions): Promise<Note>
  /**
   * Change a note on a chapter. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes/{note_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(noteId: string, body: NotePatch, options?: ChangeOptions): Promise<Note>
  /**
   * Archive a note on a chapter. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes/{note_id}`
   */
  delete(noteId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived note on a chapter. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/notes/{note_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(noteId: string, options?: WriteOptions): Promise<Note>
}
/** Everything that can be done with a chapter. */
export interface ChapterHandle {
  /** Open and secret notes on a chapter */
  readonly notes: ChapterNotes
}
export interface CharacterInventory {
  /**
   * List the inventory of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory`
   */
  list(query?: CharacterInventoryListQuery, options?: RequestOptions): List<ItemPage>
  /**
   * Add an item to the inventory of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `item.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: ItemCreate, options?: WriteOptions): Promise<Item>
  /**
   * Get an item of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory/{item_id}`
   */
  get(itemId: string, options?: RequestOptions): Promise<Item>
  /**
   * Change an item of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `item.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory/{item_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(itemId: string, body: ItemPatch, options?: ChangeOptions): Promise<Item>
  /**
   * Increase or decrease the quantity of an item. Concurrent adjustments are all counted, and the quantity never falls below 0. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `item.adjusted`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory/{item_id}/adjust`
   * @throws ApiError with code `insufficient_quantity`, `out_of_range`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  adjust(itemId: string, body: ItemAdjust, options?: WriteOptions): Promise<Item>
  /**
   * Archive an item of a character. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `item.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory/{item_id}`
   */
  delete(itemId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived item of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `item.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory/{item_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(itemId: string, options?: WriteOptions): Promise<Item>
}
export interface CharacterTrackers {
  /**
   * List the trackers of a character. Lists the trackers that the acting user may see. Players see no value of a NAME_ONLY tracker. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers`
   */
  list(query?: CharacterTrackersListQuery, options?: RequestOptions): List<TrackerPage>
  /**
   * Create or replace several trackers of a character. Sets the trackers that the request names, all of them or none; others stay. Each is created or replaced as by a PUT of its own. A character has at most 100 trackers. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may change a tracker that only they may move. Recorded in the audit log as `tracker.created`, `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers`
   * @throws ApiError with code `too_many_trackers`, `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  setMany(body: TrackersSet, options?: WriteOptions): Promise<SetTrackers>
  /**
   * Reset trackers of a character to their start. A rest: sets the named trackers to their `start`, all of them or none. Without `keys`, it resets every tracker that the acting user may move. The storytellers of the campaign, ADMINs and the users whom `movable_by` names may. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/reset`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  reset(body?: TrackerReset, options?: WriteOptions): Promise<ResetTrackers>
  /**
   * Get a tracker of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/{key}`
   */
  get(key: string, options?: RequestOptions): Promise<Tracker>
  /**
   * Create or replace a tracker of a character. A replaced tracker keeps its id; fields that the request leaves out get their defaults. A character has at most 100 trackers. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may change a tracker that only they may move. Recorded in the audit log as `tracker.created`, `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/{key}`
   * @throws ApiError with code `too_many_trackers`, `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(key: string, body: TrackerSet, options?: ChangeOptions): Promise<Tracker>
  /**
   * Change a tracker of a character. A `start` that equals `maximum` follows a new `maximum`. A `visibility` other than OPEN sets `movable_by` to STORYTELLER. Use `adjust` to move the value: it does not lose concurrent moves. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may change a tracker that only they may move. Recorded in the audit log as `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/{key}`
   * @throws ApiError with code `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(key: string, body: TrackerPatch, options?: ChangeOptions): Promise<Tracker>
  /**
   * Remove a tracker of a character. The tracker is removed for good. It cannot be restored. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may; only storytellers and ADMINs may change a tracker that only they may move. Recorded in the audit log as `tracker.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/{key}`
   * @throws ApiError with code `defined_by_ruleset`, or one that many operations have.
   */
  delete(key: string, options?: DeleteOptions): Promise<void>
  /**
   * Move a tracker of a character. Adds to the value, or sets it. All of several concurrent adjustments count, and the value never leaves its range. The storytellers of the campaign, ADMINs and the users whom `movable_by` names may. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/trackers/{key}/adjust`
   * @throws ApiError with code `out_of_range`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  adjust(key: string, body: TrackerAdjust, options?: WriteOptions): Promise<Tracker>
}
export interface CharacterSecretMetadata {
  /**
   * Get the secret metadata of a character. Data of your application that no player may see. Nothing of it shows on the character: not in its version, its date or its events. Empty until something is written. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token. The storytellers of the campaign and ADMINs may.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/secret-metadata`
   */
  get(options?: RequestOptions): Promise<SecretMetadata>
  /**
   * Change the secret metadata of a character. Texts that the request does not name stay; null removes one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `secret_metadata.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/secret-metadata`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(body: SecretMetadataPatch, options?: ChangeOptions): Promise<SecretMetadata>
}
export interface CharacterConditions {
  /**
   * Set the level of a condition of a character. The ruleset of the campaign says which conditions there are, and how high their levels go. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `character.updated`, `tracker.created`, `tracker.updated`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/conditions/{condition}`
   * @throws ApiError with code `no_ruleset`, `too_many_conditions`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(condition: string, body: ConditionLevel, options?: ChangeOptions): Promise<Character>
  /**
   * End a condition of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `character.updated`, `tracker.created`, `tracker.updated`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/conditions/{condition}`
   * @throws ApiError with code `no_ruleset`, or one that many operations have.
   */
  delete(condition: string, options?: DeleteOptions): Promise<void>
}
export interface CharacterNotes {
  /**
   * List notes on a character. Lists the notes that the acting user may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes`
   */
  list(query?: CharacterNotesListQuery, options?: RequestOptions): List<NotePage>
  /**
   * Write a note on a character. Every user who can see the resource may write notes on it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: NoteCreate, options?: WriteOptions): Promise<Note>
  /**
   * Get a note on a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes/{note_id}`
   */
  get(noteId: string, options?: RequestOptions): Promise<Note>
  /**
   * Change a note on a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes/{note_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(noteId: string, body: NotePatch, options?: ChangeOptions): Promise<Note>
  /**
   * Archive a note on a character. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes/{note_id}`
   */
  delete(noteId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived note on a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/notes/{note_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(noteId: string, options?: WriteOptions): Promise<Note>
}
export interface CharacterSheetRolls {
  /**
   * List the rolls of the ruleset for a character. Lists what each roll asks for and what can be paid with it, and the notation of those that need no answer. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/rolls`
   * @throws ApiError with code `no_ruleset`, or one that many operations have.
   */
  list(options?: RequestOptions): Promise<NamedRolls>
  /**
   * Roll by the name of a roll in the ruleset. The ruleset makes notation of the sheet and the answers. It is rolled like any other notation, and can be verified in the same way; `ruleset` in the reply has what went into the roll, and the result in the words of the game. Trackers that are paid with it move before the dice are rolled, or nothing happens at all. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `dice_roll.created`, `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/rolls/{roll}`
   * @throws ApiError with code `no_ruleset`, `tracker_exhausted`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(roll: string, body?: SheetRollCreate, options?: WriteOptions): Promise<DiceRoll>
  /**
   * Compute the odds of a roll of the ruleset. Computes the exact probability of every outcome and of every score, with the values that the acting user sees. Nothing is rolled or paid. Rejects dice that explode, and dice with too many combinations. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/rolls/{roll}/odds`
   * @throws ApiError with code `no_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  odds(roll: string, body?: SheetRollOddsRequest, options?: RequestOptions): Promise<SheetRollOdds>
}
export interface CharacterQuickRolls {
  /**
   * List the quick rolls of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls`
   */
  list(query?: CharacterQuickRollsListQuery, options?: RequestOptions): List<QuickRollPage>
  /**
   * Save a quick roll of a character. Holds what `POST .../dice-rolls` rolls: `notation`, a `pool` or several `rolls`, with everything that belongs to them. Names are looked up when it is rolled. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `quick_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: QuickRollCreate, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Get a quick roll of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls/{quick_roll_id}`
   */
  get(quickRollId: string, options?: RequestOptions): Promise<QuickRoll>
  /**
   * Change a quick roll of a character. A new `notation`, `pool` or `rolls` replaces everything that is rolled: fields that the request leaves out become null. Without one of these, the fields of the request are changed, each as a whole, and null removes one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `quick_roll.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls/{quick_roll_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(quickRollId: string, body: QuickRollPatch, options?: ChangeOptions): Promise<QuickRoll>
  /**
   * Archive a quick roll of a character. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `quick_roll.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls/{quick_roll_id}`
   */
  delete(quickRollId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived quick roll of a character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. The player may not while the sheet is for storytellers only. Recorded in the audit log as `quick_roll.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls/{quick_roll_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(quickRollId: string, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Roll a quick roll of a character. Works like `POST .../dice-rolls` with what is saved. The roll is made for the character. The request may override modifier, difficulty and desperation dice of a pool, the target and `missing`, and add `values`. With `rolls` or `repeat` the reply has all rolls as `items`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/quick-rolls/{quick_roll_id}/roll`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  roll(quickRollId: string, body?: CharacterQuickRollRoll, options?: WriteOptions): Promise<DiceRoll | RollGroup>
}
export interface CharacterStatistics {
  /**
   * Get the statistics of the rolls for a character. Counts every roll that the acting user may see, including the most recent one. A settled roll counts with the outcome of its settlement, and a voided one not at all. Dice rolled at the table count in `manual` only. `traits` leaves out the characters whose sheets are hidden from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/statistics`
   */
  get(options?: RequestOptions): Promise<Statistics>
}
export interface CharacterCosts {
  /**
   * List what it costs to raise the traits of a character. Lists the next step of every trait of the ruleset, or with `trait` and `to` every step of one trait; the list of one trait ends with a step that cannot be taken. Spend with the sum of the steps as `amount`, and the price is paid only if it is still the same. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/costs`
   * @throws ApiError with code `no_ruleset`, or one that many operations have.
   */
  get(query?: CharacterCostsGetQuery, options?: RequestOptions): Promise<Costs>
}
export interface CharacterHistory {
  /**
   * List the changes of a character. Every change of the character itself, newest first, with the user, the time, the values before and after and, if one was given, the reason. Traits and details are left out where the sheet is, or was then, hidden from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/history`
   */
  list(query?: CharacterHistoryListQuery, options?: RequestOptions): List<HistoryEntryPage>
}
/** Everything that can be done with a character. */
export interface CharacterHandle {
  /** The items of a character */
  readonly inventory: CharacterInventory
  /** Hit points, hunger, stress and other numbers of a character that move during play */
  readonly trackers: CharacterTrackers
  /** Data of your application on a character, for the storytellers of its campaign only */
  readonly secretMetadata: CharacterSecretMetadata
  /** What a character suffers or enjoys for a while, by the ruleset of the campaign */
  readonly conditions: CharacterConditions
  /** Open and secret notes on a character */
  readonly notes: CharacterNotes
  /** Rolls by their name in the ruleset of the campaign, for a character */
  readonly sheetRolls: CharacterSheetRolls
  /** Rolls that are part of the sheet of a character */
  readonly quickRolls: CharacterQuickRolls
  /** Outcomes, luck and favorite traits of dice rolls, day by day */
  readonly statistics: CharacterStatistics
  /** What it costs to raise the traits of a character, by the ruleset of the campaign */
  readonly costs: CharacterCosts
  /** The changes of a character */
  readonly history: CharacterHistory
}
export interface BookChapters {
  /**
   * List the chapters of a book. Lists them in the order of their numbers, unless `sort` names another order. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters`
   */
  list(query?: BookChaptersListQuery, options?: RequestOptions): List<ChapterPage>
  /**
   * Add a chapter to a book. It becomes the last one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `chapter.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: ChapterCreate, options?: WriteOptions): Promise<Chapter>
  /**
   * Get a chapter. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}`
   */
  get(chapterId: string, options?: RequestOptions): Promise<Chapter>
  /**
   * Change a chapter. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `chapter.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(chapterId: string, body: ChapterPatch, options?: ChangeOptions): Promise<Chapter>
  /**
   * Move a chapter to another position. The other chapters make room, and the numbers stay 1 to n. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `chapter.moved`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/number`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  move(chapterId: string, body: NumberSet, options?: ChangeOptions): Promise<Chapter>
  /**
   * Archive a chapter. It is hidden with its notes, and the chapters after it move up. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `chapter.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}`
   */
  delete(chapterId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived chapter. It becomes the last one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `chapter.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters/{chapter_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(chapterId: string, options?: WriteOptions): Promise<Chapter>
}
export interface BookNotes {
  /**
   * List notes on a book. Lists the notes that the acting user may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes`
   */
  list(query?: BookNotesListQuery, options?: RequestOptions): List<NotePage>
  /**
   * Write a note on a book. Every user who can see the resource may write notes on it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: NoteCreate, options?: WriteOptions): Promise<Note>
  /**
   * Get a note on a book. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes/{note_id}`
   */
  get(noteId: string, options?: RequestOptions): Promise<Note>
  /**
   * Change a note on a book. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes/{note_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(noteId: string, body: NotePatch, options?: ChangeOptions): Promise<Note>
  /**
   * Archive a note on a book. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes/{note_id}`
   */
  delete(noteId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived note on a book. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/notes/{note_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(noteId: string, options?: WriteOptions): Promise<Note>
}
/** Everything that can be done with a book. */
export interface BookHandle {
  /** The numbered parts of a book */
  readonly chapters: BookChapters
  /** Open and secret notes on a book */
  readonly notes: BookNotes
  /** Binds the id of a chapter. */
  chapter(chapterId: string): ChapterHandle
}
export interface CampaignDiceSeeds {
  /**
   * Get the seed of the public rolls of a campaign. Every die follows from the server seed, the client seed and the number of the roll, so nobody can choose the result. See docs/fairness.md. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/dice-seed`
   */
  get(options?: RequestOptions): Promise<DiceSeed>
  /**
   * Reveal the seed of the public rolls of a campaign, and commit to a new one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `dice_seed.rotated`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/dice-seed/rotate`
   * @throws ApiError with code `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rotate(options?: WriteOptions): Promise<DiceSeedRotated>
}
export interface CampaignSecretDiceSeeds {
  /**
   * Get the seed of the secret rolls of a campaign. Only the storytellers of the campaign and ADMINs can see this seed. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/secret-dice-seed`
   */
  get(options?: RequestOptions): Promise<DiceSeed>
  /**
   * Reveal the seed of the secret rolls of a campaign, and commit to a new one. Only the storytellers of the campaign and ADMINs can see this seed. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_seed.rotated`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/secret-dice-seed/rotate`
   * @throws ApiError with code `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rotate(options?: WriteOptions): Promise<DiceSeedRotated>
}
export interface CampaignMembers {
  /**
   * List the members of a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/members`
   */
  list(query?: CampaignMembersListQuery, options?: RequestOptions): List<MemberPage>
  /**
   * Join a campaign. Makes the acting user a member with the role PLAYER. A member stays what they are. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Members of the campaign, its owner and ADMINs may write in it; so may every other user, who thereby becomes a member, if `joining` is OPEN. Recorded in the audit log as `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/join`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  join(options?: WriteOptions): Promise<Member>
  /**
   * Leave a campaign. The characters of the acting user stay in the campaign and remain theirs. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `member.removed`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/leave`
   * @throws ApiError with code `owner_is_member`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  leave(options?: WriteOptions): Promise<void>
  /**
   * Get a member of a campaign. `member_id` is the id of the user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/members/{member_id}`
   */
  get(memberId: string, options?: RequestOptions): Promise<Member>
  /**
   * Add a user to a campaign, or change their role in it. `member_id` is the id of the user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `member.added`, `member.changed`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/members/{member_id}`
   * @throws ApiError with code `role_too_low`, `owner_is_member`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(memberId: string, body: MemberSet, options?: ChangeOptions): Promise<Member>
  /**
   * Remove a user from a campaign. `member_id` is the id of the user. Their characters stay in the campaign and remain theirs. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `member.removed`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/members/{member_id}`
   * @throws ApiError with code `owner_is_member`, or one that many operations have.
   */
  delete(memberId: string, options?: DeleteOptions): Promise<void>
}
export interface CampaignInvites {
  /**
   * List the invites of a campaign. Also lists invites that have expired or are used up, until they are deleted. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token. The storytellers of the campaign and ADMINs may.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/invites`
   */
  list(query?: CampaignInvitesListQuery, options?: RequestOptions): List<InvitePage>
  /**
   * Make an invite. The code is shown only in the reply. The service stores its hash. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `invite.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/invites`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body?: InviteCreate, options?: WriteOptions): Promise<IssuedInvite>
  /**
   * Get an invite. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token. The storytellers of the campaign and ADMINs may.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/invites/{invite_id}`
   */
  get(inviteId: string, options?: RequestOptions): Promise<Invite>
  /**
   * Revoke an invite. The code stops working immediately. Users who accepted it stay members. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `invite.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/invites/{invite_id}`
   */
  delete(inviteId: string, options?: DeleteOptions): Promise<void>
}
export interface CampaignCharacters {
  /**
   * List the characters of a campaign. Lists the characters that the acting user may see. Only the storytellers of the campaign and ADMINs see hidden NPCs. Use `include` to get the inventory and notes of each character. `traits`, `details` and the inventory are null if `sheet_visibility` hides them from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters`
   */
  list(query?: CampaignCharactersListQuery, options?: RequestOptions): List<SheetPage>
  /**
   * Get a character, optionally with its parts. Use `include` to read a whole sheet at once. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}`
   */
  get(characterId: string, query?: CampaignCharactersGetQuery, options?: RequestOptions): Promise<CharacterOverview>
  /**
   * Create a character. The player of the character becomes a member of the campaign. If `trait_changes` of the campaign is STORYTELLER, a player sends no traits. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Every user may create characters for themselves; the storytellers of the campaign and ADMINs may also create NPCs, characters for other users, and sheets that only storytellers see. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `character.created`, `member.added`, `tracker.created`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters`
   * @throws ApiError with code `duplicate`, `defined_by_ruleset`, `too_many_trackers`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: CharacterCreate, options?: WriteOptions): Promise<Character>
  /**
   * Change a character. Traits and details that the request does not name keep their values. A new player becomes a member of the campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. Only storytellers and ADMINs may hand it to another player, or make its sheet one that only storytellers see or no longer so. The player may change traits and choices only if `trait_changes` of the campaign is ANYONE, and neither these nor details while only storytellers see the sheet. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `character.updated`, `character.died`, `member.added`, `tracker.created`, `tracker.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(characterId: string, body: CharacterPatch, options?: ChangeOptions): Promise<Character>
  /**
   * Archive a character. Hides the character with its inventory and notes. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. Recorded in the audit log as `character.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}`
   */
  delete(characterId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived character. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The player of the character, the storytellers of the campaign and ADMINs may. Recorded in the audit log as `character.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(characterId: string, options?: WriteOptions): Promise<Character>
  /**
   * Raise or lower several traits and trackers of a character. Adds to the current values, to all of them or to none. All of several concurrent adjustments count. The reply has the trackers that the request names. Each changed trait and tracker has an event of its own. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may adjust traits, and the player of the character if `trait_changes` of the campaign is ANYONE; each tracker may be moved by the users whom its `movable_by` names, and by storytellers and ADMINs. Recorded in the audit log as `character.adjusted`, `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `tracker.created`, `tracker.updated`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/adjust`
   * @throws ApiError with code `out_of_range`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  adjust(characterId: string, body: CharacterAdjust, options?: WriteOptions): Promise<AdjustedCharacter>
  /**
   * Generate random characters by the ruleset. Answers the steps with which the ruleset of the campaign creates a character at random. Generated characters follow all of its rules. The experience of a tier is spent by its prices, and is in no ledger. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Every user may generate player characters for themselves, unless `trait_changes` of the campaign is STORYTELLER; the storytellers of the campaign and ADMINs may also generate NPCs and characters for other users. Recorded in the audit log as `character.created`, `member.added`, `tracker.created`, `tracker.updated`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/generate`
   * @throws ApiError with code `no_ruleset`, `no_creation`, `not_generated`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  generate(body?: CharactersGenerate, options?: WriteOptions): Promise<GeneratedCharacters>
}
export interface CampaignTrackers {
  /**
   * List the trackers of a campaign. Lists the trackers that the acting user may see. Players see no value of a NAME_ONLY tracker. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers`
   */
  list(query?: CampaignTrackersListQuery, options?: RequestOptions): List<TrackerPage>
  /**
   * Create or replace several trackers of a campaign. Sets the trackers that the request names, all of them or none; others stay. Each is created or replaced as by a PUT of its own. A campaign has at most 100 trackers. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `tracker.created`, `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers`
   * @throws ApiError with code `too_many_trackers`, `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  setMany(body: TrackersSet, options?: WriteOptions): Promise<SetTrackers>
  /**
   * Reset trackers of a campaign to their start. A rest: sets the named trackers to their `start`, all of them or none. Without `keys`, it resets every tracker that the acting user may move. The storytellers of the campaign, ADMINs and the users whom `movable_by` names may. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/reset`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  reset(body?: TrackerReset, options?: WriteOptions): Promise<ResetTrackers>
  /**
   * Get a tracker of a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}`
   */
  get(key: string, options?: RequestOptions): Promise<Tracker>
  /**
   * Create or replace a tracker of a campaign. A replaced tracker keeps its id; fields that the request leaves out get their defaults. A campaign has at most 100 trackers. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `tracker.created`, `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}`
   * @throws ApiError with code `too_many_trackers`, `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(key: string, body: TrackerSet, options?: ChangeOptions): Promise<Tracker>
  /**
   * Change a tracker of a campaign. A `start` that equals `maximum` follows a new `maximum`. A `visibility` other than OPEN sets `movable_by` to STORYTELLER. Use `adjust` to move the value: it does not lose concurrent moves. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `tracker.updated`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}`
   * @throws ApiError with code `defined_by_ruleset`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(key: string, body: TrackerPatch, options?: ChangeOptions): Promise<Tracker>
  /**
   * Remove a tracker of a campaign. The tracker is removed for good. It cannot be restored. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `tracker.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}`
   * @throws ApiError with code `defined_by_ruleset`, or one that many operations have.
   */
  delete(key: string, options?: DeleteOptions): Promise<void>
  /**
   * Move a tracker of a campaign. Adds to the value, or sets it. All of several concurrent adjustments count, and the value never leaves its range. The storytellers of the campaign, ADMINs and the users whom `movable_by` names may. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `tracker.adjusted`, `tracker.filled`, `tracker.emptied`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}/adjust`
   * @throws ApiError with code `out_of_range`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  adjust(key: string, body: TrackerAdjust, options?: WriteOptions): Promise<Tracker>
}
export interface CampaignSecretMetadata {
  /**
   * Get the secret metadata of a campaign. Data of your application that no player may see. Nothing of it shows on the campaign: not in its version, its date or its events. Empty until something is written. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token. The storytellers of the campaign and ADMINs may.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/secret-metadata`
   */
  get(options?: RequestOptions): Promise<SecretMetadata>
  /**
   * Change the secret metadata of a campaign. Texts that the request does not name stay; null removes one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `secret_metadata.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/secret-metadata`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(body: SecretMetadataPatch, options?: ChangeOptions): Promise<SecretMetadata>
}
export interface CampaignRulesets {
  /**
   * Get the ruleset of a campaign. The version and its document: everything that a client needs to draw a sheet and to roll. 404 if the campaign has none. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/ruleset`
   */
  get(options?: RequestOptions): Promise<CampaignRuleset>
  /**
   * Choose the ruleset of a campaign. The campaign is played by this version until another one is chosen: a version never changes. Sheets of an earlier version of the same ruleset are carried over as the versions in between say. Nothing is cut: a value that does not fit stays, and is shown on the sheet. Send `dry_run` to see what would happen. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `campaign.ruleset_changed`, `character.migrated`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/ruleset`
   * @throws ApiError with code `version_not_published`, `characters_unfit`, `too_many_characters`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(body: CampaignRulesetSet, options?: ChangeOptions): Promise<ChangedCampaignRuleset>
  /**
   * Play a campaign without a ruleset. Everything on the sheets stays. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `campaign.ruleset_changed`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/ruleset`
   */
  delete(options?: DeleteOptions): Promise<void>
}
export interface CampaignBooks {
  /**
   * List the books of a campaign. Lists them in the order of their numbers, unless `sort` names another order. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books`
   */
  list(query?: CampaignBooksListQuery, options?: RequestOptions): List<BookPage>
  /**
   * Add a book to a campaign. It becomes the last one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `book.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: BookCreate, options?: WriteOptions): Promise<Book>
  /**
   * Get a book. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}`
   */
  get(bookId: string, query?: CampaignBooksGetQuery, options?: RequestOptions): Promise<BookWithChapters>
  /**
   * Change a book. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `book.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(bookId: string, body: BookPatch, options?: ChangeOptions): Promise<Book>
  /**
   * Move a book to another position. The other books make room, and the numbers stay 1 to n. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `book.moved`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/number`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  move(bookId: string, body: NumberSet, options?: ChangeOptions): Promise<Book>
  /**
   * Archive a book. It is hidden with its chapters and notes, and the books after it move up. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `book.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}`
   */
  delete(bookId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived book. It becomes the last one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `book.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(bookId: string, options?: WriteOptions): Promise<Book>
}
export interface CampaignNotes {
  /**
   * List notes on a campaign. Lists the notes that the acting user may see. With `scope=all`, it also lists the notes on the books, chapters and characters of the campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes`
   */
  list(query?: CampaignNotesListQuery, options?: RequestOptions): List<NotePage>
  /**
   * Write a note on a campaign. Every user who can see the resource may write notes on it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: NoteCreate, options?: WriteOptions): Promise<Note>
  /**
   * Get a note on a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes/{note_id}`
   */
  get(noteId: string, options?: RequestOptions): Promise<Note>
  /**
   * Change a note on a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes/{note_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(noteId: string, body: NotePatch, options?: ChangeOptions): Promise<Note>
  /**
   * Archive a note on a campaign. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes/{note_id}`
   */
  delete(noteId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived note on a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The author of the note and ADMINs may; the storytellers of the campaign may, unless the visibility of the note is AUTHOR. Recorded in the audit log as `note.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/notes/{note_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(noteId: string, options?: WriteOptions): Promise<Note>
}
export interface CampaignCreations {
  /**
   * List creations of characters. Lists the creations of your own characters; the storytellers of the campaign and ADMINs see all of them. They are deleted seven days after they were started. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations`
   */
  list(query?: CampaignCreationsListQuery, options?: RequestOptions): List<ListedCreationPage>
  /**
   * Start to create a character. The reply has the steps of the ruleset of the campaign. Choices that you send are answers to their steps. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Every user may create characters of their own, unless `trait_changes` of the campaign is STORYTELLER; the storytellers of the campaign and ADMINs may also create NPCs, and characters for other users. Recorded in the audit log as `creation.started`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations`
   * @throws ApiError with code `no_ruleset`, `no_creation`, `too_many_creations`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body?: CreationStart, options?: WriteOptions): Promise<Creation>
  /**
   * Get a creation. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}`
   */
  get(creationId: string, options?: RequestOptions): Promise<Creation>
  /**
   * Abandon a creation. Nothing more can be answered. It can be read until it expires. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `creation.abandoned`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}`
   * @throws ApiError with code `creation_finished`, or one that many operations have.
   */
  delete(creationId: string, options?: DeleteOptions): Promise<void>
  /**
   * Answer a step. The answer is checked by the rules of the step. It can be replaced until the creation is finished. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `creation.answered`, `member.added`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}/steps/{step}`
   * @throws ApiError with code `creation_finished`, `ruleset_changed`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  answer(creationId: string, step: string, body: StepAnswer, options?: ChangeOptions): Promise<Creation>
  /**
   * Roll the dice of a step. The dice are rolled once, from the seed of the campaign: one dice roll for each trait of the step, each with its proof. The answer gives all of the values to traits. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `creation.answered`, `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}/steps/{step}/roll`
   * @throws ApiError with code `creation_finished`, `ruleset_changed`, `not_rolled`, `already_rolled`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  roll(creationId: string, step: string, options?: WriteOptions): Promise<Creation>
  /**
   * Answer steps at random. Answers the steps that are not done, or those that you name. A tier then spends experience by the prices of the ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `creation.answered`, `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}/random`
   * @throws ApiError with code `creation_finished`, `ruleset_changed`, `not_generated`, `creation_unfinished`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  random(creationId: string, body?: CreationRandom, options?: WriteOptions): Promise<Creation>
  /**
   * Finish a creation. Creates the character, once. All steps must be done, and the sheet must follow the rules. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `character.created`, `creation.finished`, `member.added`, `tracker.created`, `tracker.updated`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/creations/{creation_id}/finish`
   * @throws ApiError with code `creation_finished`, `ruleset_changed`, `creation_unfinished`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  finish(creationId: string, body: CreationFinish, options?: WriteOptions): Promise<Character>
}
export interface CampaignQuickRolls {
  /**
   * List the quick rolls of a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls`
   */
  list(query?: CampaignQuickRollsListQuery, options?: RequestOptions): List<QuickRollPage>
  /**
   * Save a quick roll of a campaign. Holds what `POST .../dice-rolls` rolls: `notation`, a `pool` or several `rolls`, with everything that belongs to them. Names are looked up when it is rolled. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `quick_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: QuickRollCreate, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Get a quick roll of a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls/{quick_roll_id}`
   */
  get(quickRollId: string, options?: RequestOptions): Promise<QuickRoll>
  /**
   * Change a quick roll of a campaign. A new `notation`, `pool` or `rolls` replaces everything that is rolled: fields that the request leaves out become null. Without one of these, the fields of the request are changed, each as a whole, and null removes one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `quick_roll.updated`, `member.added`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls/{quick_roll_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(quickRollId: string, body: QuickRollPatch, options?: ChangeOptions): Promise<QuickRoll>
  /**
   * Archive a quick roll of a campaign. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `quick_roll.deleted`, `member.added`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls/{quick_roll_id}`
   */
  delete(quickRollId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived quick roll of a campaign. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `quick_roll.restored`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls/{quick_roll_id}/restore`
   * @throws ApiError with code `duplicate`, `parent_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(quickRollId: string, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Roll a quick roll of a campaign. Works like `POST .../dice-rolls` with what is saved. The roll is made in the campaign. The request may override modifier, difficulty and desperation dice of a pool, the target and `missing`, and add `values`. With `rolls` or `repeat` the reply has all rolls as `items`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/quick-rolls/{quick_roll_id}/roll`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  roll(quickRollId: string, body?: CampaignQuickRollRoll, options?: WriteOptions): Promise<DiceRoll | RollGroup>
}
export interface CampaignStatistics {
  /**
   * Get the statistics of the rolls in a campaign. Counts every roll that the acting user may see, including the most recent one. A settled roll counts with the outcome of its settlement, and a voided one not at all. Dice rolled at the table count in `manual` only. `traits` leaves out the characters whose sheets are hidden from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/statistics`
   */
  get(options?: RequestOptions): Promise<Statistics>
}
export interface CampaignExperience {
  /**
   * List the experience of all users or characters in a campaign. Lists every user who has ever been awarded experience in the campaign, or every character if `experience_per` of the campaign is CHARACTER. Characters whose sheets are hidden from the acting user are left out, and so are their players where experience belongs to users. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience`
   */
  list(query?: CampaignExperienceListQuery, options?: RequestOptions): List<ExperienceBalancePage>
  /**
   * Award experience. Awards the same `amount` to each of `user_ids` or to all members, or an amount of its own to each of `awards`. If one award fails, none is made. Where `experience_per` of the campaign is CHARACTER, awards go to player characters: `user_ids` is 400, and each of `awards` names a `character_id`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The storytellers of the campaign and ADMINs may. Recorded in the audit log as `experience.awarded`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience/awards`
   * @throws ApiError with code `experience_per_character`, `experience_per_user`, `no_recipients`, `too_many_recipients`, `no_player`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  award(body: ExperienceAward, options?: WriteOptions): Promise<ExperienceAwarded>
  /**
   * Spend experience. With a `trait`, also raises that trait of the character in the same transaction: either both happen or neither does. A trait can only be raised. Where `experience_per` of the campaign is CHARACTER, `character_id` is required, and the experience of that character is spent. Where the campaign has a ruleset, a raise is paid at its price, step by step from the present value: `costs` of the character shows it. A price below 0 gives experience: the entry is a GAIN. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Every user may spend their own experience and that of their own characters, but raise a trait with it only if `trait_changes` of the campaign is not STORYTELLER; the storytellers of the campaign and ADMINs may raise traits, and spend the experience of others. Recorded in the audit log as `experience.spent`, `experience.gained`, `character.updated`, `tracker.created`, `tracker.updated`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience/spends`
   * @throws ApiError with code `experience_per_character`, `not_enough_experience`, `not_their_character`, `no_player`, `trait_not_raised`, `not_for_experience`, `needs_not_met`, `price_changed`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  spend(body: ExperienceSpend, options?: WriteOptions): Promise<ExperienceEntry>
}
export interface CampaignExperienceEntries {
  /**
   * List the ledger entries of a campaign. Leaves out the entries of characters whose sheets are hidden from the acting user, and those of their players where experience belongs to users. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience/entries`
   */
  list(query?: CampaignExperienceEntriesListQuery, options?: RequestOptions): List<ExperienceEntryPage>
  /**
   * Get a ledger entry. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience/entries/{entry_id}`
   */
  get(entryId: string, options?: RequestOptions): Promise<ExperienceEntry>
  /**
   * Reverse an award or a spend. Writes the opposite entry. An entry can be reversed once. It moves the amount of the entry, whatever the price would be now. The storytellers of the campaign and ADMINs may reverse any entry; players may reverse their own spends, or those of their characters, within 24 hours. If the spend raised a trait, the trait returns to its former value. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `experience.reversed`, `character.updated`, `tracker.created`, `tracker.updated`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/experience/entries/{entry_id}/reverse`
   * @throws ApiError with code `already_reversed`, `not_reversible`, `award_spent`, `trait_changed`, `character_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  reverse(entryId: string, body: ExperienceReverse, options?: WriteOptions): Promise<ExperienceEntry>
}
/** Everything that can be done with a campaign. */
export interface CampaignHandle {
  /** The seeds of the open dice rolls of a campaign */
  readonly diceSeeds: CampaignDiceSeeds
  /** The seeds of the secret dice rolls of a campaign, for its storytellers */
  readonly secretDiceSeeds: CampaignSecretDiceSeeds
  /** The users who take part in a campaign, as storyteller or as player */
  readonly members: CampaignMembers
  /** Invitations to a campaign. Whoever has the code of one can become a member */
  readonly invites: CampaignInvites
  /** The player characters and NPCs of a campaign. NPCs can be hidden from players */
  readonly characters: CampaignCharacters
  /** Clocks and other numbers of a campaign, open or hidden from players */
  readonly trackers: CampaignTrackers
  /** Data of your application on a campaign, for its storytellers only */
  readonly secretMetadata: CampaignSecretMetadata
  /** The version of a ruleset that a campaign is played by */
  readonly rulesets: CampaignRulesets
  /** The story of a campaign, in numbered books */
  readonly books: CampaignBooks
  /** Open and secret notes on a campaign */
  readonly notes: CampaignNotes
  /** Characters that are created step by step, by the ruleset of the campaign */
  readonly creations: CampaignCreations
  /** Rolls that everybody in a campaign can make by their names */
  readonly quickRolls: CampaignQuickRolls
  /** Outcomes, luck and favorite traits of dice rolls, day by day */
  readonly statistics: CampaignStatistics
  /** A ledger of the experience that users, or their characters, earn and spend */
  readonly experience: CampaignExperience
  /** The entries of the ledger. An entry never changes; another one can reverse it */
  readonly experienceEntries: CampaignExperienceEntries
  /** Binds the id of a character. */
  character(characterId: string): CharacterHandle
  /** Binds the id of a book. */
  book(bookId: string): BookHandle
  /**
   * Stream the changes in one campaign that a user may see. Sends each change as it happens, as Server-Sent Events. An event has the same form as in `changes`, and its `id` is a cursor: send the last one as `Last-Event-ID`, or as `after`, to go on from there. `Last-Event-ID` wins. A cursor that is too old, or from before a restore, gets one `feed.reset`. Only changes in this campaign are sent, and those of your own role. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/stream`
   */
  events(options?: CampaignEventsQuery & EventsOptions): AsyncGenerator<StreamEvent>
}
export interface UserDiceSeeds {
  /**
   * Get the seed of your rolls outside campaigns. Every die follows from the server seed, the client seed and the number of the roll, so nobody can choose the result. See docs/fairness.md. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/dice-seed`
   */
  get(options?: RequestOptions): Promise<DiceSeed>
  /**
   * Reveal the seed of your rolls outside campaigns, and commit to a new one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_seed.rotated`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-seed/rotate`
   * @throws ApiError with code `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rotate(options?: WriteOptions): Promise<DiceSeedRotated>
}
export interface UserTokens {
  /**
   * List the tokens of a user. Lists the tokens that work, whichever key issued them, and with them the console sessions of the user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/tokens`
   */
  list(query?: UserTokensListQuery, options?: RequestOptions): List<UserTokenPage>
  /**
   * Issue a token for a user. The token acts as the user, in this company only, with permission USER whatever the key has. It is shown only in the reply; the service stores its hash. It ends when it expires, is deleted or revoked, or when the key that issued it ends. Needs a key with permission USER, ADMIN or OWNER in the company. Recorded in the audit log as `user_token.created`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/tokens`
   * @throws ApiError with code `too_many_tokens`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body?: TokenCreate, options?: WriteOptions): Promise<IssuedToken>
  /**
   * Revoke all tokens of a user. Their console sessions are among them. They stop working immediately, on every server; the one that makes the request is among them. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `user_token.revoked`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/tokens/revoke`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  revoke(options?: WriteOptions): Promise<RevokedTokens>
  /**
   * Get a token of a user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/tokens/{token_id}`
   */
  get(tokenId: string, options?: RequestOptions): Promise<UserToken>
  /**
   * Delete a token of a user. It stops working immediately, on every server. With a token, a user can sign out by deleting it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `user_token.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/tokens/{token_id}`
   */
  delete(tokenId: string, options?: DeleteOptions): Promise<void>
}
export interface UserSignInLinks {
  /**
   * List the sign-in links of a user. Lists the links that work, whichever key created them. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/sign-in-links`
   */
  list(query?: UserSignInLinksListQuery, options?: RequestOptions): List<SignInLinkPage>
  /**
   * Create a sign-in link for a user. Whoever opens the link first acts as the user in the console: give it to nobody else. Fetching the address, as the previews of chat programs do, does not use it up. The link ends when it is used, expires or is deleted, or when the key that created it ends. Needs a key with permission USER, ADMIN or OWNER in the company. Recorded in the audit log as `sign_in_link.created`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/sign-in-links`
   * @throws ApiError with code `too_many_links`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body?: SignInLinkCreate, options?: WriteOptions): Promise<IssuedSignInLink>
  /**
   * Get a sign-in link of a user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/sign-in-links/{link_id}`
   */
  get(linkId: string, options?: RequestOptions): Promise<SignInLink>
  /**
   * Revoke a sign-in link of a user. It stops working immediately, on every server. A session that began with it goes on: it is among the tokens of the user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `sign_in_link.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/sign-in-links/{link_id}`
   */
  delete(linkId: string, options?: DeleteOptions): Promise<void>
}
export interface UserCampaigns {
  /**
   * List the campaigns of the company. Every user sees every campaign, except private ones (`access` MEMBERS) of which they are not a member. With `archived=true`, only those that the acting user may restore are listed. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns`
   */
  list(query?: UserCampaignsListQuery, options?: RequestOptions): List<CampaignPage>
  /**
   * Create a campaign. The acting user becomes its owner and first member. An owner whose role in the company is PLAYER can change, archive and transfer the campaign and write its books. Only storytellers manage its members and NPCs and set its danger and desperation. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Every user may, unless the company setting `campaign_creation` is STORYTELLER; then only STORYTELLERs and ADMINs may. A PLAYER may not set `danger` and `desperation`. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `campaign.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: CampaignCreate, options?: WriteOptions): Promise<Campaign>
  /**
   * Get a campaign, optionally with its parts. Use `include` to read a whole screen at once. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}`
   */
  get(campaignId: string, query?: UserCampaignsGetQuery, options?: RequestOptions): Promise<CampaignOverview>
  /**
   * Change a campaign. The status can change from PLANNED to ACTIVE, between ACTIVE and PAUSED, from either of them to COMPLETED, and from COMPLETED to ACTIVE. `experience_per` can change until the first award. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. `danger` and `desperation` may be set by every STORYTELLER and ADMIN of the company, and by no PLAYER. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `campaign.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}`
   * @throws ApiError with code `duplicate`, `illegal_transition`, `experience_exists`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(campaignId: string, body: CampaignPatch, options?: ChangeOptions): Promise<Campaign>
  /**
   * Archive a campaign. The campaign and everything in it are hidden. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `campaign.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}`
   */
  delete(campaignId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived campaign. Everything in it that was not archived separately is restored with it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign, its storytellers and ADMINs may. Recorded in the audit log as `campaign.restored`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/restore`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(campaignId: string, options?: WriteOptions): Promise<Campaign>
  /**
   * Raise or lower danger and desperation. Adds to the current values. All of several concurrent adjustments count. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY; the acting user needs role STORYTELLER or ADMIN. Recorded in the audit log as `campaign.adjusted`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/adjust`
   * @throws ApiError with code `out_of_range`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  adjust(campaignId: string, body: CampaignAdjust, options?: WriteOptions): Promise<Campaign>
  /**
   * Transfer a campaign to another user. The former owner stays a member. The new owner becomes a STORYTELLER of the campaign if their role in the company is STORYTELLER or ADMIN, otherwise a PLAYER. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. The owner of the campaign and ADMINs may. Recorded in the audit log as `campaign.transferred`, `member.added`, `member.changed`.
   *
   * `PUT /api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/owner`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  transfer(campaignId: string, body: CampaignOwner, options?: ChangeOptions): Promise<Campaign>
}
export interface UserInvites {
  /**
   * Accept an invite. Makes the acting user a member of the campaign with the role of the invite. A member who has this role or a higher one already stays what they are, and takes no use of the invite. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `member.added`, `member.changed`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/invites/accept`
   * @throws ApiError with code `invite_expired`, `invite_used_up`, `role_too_low`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  accept(body: InviteAccept, options?: WriteOptions): Promise<Member>
}
export interface UserCharacters {
  /**
   * List your characters in all campaigns. Lists the characters that the acting user plays. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/characters`
   */
  list(query?: UserCharactersListQuery, options?: RequestOptions): List<CharacterPage>
}
export interface UserNotes {
  /**
   * List notes in your notebook. Lists the notebook of the acting user. Of all other users, only ADMINs can find these notes, through search. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/notes`
   */
  list(query?: UserNotesListQuery, options?: RequestOptions): List<NotePage>
  /**
   * Write a note in your notebook. The visibility of a note in a notebook is always AUTHOR. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.created`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/notes`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: NotebookCreate, options?: WriteOptions): Promise<Note>
  /**
   * Get a note in your notebook. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/notes/{note_id}`
   */
  get(noteId: string, options?: RequestOptions): Promise<Note>
  /**
   * Change a note in your notebook. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `note.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/notes/{note_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(noteId: string, body: NotebookPatch, options?: ChangeOptions): Promise<Note>
  /**
   * Archive a note in your notebook. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `note.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/notes/{note_id}`
   */
  delete(noteId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived note in your notebook. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `note.restored`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/notes/{note_id}/restore`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(noteId: string, options?: WriteOptions): Promise<Note>
}
export interface UserSearch {
  /**
   * Search the company as a user. Finds the campaigns, characters, items, books, chapters, notes and users that the acting user may see, best match first. At most 1,000 of each type are found, the best of the first 20,000 matches. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/search`
   */
  get(query: UserSearchGetQuery, options?: RequestOptions): List<HitPage>
}
export interface UserDiceRolls {
  /**
   * List dice rolls. Lists the rolls that the acting user may see. Use `sort=-date_created` to get the newest first. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/dice-rolls`
   */
  list(query?: UserDiceRollsListQuery, options?: RequestOptions): List<DiceRollPage>
  /**
   * Roll dice. Takes `notation`, a `pool`, or several `rolls`; with `rolls` or `repeat` the reply has all of them as `items`. The server rolls the dice from a seed that it committed to before. Only the player of a character, the storytellers of its campaign and ADMINs may roll for it, and with its traits only if they see its sheet. Only for storytellers does the reply to a BLIND roll contain the result. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-rolls`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: DiceRollCreate & { rolls?: undefined; repeat?: undefined }, options?: WriteOptions): Promise<DiceRoll>
  /**
   * Roll dice. Takes `notation`, a `pool`, or several `rolls`; with `rolls` or `repeat` the reply has all of them as `items`. The server rolls the dice from a seed that it committed to before. Only the player of a character, the storytellers of its campaign and ADMINs may roll for it, and with its traits only if they see its sheet. Only for storytellers does the reply to a BLIND roll contain the result. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-rolls`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: DiceRollCreate & ({ rolls: NonNullable<unknown> } | { repeat: NonNullable<unknown> }), options?: WriteOptions): Promise<RollGroup>
  /**
   * Roll dice. Takes `notation`, a `pool`, or several `rolls`; with `rolls` or `repeat` the reply has all of them as `items`. The server rolls the dice from a seed that it committed to before. Only the player of a character, the storytellers of its campaign and ADMINs may roll for it, and with its traits only if they see its sheet. Only for storytellers does the reply to a BLIND roll contain the result. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-rolls`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: DiceRollCreate, options?: WriteOptions): Promise<DiceRoll | RollGroup>
  /**
   * Get a dice roll. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/dice-rolls/{roll_id}`
   */
  get(rollId: string, options?: RequestOptions): Promise<DiceRoll>
  /**
   * Get the proof of a roll. Contains everything needed to verify the roll, including the server seed once it is revealed. Only the storytellers of the campaign and ADMINs may get the proof of a secret roll. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/dice-rolls/{roll_id}/proof`
   */
  proof(rollId: string, options?: RequestOptions): Promise<Proof>
  /**
   * Settle a strained roll. A roll can be settled once, by the user who rolled, the storytellers of the campaign or an ADMIN. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.settled`, `campaign.adjusted`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-rolls/{roll_id}/settle`
   * @throws ApiError with code `voided`, `not_strained`, `already_settled`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  settle(rollId: string, body: DiceRollSettle, options?: WriteOptions): Promise<DiceRoll>
  /**
   * Void a roll. Strikes out a roll that should not count, such as one for the wrong character. The roll, its place in lists and its proof stay; its text begins with VOID and the reason, and statistics leave it out. The storytellers of the campaign and ADMINs may do so, once; for a roll outside of campaigns, only ADMINs. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.voided`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/dice-rolls/{roll_id}/void`
   * @throws ApiError with code `already_voided`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  void(rollId: string, body: DiceRollVoid, options?: WriteOptions): Promise<DiceRoll>
}
export interface UserQuickRolls {
  /**
   * List your quick rolls. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/quick-rolls`
   */
  list(query?: UserQuickRollsListQuery, options?: RequestOptions): List<QuickRollPage>
  /**
   * Save a quick roll of yours. Holds what `POST .../dice-rolls` rolls: `notation`, a `pool` or several `rolls`, with everything that belongs to them. Names are looked up when it is rolled. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `quick_roll.created`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/quick-rolls`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: QuickRollCreate, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Get a quick roll of yours. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/{quick_roll_id}`
   */
  get(quickRollId: string, options?: RequestOptions): Promise<QuickRoll>
  /**
   * Change a quick roll of yours. A new `notation`, `pool` or `rolls` replaces everything that is rolled: fields that the request leaves out become null. Without one of these, the fields of the request are changed, each as a whole, and null removes one. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `quick_roll.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/{quick_roll_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(quickRollId: string, body: QuickRollPatch, options?: ChangeOptions): Promise<QuickRoll>
  /**
   * Archive a quick roll of yours. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `quick_roll.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/{quick_roll_id}`
   */
  delete(quickRollId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived quick roll of yours. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `quick_roll.restored`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/{quick_roll_id}/restore`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(quickRollId: string, options?: WriteOptions): Promise<QuickRoll>
  /**
   * Roll a quick roll of yours. Works like `POST .../dice-rolls` with what is saved. Names of traits and trackers need a character or a campaign. The request may override modifier, difficulty and desperation dice of a pool, the target and `missing`, and add `values`. With `rolls` or `repeat` the reply has all rolls as `items`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/{quick_roll_id}/roll`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  roll(quickRollId: string, body?: QuickRollRoll, options?: WriteOptions): Promise<DiceRoll | RollGroup>
  /**
   * Roll a quick roll by its name. Searches the quick rolls of the character, then yours, then those of the campaign (that of the character, or `campaign_id`), as far as the acting user sees them. Case does not matter. The request may override modifier, difficulty and desperation dice of a pool, the target and `missing`, and add `values`. With `rolls` or `repeat` the reply has all rolls as `items`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Recorded in the audit log as `dice_roll.created`, `member.added`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/quick-rolls/roll`
   * @throws ApiError with code `desperation_too_low`, `seed_in_use`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rollByName(body: QuickRollByName, options?: WriteOptions): Promise<DiceRoll | RollGroup>
}
export interface UserStatistics {
  /**
   * Get the statistics of your rolls. Counts every roll that the acting user may see, including the most recent one. A settled roll counts with the outcome of its settlement, and a voided one not at all. Dice rolled at the table count in `manual` only. `traits` leaves out the characters whose sheets are hidden from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/statistics`
   */
  get(options?: RequestOptions): Promise<Statistics>
}
export interface UserExperience {
  /**
   * List your experience in each campaign. Where experience belongs to characters, lists a balance for each of your own characters that has ever been awarded any, unless its sheet is hidden from you. `lifetime` is the sum of all balances. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/experience`
   */
  list(query?: UserExperienceListQuery, options?: RequestOptions): List<OwnExperience>
}
export interface UserChanges {
  /**
   * Follow the changes that a user may see. Returns what has changed since the cursor `after`, oldest first, within a fraction of a second after each change. To keep a copy: get a cursor without `after`, read the lists, then follow the cursor. Every item has the resource as you may see it now. Changes are kept for 30 days; an older cursor, or one from before a restore, gets one `feed.reset`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/changes`
   */
  list(query?: UserChangesListQuery, options?: RequestOptions): Promise<Changes>
}
/** Everything that can be done with a user. */
export interface UserHandle {
  /** The seeds of your dice rolls outside campaigns, committed to before you roll */
  readonly diceSeeds: UserDiceSeeds
  /** Tokens with which a browser or an app acts as one user */
  readonly tokens: UserTokens
  /** Links with which a user signs in to the console, each once */
  readonly signInLinks: UserSignInLinks
  /** The games, with their owner, status, danger and desperation */
  readonly campaigns: UserCampaigns
  /** Invitations to a campaign. Whoever has the code of one can become a member */
  readonly invites: UserInvites
  /** The player characters and NPCs of a campaign. NPCs can be hidden from players */
  readonly characters: UserCharacters
  /** The private notebook of a user */
  readonly notes: UserNotes
  /** Search a company by names and texts */
  readonly search: UserSearch
  /** Dice rolled by the server, with every die in the reply, and verifiable */
  readonly diceRolls: UserDiceRolls
  /** Rolls that a user makes often, saved under a name */
  readonly quickRolls: UserQuickRolls
  /** Outcomes, luck and favorite traits of dice rolls, day by day */
  readonly statistics: UserStatistics
  /** A ledger of the experience that users, or their characters, earn and spend */
  readonly experience: UserExperience
  /** The feed of everything that changes in a company, as far as you may see it */
  readonly changes: UserChanges
  /** Binds the id of a campaign. */
  campaign(campaignId: string): CampaignHandle
  /**
   * Stream the changes that a user may see. Sends each change as it happens, as Server-Sent Events. An event has the same form as in `changes`, and its `id` is a cursor: send the last one as `Last-Event-ID`, or as `after`, to go on from there. `Last-Event-ID` wins. A cursor that is too old, or from before a restore, gets one `feed.reset`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}/stream`
   */
  events(options?: UserEventsQuery & EventsOptions): AsyncGenerator<StreamEvent>
}
export interface RulesetVersions {
  /**
   * List the versions of a ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions`
   */
  list(query?: RulesetVersionsListQuery, options?: RequestOptions): List<RulesetVersionPage>
  /**
   * Start the next version of a ruleset. Imports a document as a draft. A ruleset has one draft at a time. It may have faults; it cannot be published then. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset_version.created`, `ruleset.updated`.
   *
   * `POST /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions`
   * @throws ApiError with code `draft_exists`, `too_many_versions`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: RulesetDocumentBody, options?: WriteOptions): Promise<RulesetVersion>
  /**
   * Get a version of a ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}`
   */
  get(versionId: string, options?: RequestOptions): Promise<RulesetVersion>
  /**
   * Replace the document of a draft. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset_version.updated`.
   *
   * `PUT /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}`
   * @throws ApiError with code `version_published`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  replace(versionId: string, body: RulesetDocumentBody, options?: ChangeOptions): Promise<RulesetVersion>
  /**
   * Delete a draft. The draft is removed for good. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset_version.deleted`, `ruleset.updated`.
   *
   * `DELETE /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}`
   * @throws ApiError with code `version_published`, or one that many operations have.
   */
  delete(versionId: string, options?: DeleteOptions): Promise<void>
  /**
   * Export the document of a version. The document as it was imported: the same values in the same order, and the same bytes each time. Import it elsewhere with a POST to `versions`, or to `rulesets`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}/document`
   */
  getDocument(versionId: string, options?: RequestOptions): Promise<RulesetDocument>
  /**
   * Get a JSON Schema of the characters of a version. The ranges of traits, the options of choices and the levels of conditions, for forms, bots and tests. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}/schema`
   * @throws ApiError with code `ruleset_faulty`, or one that many operations have.
   */
  getSchema(versionId: string, options?: RequestOptions): Promise<CharacterSchema>
  /**
   * Search the glossary of a version. The terms of the document, and everything in it that has a label. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}/terms`
   * @throws ApiError with code `ruleset_faulty`, or one that many operations have.
   */
  listTerms(versionId: string, query?: RulesetVersionsListTermsQuery, options?: RequestOptions): List<RulesetTermPage>
  /**
   * Publish a draft. Checks the document and its examples once more, and gives it the next number. From then on it never changes. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset_version.published`, `ruleset.updated`.
   *
   * `POST /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}/publish`
   * @throws ApiError with code `version_published`, `too_many_versions`, `ruleset_faulty`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  publish(versionId: string, options?: WriteOptions): Promise<RulesetVersion>
  /**
   * Retire a published version. No campaign can choose it any more. Campaigns that use it keep it. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset_version.retired`, `ruleset.updated`.
   *
   * `POST /api/v1/companies/{company_id}/rulesets/{ruleset_id}/versions/{version_id}/retire`
   * @throws ApiError with code `not_published`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  retire(versionId: string, options?: WriteOptions): Promise<RulesetVersion>
}
/** Everything that can be done with a ruleset. */
export interface RulesetHandle {
  /** The drafts and the published versions of a ruleset, with their documents */
  readonly versions: RulesetVersions
}
export interface WebhookDeliveries {
  /**
   * List the deliveries of a webhook. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/webhooks/{webhook_id}/deliveries`
   */
  list(query?: WebhookDeliveriesListQuery, options?: RequestOptions): List<WebhookDeliveryPage>
  /**
   * Get a delivery with its attempts. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/webhooks/{webhook_id}/deliveries/{delivery_id}`
   */
  get(deliveryId: string, options?: RequestOptions): Promise<LoggedWebhookDelivery>
  /**
   * Send a delivery again, now. Also one that was delivered, given up or skipped. It has the same number and the same `webhook-id` as before, and what the webhook may see now. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.retried`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/retry`
   * @throws ApiError with code `webhook_disabled`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  retry(deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery>
  /**
   * Leave a delivery out. For an ordered webhook whose endpoint never accepts one of its deliveries. The receiver finds its number missing. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.skipped`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/deliveries/{delivery_id}/skip`
   * @throws ApiError with code `not_pending`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  skip(deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery>
}
/** Everything that can be done with a webhook. */
export interface WebhookHandle {
  /** Requests that were posted to an endpoint, with its responses. Kept for 30 days */
  readonly deliveries: WebhookDeliveries
}
export interface DeveloperAdminKeys {
  /**
   * List the API keys of a developer. Needs the API key of a global admin.
   *
   * `GET /api/v1/admin/developers/{developer_id}/keys`
   */
  list(query?: DeveloperAdminKeysListQuery, options?: RequestOptions): List<ApiKeyPage>
  /**
   * Issue an API key to a developer. Needs the API key of a global admin. Recorded in the audit log as `api_key.issued`.
   *
   * `POST /api/v1/admin/developers/{developer_id}/keys`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(options?: WriteOptions): Promise<IssuedKey>
  /**
   * Get an API key of a developer. Needs the API key of a global admin.
   *
   * `GET /api/v1/admin/developers/{developer_id}/keys/{key_id}`
   */
  get(keyId: string, options?: RequestOptions): Promise<ApiKey>
  /**
   * Revoke an API key of a developer. Needs the API key of a global admin. Recorded in the audit log as `api_key.revoked`.
   *
   * `DELETE /api/v1/admin/developers/{developer_id}/keys/{key_id}`
   */
  delete(keyId: string, options?: DeleteOptions): Promise<void>
}
/** Everything that can be done with a developer. */
export interface DeveloperHandle {
  /** For operators: the API keys of developers */
  readonly adminKeys: DeveloperAdminKeys
}
export interface CompanyGrants {
  /**
   * List the developers who have access to a company. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/developers`
   */
  list(query?: CompanyGrantsListQuery, options?: RequestOptions): List<GrantPage>
  /**
   * Get a developer's access to a company. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/developers/{developer_id}`
   */
  get(developerId: string, options?: RequestOptions): Promise<Grant>
  /**
   * Give a developer access to a company, or change it. Needs a key with permission OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `grant.set`.
   *
   * `PUT /api/v1/companies/{company_id}/developers/{developer_id}`
   * @throws ApiError with code `last_owner`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  set(developerId: string, body: GrantSet, options?: ChangeOptions): Promise<Grant>
  /**
   * Remove a developer's access to a company. Needs a key with permission OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `grant.removed`.
   *
   * `DELETE /api/v1/companies/{company_id}/developers/{developer_id}`
   * @throws ApiError with code `last_owner`, or one that many operations have.
   */
  delete(developerId: string, options?: DeleteOptions): Promise<void>
}
export interface CompanyUsers {
  /**
   * List the users of a company. Acting users other than ADMINs see only their own `email` and `external_id`, and find only themselves by `external_id`. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users`
   */
  list(query?: CompanyUsersListQuery, options?: RequestOptions): List<UserPage>
  /**
   * Create a user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY; a user named by On-Behalf-Of needs role ADMIN. Every key may create a PLAYER. Other roles need a key with permission ADMIN. Recorded in the audit log as `user.created`.
   *
   * `POST /api/v1/companies/{company_id}/users`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: UserCreate, options?: WriteOptions): Promise<User>
  /**
   * Get the user with an external id, or create them. Creates the user if no user of the company has this external id (201). Otherwise returns that user unchanged (200), whatever the body says. Concurrent requests create one user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY; a user named by On-Behalf-Of needs role ADMIN. Every key may create a PLAYER, or a user with the role of the company setting `default_user_role`. Other roles need a key with permission ADMIN. Recorded in the audit log as `user.created`.
   *
   * `PUT /api/v1/companies/{company_id}/users/by-external-id/{external_id}`
   * @throws ApiError with code `user_archived`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  link(externalId: string, body: UserLink, options?: ChangeOptions): Promise<User>
  /**
   * Get a user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/users/{user_id}`
   */
  get(userId: string, options?: RequestOptions): Promise<User>
  /**
   * Change a user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. Users may change their own `name`, `email` and `metadata`. Everything else needs a key with permission ADMIN and, if a user acts, the role ADMIN. An acting user who is not ADMIN may not write `external_id`. Recorded in the audit log as `user.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/users/{user_id}`
   * @throws ApiError with code `duplicate`, `last_admin`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(userId: string, body: UserPatch, options?: ChangeOptions): Promise<User>
  /**
   * Archive a user. The user is hidden everywhere. They can be restored for 30 days. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `user.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/users/{user_id}`
   * @throws ApiError with code `last_admin`, or one that many operations have.
   */
  delete(userId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived user. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `user.restored`.
   *
   * `POST /api/v1/companies/{company_id}/users/{user_id}/restore`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(userId: string, options?: WriteOptions): Promise<User>
}
export interface CompanyAuditLogs {
  /**
   * List the changes made in a company. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/audit-logs`
   */
  list(query?: CompanyAuditLogsListQuery, options?: RequestOptions): List<AuditLogPage>
}
export interface CompanyPacks {
  /**
   * List the packs. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/packs`
   */
  list(query?: CompanyPacksListQuery, options?: RequestOptions): List<PackPage>
  /**
   * Get a pack with its document. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/packs/{pack_id}`
   */
  get(packId: string, options?: RequestOptions): Promise<PackWithDocument>
}
export interface CompanyRulesets {
  /**
   * List the rulesets of a company. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets`
   */
  list(query?: CompanyRulesetsListQuery, options?: RequestOptions): List<RulesetPage>
  /**
   * Create a ruleset. From a pack, version 1 is published at once. From a document, or as a copy of a version, it is a draft that can be changed before it is published. A draft may have faults. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset.created`, `ruleset_version.created`, `ruleset_version.published`.
   *
   * `POST /api/v1/companies/{company_id}/rulesets`
   * @throws ApiError with code `duplicate`, `too_many_rulesets`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: RulesetCreate, options?: WriteOptions): Promise<Ruleset>
  /**
   * Check a document without storing it. Lists what is wrong with a document, tries its examples, computes sample sheets, and says what differs from an earlier version. The reply is 200 whether the document is valid or not. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `POST /api/v1/companies/{company_id}/rulesets/validate`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  validate(body: RulesetValidate, options?: RequestOptions): Promise<ValidatedRuleset>
  /**
   * Get a ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/rulesets/{ruleset_id}`
   */
  get(rulesetId: string, options?: RequestOptions): Promise<Ruleset>
  /**
   * Rename or describe a ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/rulesets/{ruleset_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(rulesetId: string, body: RulesetPatch, options?: ChangeOptions): Promise<Ruleset>
  /**
   * Archive a ruleset. It can be restored for 30 days, and for good if a campaign has used one of its versions. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/rulesets/{ruleset_id}`
   * @throws ApiError with code `ruleset_in_use`, or one that many operations have.
   */
  delete(rulesetId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived ruleset. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `ruleset.restored`.
   *
   * `POST /api/v1/companies/{company_id}/rulesets/{ruleset_id}/restore`
   * @throws ApiError with code `duplicate`, `too_many_rulesets`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(rulesetId: string, options?: WriteOptions): Promise<Ruleset>
}
export interface CompanyCampaigns {
  /**
   * List the campaigns of the company without a user in the path. With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/campaigns`
   */
  list(query?: CompanyCampaignsListQuery, options?: RequestOptions): List<CampaignPage>
}
export interface CompanyCharacters {
  /**
   * List the characters of all campaigns without a user in the path. With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/characters`
   */
  list(query?: CompanyCharactersListQuery, options?: RequestOptions): List<CharacterPage>
}
export interface CompanySearch {
  /**
   * Search the company. Searches without a user in the path. With On-Behalf-Of, it finds everything that this user may see. Without On-Behalf-Of, a key with permission ADMIN finds everything, and a key with permission USER finds what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/search`
   */
  get(query: CompanySearchGetQuery, options?: RequestOptions): List<HitPage>
}
export interface CompanyDiceRolls {
  /**
   * List the dice rolls of the company without a user in the path. With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/dice-rolls`
   */
  list(query?: CompanyDiceRollsListQuery, options?: RequestOptions): List<DiceRollPage>
}
export interface CompanyDice {
  /**
   * Compute the odds of a roll. Computes the exact distribution without rolling or writing anything. Names stand for traits and trackers that the acting user of On-Behalf-Of sees; without it, a key with permission ADMIN sees everything, and a key with permission USER what a player who is in no campaign sees. Rejects endless explosions (`!`), endless rerolls (`r`) and rolls that take too long to compute. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `POST /api/v1/companies/{company_id}/dice/odds`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  odds(body: OddsRequest, options?: RequestOptions): Promise<Odds>
}
export interface CompanyStatistics {
  /**
   * Get the statistics of all rolls of a company. Counts every roll that the acting user may see, including the most recent one. A settled roll counts with the outcome of its settlement, and a voided one not at all. Dice rolled at the table count in `manual` only. `traits` leaves out the characters whose sheets are hidden from the acting user. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/statistics`
   */
  get(options?: RequestOptions): Promise<Statistics>
}
export interface CompanyTerms {
  /**
   * List the terms of a company. `q` finds terms by the term itself, by a synonym, or by the definition. `sort=name` sorts by the term. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/terms`
   */
  list(query?: CompanyTermsListQuery, options?: RequestOptions): List<TermPage>
  /**
   * Create a term. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `term.created`.
   *
   * `POST /api/v1/companies/{company_id}/terms`
   * @throws ApiError with code `duplicate`, `too_many_terms`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: TermCreate, options?: WriteOptions): Promise<Term>
  /**
   * Get a term. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/terms/{term_id}`
   */
  get(termId: string, options?: RequestOptions): Promise<Term>
  /**
   * Change a term. New `synonyms` replace all of the old ones. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `term.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/terms/{term_id}`
   * @throws ApiError with code `duplicate`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(termId: string, body: TermPatch, options?: ChangeOptions): Promise<Term>
  /**
   * Archive a term. It can be restored for 30 days. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `term.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/terms/{term_id}`
   */
  delete(termId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived term. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token with scope PLAY. STORYTELLERs and ADMINs of the company may, and ADMIN keys without an acting user. Recorded in the audit log as `term.restored`.
   *
   * `POST /api/v1/companies/{company_id}/terms/{term_id}/restore`
   * @throws ApiError with code `duplicate`, `too_many_terms`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(termId: string, options?: WriteOptions): Promise<Term>
}
export interface CompanyWebhooks {
  /**
   * List the webhooks of a company. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/webhooks`
   */
  list(query?: CompanyWebhooksListQuery, options?: RequestOptions): List<WebhookPage>
  /**
   * Create a webhook. Everything that happens from now on is posted to its URL, as the changes feed tells it. The secret, which signs the deliveries as Standard Webhooks says, is shown only in the reply. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.created`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks`
   * @throws ApiError with code `too_many_webhooks`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: WebhookCreate, options?: WriteOptions): Promise<IssuedWebhook>
  /**
   * Get a webhook. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/webhooks/{webhook_id}`
   */
  get(webhookId: string, options?: RequestOptions): Promise<Webhook>
  /**
   * Change a webhook. Deliveries that wait are sent to the new URL, with what the webhook may see then. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}/webhooks/{webhook_id}`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(webhookId: string, body: WebhookPatch, options?: ChangeOptions): Promise<Webhook>
  /**
   * Archive a webhook. Nothing is sent any more. It can be restored for 30 days. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}/webhooks/{webhook_id}`
   */
  delete(webhookId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived webhook. If it is enabled, everything that happened in between is sent. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.restored`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/restore`
   * @throws ApiError with code `too_many_webhooks`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(webhookId: string, options?: WriteOptions): Promise<Webhook>
  /**
   * See how far the deliveries of a webhook are. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `GET /api/v1/companies/{company_id}/webhooks/{webhook_id}/progress`
   */
  getProgress(webhookId: string, options?: RequestOptions): Promise<WebhookProgress>
  /**
   * Replace the secret of a webhook. Both secrets sign during the overlap, so the receiver can change over at any moment of it. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.rotated`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/rotate`
   * @throws ApiError with code `rotating`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rotate(webhookId: string, body?: WebhookRotate, options?: WriteOptions): Promise<IssuedWebhook>
  /**
   * Enable a webhook. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.enabled`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/enable`
   * @throws ApiError with code `webhook_enabled`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  enable(webhookId: string, body?: WebhookEnable, options?: WriteOptions): Promise<Webhook>
  /**
   * Disable a webhook. Events wait for up to 30 days. `enable` sends them, or skips them. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.disabled`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/disable`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  disable(webhookId: string, options?: WriteOptions): Promise<Webhook>
  /**
   * Post a test delivery. Sends a delivery of type `webhook.ping` at once, and waits up to ten seconds for the response. It works for a disabled webhook, too, has no number, and is not kept. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/ping`
   */
  ping(webhookId: string, options?: RequestOptions): Promise<WebhookAttempt>
  /**
   * Send the events of a time again. Sends events of the last 30 days a second time, with numbers of their own and the `webhook-id` that they had. New events are sent in between. Needs a key with permission ADMIN or OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `webhook.replayed`.
   *
   * `POST /api/v1/companies/{company_id}/webhooks/{webhook_id}/replay`
   * @throws ApiError with code `replaying`, `webhook_disabled`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  replay(webhookId: string, body: WebhookReplay, options?: WriteOptions): Promise<WebhookReplayed>
}
export interface CompanyChanges {
  /**
   * Follow the changes of the company without a user in the path. Returns what has changed since the cursor `after`, oldest first, within a fraction of a second after each change. To keep a copy: get a cursor without `after`, read the lists, then follow the cursor. Every item has the resource as you may see it now. Changes are kept for 30 days; an older cursor, or one from before a restore, gets one `feed.reset`. With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/changes`
   */
  list(query?: CompanyChangesListQuery, options?: RequestOptions): Promise<Changes>
}
export interface CompanyOptions {
  /**
   * List every enumerated value that the API accepts. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/options`
   */
  get(options?: RequestOptions): Promise<Options>
}
/** Everything that can be done with a company. */
export interface CompanyHandle {
  /** The developers who have access to a company, with their permissions */
  readonly grants: CompanyGrants
  /** The people who play. Link each user of your application to one of them */
  readonly users: CompanyUsers
  /** Every change made in a company, with the caller and the values before and after */
  readonly auditLogs: CompanyAuditLogs
  /** Games that the service brings, with their licenses. A company copies one to play it, or to change it */
  readonly packs: CompanyPacks
  /** Games as data: traits, formulas, trackers, rolls, prices and creation of characters, in versions that campaigns use */
  readonly rulesets: CompanyRulesets
  /** The games, with their owner, status, danger and desperation */
  readonly campaigns: CompanyCampaigns
  /** The player characters and NPCs of a campaign. NPCs can be hidden from players */
  readonly characters: CompanyCharacters
  /** Search a company by names and texts */
  readonly search: CompanySearch
  /** Dice rolled by the server, with every die in the reply, and verifiable */
  readonly diceRolls: CompanyDiceRolls
  /** The exact odds of a roll */
  readonly dice: CompanyDice
  /** Outcomes, luck and favorite traits of dice rolls, day by day */
  readonly statistics: CompanyStatistics
  /** The glossary of a company: the words of its games, and what they mean */
  readonly terms: CompanyTerms
  /** Endpoints of yours that changes are posted to: signed, retried for 72 hours, and numbered */
  readonly webhooks: CompanyWebhooks
  /** The feed of everything that changes in a company, as far as you may see it */
  readonly changes: CompanyChanges
  /** Every enumerated value that the API accepts */
  readonly options: CompanyOptions
  /** Acts as this user: their role decides what they may read and play. */
  as(userId: string): UserHandle
  /** Binds the id of a ruleset. */
  ruleset(rulesetId: string): RulesetHandle
  /** Binds the id of a webhook. */
  webhook(webhookId: string): WebhookHandle
  /**
   * Stream the changes of the company without a user in the path. Sends each change as it happens, as Server-Sent Events. An event has the same form as in `changes`, and its `id` is a cursor: send the last one as `Last-Event-ID`, or as `after`, to go on from there. `Last-Event-ID` wins. A cursor that is too old, or from before a restore, gets one `feed.reset`. With On-Behalf-Of, lists what this user may see. Without it, a key with permission ADMIN sees everything, and a key with permission USER sees what a player who is in no campaign may see. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}/stream`
   */
  events(options?: CompanyEventsQuery & EventsOptions): AsyncGenerator<StreamEvent>
}
export interface RootAccount {
  /**
   * Get your developer account. The developer that the API key belongs to, with its permission in each company. Needs an API key.
   *
   * `GET /api/v1/developers/me`
   */
  get(options?: RequestOptions): Promise<Developer>
  /**
   * Change your name. Needs an API key. Recorded in the audit log as `developer.updated`.
   *
   * `PATCH /api/v1/developers/me`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(body: AccountPatch, options?: ChangeOptions): Promise<Developer>
}
export interface RootKeys {
  /**
   * List your API keys. Needs an API key.
   *
   * `GET /api/v1/developers/me/keys`
   */
  list(query?: KeysListQuery, options?: RequestOptions): List<ApiKeyPage>
  /**
   * Get one of your API keys. Needs an API key.
   *
   * `GET /api/v1/developers/me/keys/{key_id}`
   */
  get(keyId: string, options?: RequestOptions): Promise<ApiKey>
  /**
   * Rotate one of your API keys. Returns a new key. The old key keeps working for `overlap_seconds`, so that clients can switch to the new one. Needs an API key. Recorded in the audit log as `api_key.rotated`.
   *
   * `POST /api/v1/developers/me/keys/{key_id}/rotate`
   * @throws ApiError with code `already_rotated`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  rotate(keyId: string, body?: KeyRotate, options?: WriteOptions): Promise<IssuedKey>
  /**
   * Revoke one of your API keys. It stops working immediately, on every server. Needs an API key. Recorded in the audit log as `api_key.revoked`.
   *
   * `DELETE /api/v1/developers/me/keys/{key_id}`
   */
  delete(keyId: string, options?: DeleteOptions): Promise<void>
}
export interface RootAdminDevelopers {
  /**
   * List the developers. Needs the API key of a global admin.
   *
   * `GET /api/v1/admin/developers`
   */
  list(query?: AdminDevelopersListQuery, options?: RequestOptions): List<DeveloperPage>
  /**
   * Create a developer. Needs the API key of a global admin. Recorded in the audit log as `developer.created`.
   *
   * `POST /api/v1/admin/developers`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: DeveloperCreate, options?: WriteOptions): Promise<Developer>
  /**
   * Get a developer. Needs the API key of a global admin.
   *
   * `GET /api/v1/admin/developers/{developer_id}`
   */
  get(developerId: string, options?: RequestOptions): Promise<Developer>
  /**
   * Change a developer. Needs the API key of a global admin. Recorded in the audit log as `developer.updated`.
   *
   * `PATCH /api/v1/admin/developers/{developer_id}`
   * @throws ApiError with code `last_global_admin`, `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(developerId: string, body: DeveloperPatch, options?: ChangeOptions): Promise<Developer>
  /**
   * Delete a developer. Also deletes its keys and its access to companies. Needs the API key of a global admin. Recorded in the audit log as `developer.deleted`, `grant.removed`.
   *
   * `DELETE /api/v1/admin/developers/{developer_id}`
   * @throws ApiError with code `last_global_admin`, `last_owner`, or one that many operations have.
   */
  delete(developerId: string, options?: DeleteOptions): Promise<void>
}
export interface RootCompanies {
  /**
   * List the companies you have access to. A global admin has access to all companies. With `archived=true`, only those that you may restore are listed. Needs an API key.
   *
   * `GET /api/v1/companies`
   */
  list(query?: CompaniesListQuery, options?: RequestOptions): List<CompanyPage>
  /**
   * Create a company. You become its OWNER. Needs an API key. Recorded in the audit log as `company.created`.
   *
   * `POST /api/v1/companies`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  create(body: CompanyCreate, options?: WriteOptions): Promise<Company>
  /**
   * Get a company. Needs a key with permission USER, ADMIN or OWNER in the company, or a user token.
   *
   * `GET /api/v1/companies/{company_id}`
   */
  get(companyId: string, options?: RequestOptions): Promise<Company>
  /**
   * Change a company or its settings. Needs a key with permission OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `company.updated`.
   *
   * `PATCH /api/v1/companies/{company_id}`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  update(companyId: string, body: CompanyPatch, options?: ChangeOptions): Promise<Company>
  /**
   * Archive a company. The company and everything in it become inaccessible immediately. It can be restored for 30 days. Needs a key with permission OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `company.deleted`.
   *
   * `DELETE /api/v1/companies/{company_id}`
   */
  delete(companyId: string, options?: DeleteOptions): Promise<void>
  /**
   * Restore an archived company. Needs a key with permission OWNER in the company; a user named by On-Behalf-Of needs role ADMIN. Recorded in the audit log as `company.restored`.
   *
   * `POST /api/v1/companies/{company_id}/restore`
   * @throws ApiError with code `idempotency_key_reused`, `idempotency_in_progress`, or one that many operations have.
   */
  restore(companyId: string, options?: WriteOptions): Promise<Company>
}
export interface RootMe {
  /**
   * Find out who you are. The developer of an API key, or the user and the company of a user token: a client that has only a token learns its ids here. The console learns whom its session stands for. Needs an API key or a user token.
   *
   * `GET /api/v1/me`
   */
  get(options?: RequestOptions): Promise<Me>
}
export interface RootConsoleSession {
  /**
   * Sign in to the console. Exchanges an API key, or the code of a single-use link, for a cookie that the scripts of a page cannot read. The session of a developer may do what the key may, for 12 hours, and ends with the key. That of a user acts as a user token with scope PLAY. The reply is the one of `GET /api/v1/me` for the new session. An Idempotency-Key is ignored. Needs no credential other than the body, and only the pages of the console may use it: the request needs `Sec-Fetch-Site: same-origin` and `X-Guildhall-Console: 1`. Recorded in the audit log as `console_session.created`.
   *
   * `POST /api/v1/console-session`
   * @throws ApiError with code `too_many_tokens`, or one that many operations have.
   */
  create(body: ConsoleSessionCreate, options?: WriteOptions): Promise<Me>
  /**
   * See whom a sign-in link is for. Says whom the link signs in, without using it up. It tells nothing that signing in would not tell: the code is the credential of that person. Needs no credential other than the body, and only the pages of the console may use it: the request needs `Sec-Fetch-Site: same-origin` and `X-Guildhall-Console: 1`.
   *
   * `POST /api/v1/console-session/preview`
   */
  preview(body: SignInPreviewCreate, options?: RequestOptions): Promise<SignInPreview>
  /**
   * Sign out of the console. Ends the session of the request immediately, on every server, and removes its cookie. Needs a console session. Recorded in the audit log as `console_session.deleted`.
   *
   * `DELETE /api/v1/console-session`
   */
  delete(options?: DeleteOptions): Promise<void>
}
/** Everything that can be done with a credential. */
export interface RootHandle {
  /** The developer account of the API key */
  readonly account: RootAccount
  /** List, rotate and revoke your API keys */
  readonly keys: RootKeys
  /** For operators: the developer accounts of the service */
  readonly adminDevelopers: RootAdminDevelopers
  /** The tenants. A company owns its users, its campaigns and everything in them */
  readonly companies: RootCompanies
  /** The credential of a request, and whom it stands for */
  readonly me: RootMe
  /** Signing in to the console, and out of it. Applications use API keys and user tokens instead */
  readonly consoleSession: RootConsoleSession
  /** Binds the id of a developer. */
  developer(developerId: string): DeveloperHandle
  /** Binds the id of a company. */
  company(companyId: string): CompanyHandle
}
export interface ChapterNotesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CharacterInventoryListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CharacterTrackersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface CharacterNotesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CharacterQuickRollsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface CharacterCostsGetQuery {
  /** a snake_case name: lower-case letters and digits, with single underscores between. At most 64 characters */
  trait?: string | undefined
  /** With a `trait`: every step up to this value, at most 100. Default: only the next step. -1,000,000 to 1,000,000 */
  to?: number | undefined
  /** `true` lists only the steps that the available experience pays for, `false` only the others */
  affordable?: boolean | undefined
}
export interface CharacterHistoryListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Order of the changes. `-` is descending. Default: "-date_created" */
  sort?: "date_created" | "-date_created" | undefined
}
export interface BookChaptersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: "number" */
  sort?: "number" | "-number" | "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface BookNotesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CampaignMembersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
}
export interface CampaignInvitesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface CampaignCharactersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only characters of this type */
  type?: CharacterType | undefined
  /** Only characters with this status */
  status?: CharacterStatus | undefined
  /** Only characters of this player */
  player_id?: string | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
  /** Parts to include with each character, as far as the acting user may see them. A single character includes the first 100 items and notes with texts of up to 1,000 characters; a list includes the first 10 of each with texts of up to 200 characters, without `external_id` and `metadata`. `sheet` is everything that follows from the ruleset of the campaign, as for a single character. With it or with `trackers`, `limit` is at most 20, and with both at most 10. 1 to 5 items */
  include?: ("inventory" | "notes" | "sheet" | "trackers" | "experience")[] | undefined
}
export interface CampaignCharactersGetQuery {
  /** Parts to include, as far as the acting user may see them: the first 100 items, notes and trackers with texts of up to 1,000 characters, the last 10 rolls, the experience, the player, and with `sheet` everything that follows from the ruleset of the campaign. 1 to 8 items */
  include?: ("inventory" | "notes" | "sheet" | "trackers" | "experience" | "rolls" | "player" | "secret_metadata")[] | undefined
}
export interface CampaignTrackersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface CampaignBooksListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: "number" */
  sort?: "number" | "-number" | "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
  /** Parts to include with each book. A single book includes its first 100 chapters with texts of up to 1,000 characters; a list includes the first 20 of each book with texts of up to 200 characters, without `external_id` and `metadata`. 1 to 1 items */
  include?: "chapters"[] | undefined
}
export interface CampaignBooksGetQuery {
  /** Parts to include with each book. A single book includes its first 100 chapters with texts of up to 1,000 characters; a list includes the first 20 of each book with texts of up to 200 characters, without `external_id` and `metadata`. 1 to 1 items */
  include?: "chapters"[] | undefined
}
export interface CampaignNotesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
  /** `campaign`: notes on the campaign itself; `all`: notes on the campaign, its books, chapters and characters. Default: "campaign" */
  scope?: "campaign" | "all" | undefined
  /** Only notes of this author */
  author_id?: string | undefined
}
export interface CampaignCreationsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Only creations with this status */
  status?: CreationStatus | undefined
}
export interface CampaignQuickRollsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface CampaignExperienceListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
}
export interface CampaignExperienceEntriesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | undefined
  /** Only entries of this user */
  player_id?: string | undefined
  /** Only entries of this character */
  character_id?: string | undefined
  /** Only entries of this kind */
  kind?: ExperienceKind | undefined
  /** Only entries at this time or later */
  from?: string | undefined
  /** Only entries before this time */
  to?: string | undefined
}
export interface CampaignEventsQuery {
  /** The cursor to begin at, as `changes` and every frame have one. Without it, the stream begins now. At most 200 characters */
  after?: string | undefined
  /** Only these types. `character.*` stands for all types of characters. 1 to 138 items */
  types?: EventType[] | undefined
}
export interface UserTokensListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface UserSignInLinksListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface UserCampaignsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only campaigns with this status */
  status?: CampaignStatus | undefined
  /** Only campaigns with this owner */
  owner_id?: string | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
  /** `true` lists only the campaigns that the acting user owns or is a member of */
  mine?: boolean | undefined
}
export interface UserCampaignsGetQuery {
  /** Parts to include, as far as the acting user may see them. 1 to 8 items */
  include?: ("members" | "characters" | "trackers" | "character_trackers" | "experience" | "latest_chapter" | "rolls" | "secret_metadata")[] | undefined
}
export interface UserCharactersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only characters with this status */
  status?: CharacterStatus | undefined
  /** Only characters of this campaign */
  campaign_id?: string | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface UserNotesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface UserSearchGetQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The text to search for. Names, titles and texts match by parts of words; case and accents do not matter. A text without three letters or digits in a row finds names and titles that begin with it, in the order of the alphabet. If no name or title of a type matches, those with small typing errors are found. Only the first 60,000 characters of a text are searched, counted without accents and ligatures. 1 to 100 characters */
  q: string
  /** Only this campaign and the resources in it */
  campaign_id?: string | undefined
  /** Only resources of these types. 1 to 7 items */
  type?: SearchType[] | undefined
}
export interface UserDiceRollsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Only rolls in this campaign */
  campaign_id?: string | undefined
  /** Only rolls for this character */
  character_id?: string | undefined
  /** Only rolls of this user */
  roller_id?: string | undefined
  /** Only the rolls of this group */
  group_id?: string | undefined
  /** Only rolls with this outcome */
  outcome?: RollOutcome | undefined
  /** Only rolls with this outcome of their ruleset. At most 64 characters */
  code?: string | undefined
  /** Only rolls at this time or later */
  from?: string | undefined
  /** Only rolls before this time */
  to?: string | undefined
}
export interface UserQuickRollsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface UserExperienceListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
}
export interface UserChangesListQuery {
  /** The cursor of the last reply. Without it, the reply has no items and the cursor of now. At most 200 characters */
  after?: string | undefined
  /** Maximum number of items. Default: 50. 1 to 100 */
  limit?: number | undefined
  /** Seconds to wait for the next change, if there is none. Default: 0. 0 to 30 */
  wait?: number | undefined
  /** Only these types. `character.*` stands for all types of characters. 1 to 138 items */
  types?: EventType[] | undefined
  /** Only changes in this campaign, and those of your own user */
  campaign_id?: string | undefined
}
export interface UserEventsQuery {
  /** The cursor to begin at, as `changes` and every frame have one. Without it, the stream begins now. At most 200 characters */
  after?: string | undefined
  /** Only these types. `character.*` stands for all types of characters. 1 to 138 items */
  types?: EventType[] | undefined
  /** Only changes in this campaign, and those of your own user */
  campaign_id?: string | undefined
}
export interface RulesetVersionsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Only versions with this status */
  status?: RulesetVersionStatus | undefined
}
export interface RulesetVersionsListTermsQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** Part of the word, of a synonym or of the definition. Words that begin with it come first. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** Only entries of this kind */
  kind?: RulesetTermKind | undefined
}
export interface WebhookDeliveriesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | undefined
  /** Only deliveries with this status */
  status?: WebhookDeliveryStatus | undefined
  /** Only deliveries of this type */
  type?: FeedType | undefined
  /** Only deliveries of this event */
  event_id?: string | undefined
  /** Only the delivery with this number. 1 to 9,007,199,254,740,991 */
  number?: number | undefined
  /** Only deliveries that were created at this time or later */
  from?: string | undefined
  /** Only deliveries that were created before this time */
  to?: string | undefined
}
export interface DeveloperAdminKeysListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface CompanyGrantsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
}
export interface CompanyUsersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only users with this role */
  role?: Role | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CompanyAuditLogsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | undefined
  /** Only events of this type */
  type?: AuditLogType | undefined
  /** Only changes of resources of this type */
  resource_type?: AuditLogResourceType | undefined
  /** Only changes of this resource */
  resource_id?: string | undefined
  /** Only changes made with a key of this developer */
  developer_id?: string | undefined
  /** Only changes made on behalf of this user */
  user_id?: string | undefined
  /** Only changes made in this request. At most 100 characters */
  request_id?: string | undefined
  /** Only changes at or after this time */
  from?: string | undefined
  /** Only changes before this time */
  to?: string | undefined
}
export interface CompanyPacksListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
}
export interface CompanyRulesetsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface CompanyCampaignsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only campaigns with this status */
  status?: CampaignStatus | undefined
  /** Only campaigns with this owner */
  owner_id?: string | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}
export interface CompanyCharactersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only characters with this status */
  status?: CharacterStatus | undefined
  /** Only characters of this campaign */
  campaign_id?: string | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
  /** Only characters of this type */
  type?: CharacterType | undefined
  /** Only characters of this player */
  player_id?: string | undefined
}
export interface CompanySearchGetQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The text to search for. Names, titles and texts match by parts of words; case and accents do not matter. A text without three letters or digits in a row finds names and titles that begin with it, in the order of the alphabet. If no name or title of a type matches, those with small typing errors are found. Only the first 60,000 characters of a text are searched, counted without accents and ligatures. 1 to 100 characters */
  q: string
  /** Only this campaign and the resources in it */
  campaign_id?: string | undefined
  /** Only resources of these types. 1 to 7 items */
  type?: SearchType[] | undefined
}
export interface CompanyDiceRollsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Only rolls in this campaign */
  campaign_id?: string | undefined
  /** Only rolls for this character */
  character_id?: string | undefined
  /** Only rolls of this user */
  roller_id?: string | undefined
  /** Only the rolls of this group */
  group_id?: string | undefined
  /** Only rolls with this outcome */
  outcome?: RollOutcome | undefined
  /** Only rolls with this outcome of their ruleset. At most 64 characters */
  code?: string | undefined
  /** Only rolls at this time or later */
  from?: string | undefined
  /** Only rolls before this time */
  to?: string | undefined
}
export interface CompanyTermsListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the term, of a synonym or of the definition. A text without three letters or digits in a row matches only the beginning of the term, of a synonym or of a line of the definition. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface CompanyWebhooksListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
}
export interface CompanyChangesListQuery {
  /** The cursor of the last reply. Without it, the reply has no items and the cursor of now. At most 200 characters */
  after?: string | undefined
  /** Maximum number of items. Default: 50. 1 to 100 */
  limit?: number | undefined
  /** Seconds to wait for the next change, if there is none. Default: 0. 0 to 30 */
  wait?: number | undefined
  /** Only these types. `character.*` stands for all types of characters. 1 to 138 items */
  types?: EventType[] | undefined
  /** Only changes in this campaign, and those of your own user */
  campaign_id?: string | undefined
}
export interface CompanyEventsQuery {
  /** The cursor to begin at, as `changes` and every frame have one. Without it, the stream begins now. At most 200 characters */
  after?: string | undefined
  /** Only these types. `character.*` stands for all types of characters. 1 to 138 items */
  types?: EventType[] | undefined
  /** Only changes in this campaign, and those of your own user */
  campaign_id?: string | undefined
}
export interface KeysListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
}
export interface AdminDevelopersListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
}
export interface CompaniesListQuery {
  /** Maximum number of items returned. Default: 10. 0 to 100 */
  limit?: number | undefined
  /** Number of items skipped from the start. Items move between pages while others insert and delete. Default: 0. 0 to 9,007,199,254,740,991 */
  offset?: number | undefined
  /** The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete. 1 to 4,000 characters */
  after?: string | undefined
  /** Only the items with these ids, at most 100. Ids of items that do not exist, or that the caller may not see, are ignored. 1 to 100 items */
  ids?: string[] | undefined
  /** Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed */
  modified_since?: string | undefined
  /** Order of the items; `-` sorts in descending order. Default: order of creation */
  sort?: "name" | "-name" | "date_created" | "-date_created" | "date_modified" | "-date_modified" | undefined
  /** Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored. 1 to 100 characters */
  q?: string | undefined
  /** `true` lists the archived resources that the caller may restore, instead of the live ones */
  archived?: boolean | undefined
  /** Only the resource with this external id. 1 to 255 characters */
  external_id?: string | undefined
}

// Every operation: its name, its kind (see handle.ts) and the rest of its path. A * stands for an argument.
const chapter: HandleSpec = {
  notes: '/notes list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
}
const character: HandleSpec = {
  inventory: '/inventory list:L create:B get:G/* update:A/* adjust:B/*/adjust delete:D/* restore:P/*/restore',
  trackers: '/trackers list:L setMany:B reset:B/reset get:G/* set:U/* update:A/* delete:D/* adjust:B/*/adjust',
  secretMetadata: '/secret-metadata get:G update:A',
  conditions: '/conditions set:U/* delete:D/*',
  notes: '/notes list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  sheetRolls: '/rolls list:G create:B/* odds:C/*/odds',
  quickRolls: '/quick-rolls list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore roll:B/*/roll',
  statistics: '/statistics get:G',
  costs: '/costs get:Q',
  history: '/history list:L',
}
const book: HandleSpec = {
  chapters: '/chapters list:L create:B get:G/* update:A/* move:U/*/number delete:D/* restore:P/*/restore',
  notes: '/notes list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  chapter: ['/chapters/', chapter],
}
const campaign: HandleSpec = {
  diceSeeds: '/dice-seed get:G rotate:P/rotate',
  secretDiceSeeds: '/secret-dice-seed get:G rotate:P/rotate',
  members: ' list:L/members join:P/join leave:P/leave get:G/members/* set:U/members/* delete:D/members/*',
  invites: '/invites list:L create:B get:G/* delete:D/*',
  characters: '/characters list:L get:Q/* create:B update:A/* delete:D/* restore:P/*/restore adjust:B/*/adjust generate:B/generate',
  trackers: '/trackers list:L setMany:B reset:B/reset get:G/* set:U/* update:A/* delete:D/* adjust:B/*/adjust',
  secretMetadata: '/secret-metadata get:G update:A',
  rulesets: '/ruleset get:G set:U delete:D',
  books: '/books list:L create:B get:Q/* update:A/* move:U/*/number delete:D/* restore:P/*/restore',
  notes: '/notes list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  creations: '/creations list:L create:B get:G/* delete:D/* answer:U/*/steps/* roll:P/*/steps/*/roll random:B/*/random finish:B/*/finish',
  quickRolls: '/quick-rolls list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore roll:B/*/roll',
  statistics: '/statistics get:G',
  experience: '/experience list:L award:B/awards spend:B/spends',
  experienceEntries: '/experience/entries list:L get:G/* reverse:B/*/reverse',
  character: ['/characters/', character],
  book: ['/books/', book],
  events: ['/stream'],
}
const user: HandleSpec = {
  diceSeeds: '/dice-seed get:G rotate:P/rotate',
  tokens: '/tokens list:L create:B revoke:P/revoke get:G/* delete:D/*',
  signInLinks: '/sign-in-links list:L create:B get:G/* delete:D/*',
  campaigns: '/campaigns list:L create:B get:Q/* update:A/* delete:D/* restore:P/*/restore adjust:B/*/adjust transfer:U/*/owner',
  invites: '/invites/accept accept:B',
  characters: '/characters list:L',
  notes: '/notes list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  search: '/search get:L',
  diceRolls: '/dice-rolls list:L create:B get:G/* proof:G/*/proof settle:B/*/settle void:B/*/void',
  quickRolls: '/quick-rolls list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore roll:B/*/roll rollByName:B/roll',
  statistics: '/statistics get:G',
  experience: '/experience list:L',
  changes: '/changes list:Q',
  campaign: ['/campaigns/', campaign],
  events: ['/stream'],
}
const ruleset: HandleSpec = {
  versions: '/versions list:L create:B get:G/* replace:U/* delete:D/* getDocument:G/*/document getSchema:G/*/schema listTerms:L/*/terms publish:P/*/publish retire:P/*/retire',
}
const webhook: HandleSpec = {
  deliveries: '/deliveries list:L get:G/* retry:P/*/retry skip:P/*/skip',
}
const developer: HandleSpec = {
  adminKeys: '/keys list:L create:P get:G/* delete:D/*',
}
const company: HandleSpec = {
  grants: '/developers list:L get:G/* set:U/* delete:D/*',
  users: '/users list:L create:B link:U/by-external-id/* get:G/* update:A/* delete:D/* restore:P/*/restore',
  auditLogs: '/audit-logs list:L',
  packs: '/packs list:L get:G/*',
  rulesets: '/rulesets list:L create:B validate:C/validate get:G/* update:A/* delete:D/* restore:P/*/restore',
  campaigns: '/campaigns list:L',
  characters: '/characters list:L',
  search: '/search get:L',
  diceRolls: '/dice-rolls list:L',
  dice: '/dice/odds odds:C',
  statistics: '/statistics get:G',
  terms: '/terms list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  webhooks: '/webhooks list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore getProgress:G/*/progress rotate:B/*/rotate enable:B/*/enable disable:P/*/disable ping:N/*/ping replay:B/*/replay',
  changes: '/changes list:Q',
  options: '/options get:G',
  as: ['/users/', user],
  ruleset: ['/rulesets/', ruleset],
  webhook: ['/webhooks/', webhook],
  events: ['/stream'],
}
export const root: HandleSpec = {
  account: '/developers/me get:G update:A',
  keys: '/developers/me/keys list:L get:G/* rotate:B/*/rotate delete:D/*',
  adminDevelopers: '/admin/developers list:L create:B get:G/* update:A/* delete:D/*',
  companies: '/companies list:L create:B get:G/* update:A/* delete:D/* restore:P/*/restore',
  me: '/me get:G',
  consoleSession: '/console-session create:B preview:C/preview delete:D',
  developer: ['/admin/developers/', developer],
  company: ['/companies/', company],
}
