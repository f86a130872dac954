import type { Webhook, WebhookCreate, WebhookPatch, WebhookSight, WebhookType } from '@guildhall/client'
import { text } from './text.ts'

const ALL = '*'
const isOfWebhooks = (type: string) => type.startsWith('webhook.')

/** The kinds of changes that the form of a webhook lists. */
export const KINDS: readonly string[] = Object.keys(text.form.labels)

/** A choice of kinds of changes as values of a form. */
export interface KindValues {
  scope: 'ALL' | 'CHOSEN'
  /** Types in the order of the alphabet, with spaces between them: forms compare values, and lists never equal one another. */
  types: string
}

/** A webhook as the values of a form. */
export interface WebhookValues extends KindValues {
  name: string
  url: string
  /** Empty for all campaigns. */
  campaign_id: string
  sight: WebhookSight
  user_id: string
  ordered: boolean
}

export const listOf = (types: string): string[] => types.split(' ').filter(Boolean)
export const joined = (types: readonly string[]): string => [...new Set(types)].sort().join(' ')

export const NEW: WebhookValues = {
  name: '',
  url: '',
  scope: 'ALL',
  types: '',
  campaign_id: '',
  sight: 'OPEN',
  user_id: '',
  ordered: false,
}

export function valuesOf({ name, url, types, campaign_id, sight, user_id, ordered }: Webhook): WebhookValues {
  return {
    name,
    url,
    scope: types.includes(ALL) ? 'ALL' : 'CHOSEN',
    types: joined(types.filter((type) => type !== ALL)),
    campaign_id: campaign_id ?? '',
    sight,
    user_id: user_id ?? '',
    ordered,
  }
}

/** The kinds and single types that a webhook asks for, in the order of the form. */
export function kindsOf({ types }: Pick<Webhook, 'types'>): string[] {
  const single = types.filter((type) => !KINDS.includes(type) && type !== ALL)
  const asksFor = (kind: string) => types.some((type) => type === kind || (type === ALL && !isOfWebhooks(kind)))
  return [...KINDS.filter(asksFor), ...single]
}

/** Everything does not include the changes of webhooks: those are named. */
const typesOf = ({ scope, types }: WebhookValues): WebhookType[] =>
  (scope === 'ALL' ? [ALL, ...listOf(types).filter(isOfWebhooks)] : listOf(types)) as WebhookType[]

/** The fields of a new webhook. */
export const bodyOf = (values: WebhookValues): WebhookCreate => ({
  name: values.name,
  url: values.url,
  types: typesOf(values),
  campaign_id: values.campaign_id || null,
  sight: values.sight,
  user_id: values.sight === 'USER' ? values.user_id || null : null,
  ordered: values.ordered,
})

/** The fields that differ. A view and its user change together. */
export function patchOf(values: WebhookValues, changes: Partial<WebhookValues>): WebhookPatch {
  const { name, url, types, campaign_id, sight, user_id, ordered } = bodyOf(values)
  return {
    ...('name' in changes && { name }),
    ...('url' in changes && { url }),
    ...(('scope' in changes || 'types' in changes) && { types }),
    ...('campaign_id' in changes && { campaign_id }),
    ...(('sight' in changes || 'user_id' in changes) && { sight, user_id }),
    ...('ordered' in changes && { ordered }),
  }
}
