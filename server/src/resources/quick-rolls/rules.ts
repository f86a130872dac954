import type { Role } from '../../core/access.ts'
import { notStoryteller } from '../../core/denial.ts'
import { invalid } from '../../core/problem.ts'
import { rule } from '../../http/rule.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import type { CharacterAccess } from '../characters/path-resource.ts'
import { mayEdit } from '../characters/rules.ts'
import { checkRequest, type RollBody } from '../dice-rolls/request-rules.ts'
import { POOL_DEFAULTS, type PoolRequest, type SavedPool } from '../dice-rolls/request-schema.ts'
import { readyRolls } from '../dice-rolls/result.ts'
import { CONTENT_FIELDS, type Content, type QuickRollPatch, type QuickRollRoll } from './schema.ts'

interface OnCampaign {
  actor: { id: string; role: Role }
  campaign: Pick<CampaignAccess, 'isStoryteller'>
}

export const mayWriteOnCampaign = rule<OnCampaign>(
  'The storytellers of the campaign and ADMINs may.',
  ({ campaign }) => campaign.isStoryteller,
  notStoryteller,
)

/** Returns true if the acting user may restore the archived quick rolls of an owner: of a character, of a campaign, or, without these, their own. */
export function mayRestore({
  actor,
  campaign,
  character,
}: Pick<OnCampaign, 'actor'> & Partial<OnCampaign> & { character?: CharacterAccess }): boolean {
  if (!campaign) return true
  return character ? mayEdit({ actor, campaign, character }) : campaign.isStoryteller
}

const withDefaults = (pool: SavedPool) => ({ ...POOL_DEFAULTS, ...pool })

/** The fields that are neither undefined nor null. */
const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as { [K in keyof T]?: NonNullable<T[K]> }

/** The body of a roll of what is saved. */
export function requestOf(saved: Partial<Content>): RollBody {
  const content = CONTENT_FIELDS.map((field) => [field, saved[field]])
  const { pool, rolls, ...rest } = present(Object.fromEntries(content) as Partial<Content>)
  return {
    ...(rest as Omit<RollBody, 'pool' | 'rolls'>),
    ...(pool && { pool: withDefaults(pool) }),
    ...(rolls && { rolls: rolls.map(({ pool: one, ...roll }) => ({ ...roll, ...(one && { pool: withDefaults(one) }) })) }),
  }
}

const WITHOUT_SHEET = { inputs: {}, traits: {}, trackers: [], missing: 'REJECT', desperation: 0 } as const

/** Rejects a roll that no value or override can make valid. */
export function refuseUnfit(saved: Partial<Content>): void {
  const requested = checkRequest(requestOf(saved))
  // The number of dice of a pool can be overridden, and that of a notation with names is not known yet.
  if (requested.rolls.every(({ pool, names }) => !pool && names.length === 0)) readyRolls(requested, { ...WITHOUT_SHEET, trackers: [] })
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The merge patch that replaces a value as a whole: keys that only the old one has are removed with null. */
export function replacing(old: unknown, value: unknown): unknown {
  if (!isObject(old) || !isObject(value)) return value
  const removed = Object.fromEntries(Object.keys(old).map((key) => [key, null]))
  return { ...removed, ...Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replacing(old[key], one)])) }
}

/** Applies a patch to the content. A new notation, pool or list of rolls replaces all of it. */
export function patchedContent(before: Content, patch: QuickRollPatch): Content {
  const { name: _, ...changes } = patch
  const isReplaced = changes.notation != null || changes.pool != null || changes.rolls != null
  const kept = CONTENT_FIELDS.map((field) => [field, isReplaced ? null : before[field]])
  return { ...(Object.fromEntries(kept) as Content), ...changes }
}

type OverrideFields = 'modifier' | 'difficulty' | 'desperation_dice' | 'target' | 'values' | 'missing'
type Overrides = { [Field in OverrideFields]?: QuickRollRoll[Field] | undefined }

/** The body of a roll of what is saved, with the values that a request overrides. Inputs of the request are added to those that are saved. */
export function overridden(saved: Content, { values, target, missing, modifier, difficulty, desperation_dice }: Overrides): RollBody {
  const body = requestOf(saved)
  const ofPool = present({ modifier, difficulty, desperation_dice })
  const fields = Object.keys(ofPool)
  if (fields.length && !body.pool) invalid(fields.map((field) => ({ field, message: 'must not be sent: the quick roll is not a pool' })))
  return {
    ...body,
    ...present({ target, missing }),
    ...((values || body.values) && { values: { ...body.values, ...values } }),
    ...(body.pool && { pool: { ...(difficulty === undefined ? body.pool : withoutDifficulty(body.pool)), ...ofPool } }),
  }
}

/** `success` is another name for the difficulty. */
function withoutDifficulty({ difficulty: _, success: __, ...pool }: PoolRequest): PoolRequest {
  return pool
}
