import { attempt } from '../client.ts'
import type { Developer } from '../company.ts'
import { type Documented, documented } from './document.ts'

/**
 * A company with two rows for each parameter of a path: one to use, and one to delete. Ids are found by the part of the path before the
 * parameter.
 */
export interface Scene {
  company_id: string
  developer: Developer
  ids: Map<string, [string, string]>
}

const B = '/api/v1/companies/{company_id}'
const WEEK_SECONDS = 604_800

/** Returns the parameters of a path: the part before each, and its name. */
export const idsIn = (path: string) =>
  [...path.matchAll(/{(\w+)}/g)].map((match) => ({ before: path.slice(0, match.index), name: match[1] as string }))

export const fill = (path: string, idAt: (before: string, name: string) => string) =>
  path.replaceAll(/{(\w+)}/g, (_match, name: string, index: number) => idAt(path.slice(0, index), name))

export async function newScene(port: number, developer: Developer, bystander: Developer, operator: Developer): Promise<Scene> {
  const send = async (
    method: string,
    path: string,
    body: unknown,
    { key } = developer,
  ): Promise<{ id: string; items: { id: string }[]; published_version_id: string }> => {
    const { status, text } = await attempt(port, { method, path, key, body })
    if (status !== 200 && status !== 201) throw new Error(`the scene could not be created: ${method} ${path} answered ${status} ${text}`)
    return JSON.parse(text)
  }
  const two = async (make: (i: number) => Promise<string>): Promise<[string, string]> => [await make(0), await make(1)]
  const ids: Scene['ids'] = new Map()
  const filled = (path: string) => fill(path, (before) => ids.get(before)?.[0] as string)

  ids.set('/api/v1/companies/', await two(async (i) => (await send('POST', '/api/v1/companies', { name: `Company ${i}` })).id))
  const user = (i: number) => send('POST', filled(`${B}/users`), { name: `User ${i}`, role: 'ADMIN' })
  ids.set(`${B}/users/`, await two(async (i) => (await user(i)).id))
  await send('PUT', filled(`${B}/developers/${bystander.id}`), { permission: 'ADMIN' })
  ids.set(`${B}/developers/`, [bystander.id, bystander.id])
  // A key that keeps working while the other one is deleted or rotated.
  const keys = await send('GET', '/api/v1/developers/me/keys', undefined)
  const { id: spare } = await send('POST', `/api/v1/developers/me/keys/${keys.items[0]?.id}/rotate`, { overlap_seconds: WEEK_SECONDS })
  ids.set('/api/v1/developers/me/keys/', [spare, spare])
  const developers = '/api/v1/admin/developers'
  ids.set(`${developers}/`, await two(async (i) => (await send('POST', developers, { name: `Developer ${i}` }, operator)).id))
  const keysOf = `${developers}/{developer_id}/keys`
  ids.set(`${keysOf}/`, await two(async () => (await send('POST', filled(keysOf), {}, operator)).id))

  const [me, other] = ids.get(`${B}/users/`) as [string, string]
  const campaign = `${B}/users/{user_id}/campaigns/{campaign_id}`
  // Characters are created step by step by the ruleset of their campaign.
  const chooseRuleset = async () => {
    const { published_version_id: version_id } = await send('POST', filled(`${B}/rulesets`), { pack: 'd10-pool' })
    await send('PUT', filled(`${campaign}/ruleset`), { version_id, mode: 'ADVISORY' })
  }
  for (const op of creators()) {
    const [example] = Object.values(op.body?.examples ?? {})
    const body = example?.value ?? {}
    const named = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, name === 'name' ? `${value} %` : value]))
    ids.set(`${op.path}/`, await two(async (i) => (await send('POST', filled(op.path), rename(named, i))).id))
    if (`${op.path}/{campaign_id}` === campaign) await chooseRuleset()
  }
  await send('PUT', filled(`${campaign}/members/${other}`), { role: 'PLAYER' })
  ids.set(`${campaign}/members/`, [other, other])
  const award = () => send('POST', filled(`${campaign}/experience/awards`), { amount: 50, reason: 'For the scene', user_ids: [me] })
  ids.set(`${campaign}/experience/entries/`, await two(async () => (await award()).items[0]?.id as string))
  return { company_id: ids.get('/api/v1/companies/')?.[0] as string, developer, ids }
}

const rename = (body: Record<string, unknown>, i: number) => ({ ...body, ...(body.name !== undefined && { name: `${body.name}${i}` }) })

/** Returns the operations that create rows which other paths refer to, shortest path first. */
const creators = (): Documented[] =>
  documented
    .filter(({ method, path }) => method === 'POST' && path.startsWith(`${B}/users/{user_id}/`))
    .filter(({ path }) => documented.some((op) => /^\/{\w+}$/.test(op.path.slice(path.length)) && op.path.startsWith(path)))
    .sort((a, b) => a.path.split('/').length - b.path.split('/').length)
