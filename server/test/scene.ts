import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { sql } from '../src/db/sql.ts'
import { fillPath, type Operation } from '../src/http/operation.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import { type Answer, type Ask, call, db, newCompany, newDeveloper } from './harness.ts'

/** Below /users/{user_id}/ the path's user acts. */
export const isNested = ({ path }: Operation) => /\/users\/{user_id}\/(?!restore$)/.test(path)

/** A company in which an operation can succeed, and the request that does. Where a user acts, it is a storyteller with a campaign. */
export async function scene(op: Operation) {
  const company = await newCompany()
  const other = await newDeveloper()
  const operator = await newDeveloper(true)
  await company.user('ADMIN')
  const user_id = await company.user(isNested(op) ? 'STORYTELLER' : 'PLAYER')
  const isAdmin = op.needs.key === 'GLOBAL_ADMIN'
  const caller = isAdmin ? operator : company.owner
  const bystander = await company.developer('ADMIN')
  const params: Record<string, string> = {
    company_id: company.company_id,
    user_id,
    developer_id: isAdmin ? other.id : bystander.id,
    key_id: isAdmin ? other.key_id : company.owner.key_id,
  }
  const path = (changed: Record<string, string> = {}) =>
    `/api/v1${fillPath(op.path, (name) => ({ ...params, ...changed })[name] as string)}`

  let quick = 0
  /** One more of what a name in the path stands for, made where the path says it is. */
  const make = async (name: string): Promise<string> => {
    const collection = path().slice(0, path({ [name]: '*' }).indexOf('/*'))
    if (name === 'member_id') {
      const member = await company.user('STORYTELLER')
      await call('PUT', `${collection}/${member}`, { key: caller.key, body: { role: 'STORYTELLER' } })
      return member
    }
    if (name === 'roll_id') return roll(collection)
    if (name === 'entry_id') {
      const body = { amount: 3, reason: 'For the scene', user_ids: [user_id] }
      return (await call('POST', collection.replace('entries', 'awards'), { key: caller.key, body })).body.items[0]?.id as string
    }
    if (name === 'quick_roll_id') {
      const body = { name: `Quick ${++quick}`, pool: { dice: 3 } }
      return (await call('POST', collection, { key: caller.key, body })).body.id
    }
    const body = { [collection.endsWith('/notes') ? 'title' : 'name']: 'Made for the scene' }
    const made = await call('POST', collection, {
      key: caller.key,
      body: { ...body, ...(name === 'campaign_id' && { status: 'PLANNED' }) },
    })
    assert.equal(made.status, 201, `the scene has no ${name}: ${made.text}`)
    return made.body.id
  }
  /** A roll; to settle one, it must be strained. */
  const roll = async (collection: string): Promise<string> => {
    if (op.id !== 'diceRolls.settle') return (await call('POST', collection, { key: caller.key, body: { pool: { dice: 3 } } })).body.id
    const campaigns = collection.replace('dice-rolls', 'campaigns')
    const campaign_id = (await call('POST', campaigns, { key: caller.key, body: { name: 'Desperate', desperation: 5 } })).body.id
    for (;;) {
      const { body } = await call('POST', collection, { key: caller.key, body: { pool: { dice: 1, desperation_dice: 5 }, campaign_id } })
      if (body.strained) return body.id
    }
  }
  for (const [, name = ''] of op.path.matchAll(/{(\w+)}/g)) {
    // What is numbered is the second of its kind, so that it can move.
    if (name === 'book_id' || name === 'chapter_id') await make(name)
    params[name] ??= await make(name)
  }

  const sample = op.body && sampleOf(op.body)
  const somebody = op.id === 'campaigns.transfer' ? await company.user('PLAYER') : user_id
  const named = sample && { ...('user_id' in sample && { user_id: somebody }), ...('user_ids' in sample && { user_ids: [user_id] }) }
  const body = sample && { ...sample, ...named }
  if (op.id === 'experience.spend') {
    const awards = path().replace(/spends$/, 'awards')
    await call('POST', awards, { key: caller.key, body: { amount: 100, reason: 'For the scene', user_ids: [user_id] } })
  }
  /** The path with a query that has at least what is required. */
  const ask = (query = '', changed: Record<string, string> = {}) => {
    const { required = [], properties = {} } = (op.query ?? {}) as { required?: string[]; properties?: Record<string, TSchema> }
    const missing = required.filter((name) => !('default' in (properties[name] as TSchema)))
    const all = [...missing.map((name) => `${name}=${example(properties[name] as TSchema)}`), query].filter(Boolean)
    return `${path(changed)}${all.length ? '?' : ''}${all.join('&')}`
  }
  const send = async (request: Ask = {}, changed: Record<string, string> = {}): Promise<Answer> =>
    call(op.method, ask('', changed), { key: caller.key, ...(body !== undefined && { body }), ...request })
  const happened = async (request_id: string) =>
    db.query<{ type: string; developer_id: string }>(
      sql`SELECT type, developer_id FROM events WHERE request_id = ${request_id} ORDER BY id`,
    )
  return { ...company, caller, params, path, ask, make, body, send, happened, user_id }
}
