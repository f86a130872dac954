import { type Static, Type } from '@guildhall/rules/type'
import { archivable, Enum, Flag, Id, Int, Name, Nullable, Text, Timestamp, Unset, WithDefault } from '../../core/fields.ts'
import { TYPE_FILTERS } from '../../events/feed-types.ts'
import { SEND_ERRORS } from '../../outbound/resolve.ts'

export const MAX_WEBHOOKS = 20
const MAX_URL_LENGTH = 2000
const MAX_OVERLAP_SECONDS = 604_800
const DAY_SECONDS = 86_400

/** Stands for all types, except those of webhooks, which are told only to a webhook that names them. */
export const ALL_TYPES = '*'

const url = Type.String({
  minLength: 1,
  maxLength: MAX_URL_LENGTH,
  'x-trim': true,
  description:
    'The address that events are posted to, with https, at a public address. Ports: 443, 8443, and those above 1023. The operator may open other networks, where http works, too',
  examples: ['https://bot.example.com/guildhall'],
})

const types = Type.Array(
  Enum(
    'WebhookType',
    [ALL_TYPES, ...TYPE_FILTERS],
    'A type of event, `character.*` for all types of characters, or `*` for all types except those of webhooks',
    'dice_roll.created',
  ),
  { minItems: 1, maxItems: 100, description: 'The types of events that are sent', examples: [['dice_roll.created', 'character.*']] },
)

const sight = Enum(
  'WebhookSight',
  ['OPEN', 'ALL', 'USER'],
  'The view of the data that is sent. OPEN: that of every player of the company. ALL: everything, secrets included. USER: that of the user `user_id`',
)
const campaign_id = Unset(Id('Only events of this campaign; null for all'))
const user_id = Unset(Id('The user whose view is sent, if `sight` is USER'))
const ordered = Flag(
  'True to send one delivery after the other, each after the one before was accepted. Otherwise up to four are sent at once, and a retried one arrives later',
)

export const Webhook = Type.Object(
  {
    id: Id('Webhook identifier'),
    company_id: Id('Owning company'),
    name: Name('Name of the webhook', 'Discord bot'),
    url,
    types,
    campaign_id,
    sight,
    user_id,
    ordered,
    status: Enum('WebhookStatus', ['ENABLED', 'DISABLED'], 'ENABLED: events are sent. DISABLED: they wait, for up to 30 days'),
    disabled_reason: Nullable(
      Enum(
        'WebhookDisabledReason',
        ['MANUAL', 'GONE', 'FAILING', 'RESTORED'],
        'MANUAL: somebody disabled it. GONE: the endpoint answered 410. FAILING: no delivery was accepted for 72 hours. RESTORED: the service was restored from a backup, and a copy must not call anybody',
      ),
    ),
    ...archivable,
  },
  { title: 'Webhook', description: 'An endpoint of yours, and the events that are posted to it' },
)
export type Webhook = Static<typeof Webhook>

const SECRET_EXAMPLE = `whsec_${'A'.repeat(43)}=`
const secret = Text(
  60,
  'The secret that signs the deliveries. It is shown only in this response: store it where the receiver can read it',
  SECRET_EXAMPLE,
)

export const IssuedWebhook = Type.Object(
  { ...Webhook.properties, secret },
  { title: 'IssuedWebhook', description: 'A webhook, including a new secret' },
)

export const WebhookCreate = Type.Object(
  {
    name: Webhook.properties.name,
    url,
    types: WithDefault(types, [ALL_TYPES]),
    campaign_id: WithDefault(campaign_id, null),
    sight: WithDefault(sight, 'OPEN'),
    user_id: WithDefault(user_id, null),
    ordered: WithDefault(ordered, false),
  },
  { title: 'WebhookCreate' },
)
export type WebhookCreate = Static<typeof WebhookCreate>

export const WebhookPatch = Type.Partial(Type.Object({ name: Webhook.properties.name, url, types, campaign_id, sight, user_id, ordered }), {
  title: 'WebhookPatch',
})
export type WebhookPatch = Static<typeof WebhookPatch>

export const WebhookRotate = Type.Object(
  {
    overlap_seconds: WithDefault(
      Int(
        0,
        MAX_OVERLAP_SECONDS,
        'For how long the old secret signs, too: a receiver that knows either one accepts every delivery',
        DAY_SECONDS,
      ),
      DAY_SECONDS,
    ),
  },
  { title: 'WebhookRotate' },
)
export type WebhookRotate = Static<typeof WebhookRotate>

export const WebhookEnable = Type.Object(
  {
    from: WithDefault(
      Enum(
        'WebhookStart',
        ['BACKLOG', 'NOW'],
        'BACKLOG: everything that happened in between is sent, in order. NOW: it is skipped, and so are the deliveries that wait',
      ),
      'BACKLOG',
    ),
  },
  { title: 'WebhookEnable' },
)
export type WebhookEnable = Static<typeof WebhookEnable>

export const WebhookReplay = Type.Object(
  {
    from: Timestamp('The first time of the events'),
    to: Type.Optional(
      Type.Unsafe<string>({
        ...Timestamp('The time up to which events are sent again, not included, and after `from`. Default: now'),
        examples: ['2026-11-15T20:00:00.000Z'],
      }),
    ),
    types: Type.Optional(Type.Unsafe<string[]>({ ...types, description: 'Only these of the types that the webhook sends' })),
  },
  { title: 'WebhookReplay' },
)
export type WebhookReplay = Static<typeof WebhookReplay>

export const Replay = Type.Object(
  {
    events: Int(
      0,
      Number.MAX_SAFE_INTEGER,
      'Number of events in this time. Those that the webhook does not ask for, or may not see now, are not sent',
      120,
    ),
  },
  { title: 'WebhookReplayed', description: 'Events that are sent a second time' },
)

export const WebhookProgress = Type.Object(
  {
    backlog: Int(0, Number.MAX_SAFE_INTEGER, 'Number of events that are not deliveries yet', 0),
    pending: Int(0, 100, 'Number of deliveries that wait', 0),
    number: Int(0, Number.MAX_SAFE_INTEGER, 'Number of the last delivery', 1204),
    failures: Int(0, 2_147_483_647, 'Number of failed attempts since the last delivery that was accepted', 0),
    date_failing_since: Nullable(Timestamp('Time of the first of them')),
    date_due: Nullable(Timestamp('When the next delivery that waits is sent; null if none waits')),
    replaying: Int(0, Number.MAX_SAFE_INTEGER, 'Number of events of a replay that are not deliveries yet', 0),
    secrets: Type.Array(
      Type.Object(
        {
          last_four: Text(4, 'Last four characters of the secret', 'Q0w='),
          date_created: Timestamp('When the secret was created'),
          date_expires: Nullable(Timestamp('When the secret stops signing; null for the current one')),
        },
        { title: 'WebhookSecret', description: 'A secret that signs' },
      ),
      { maxItems: 2, description: 'The secrets that sign, the current one first' },
    ),
  },
  { title: 'WebhookProgress', description: 'How far the deliveries of a webhook are' },
)
export type WebhookProgress = Static<typeof WebhookProgress>

/** Headers are limited to 16 kB on the wire. In JSON, a character of them takes up to two bytes, and each has quotes. */
const MAX_RESPONSE_HEADERS_BYTES = 50_000
const MAX_REQUEST_HEADERS_BYTES = 4000

const headersOf = (description: string, maxBytes: number) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    'x-max-bytes': maxBytes,
    additionalProperties: { type: 'string', maxLength: 16_384 },
    description,
    examples: [{ 'content-type': 'application/json' }],
  })

export const WebhookAttempt = Type.Object(
  {
    date_created: Timestamp('When the request was sent'),
    url,
    request_headers: headersOf('Headers of the request', MAX_REQUEST_HEADERS_BYTES),
    request_bytes: Int(0, 2_147_483_647, 'Length of the body of the request in bytes', 812),
    status: Nullable(Int(100, 999, 'Status of the response; null without one', 204)),
    response_headers: Nullable(headersOf('Headers of the response; null without one', MAX_RESPONSE_HEADERS_BYTES)),
    response_body: Nullable(
      Text(4096, 'The first 4 kB of the response; null without one, and after a user was purged whom it may name', 'ok'),
    ),
    error: Nullable(
      Enum(
        'WebhookAttemptError',
        SEND_ERRORS,
        'Why there was no response, or no success. dns: the name has no address. address_not_allowed: it leads to an address that webhooks are not sent to. connect: no connection, or it broke. tls: the certificate is not valid. timeout: no complete response in time. too_large: headers over 16 kB. protocol: the response is not HTTP. status: the status is not 2xx. user_archived: the user whose view is sent is archived',
      ),
    ),
    duration_ms: Int(0, 2_147_483_647, 'Time from the request to the end of the response, in milliseconds', 85),
  },
  { title: 'WebhookAttempt', description: 'A request to the endpoint, and its response' },
)
export type WebhookAttempt = Static<typeof WebhookAttempt>
