import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import type { TSchema } from '@guildhall/rules/type'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { example, sampleOf } from '../src/http/reference/example.ts'
import { type Answer, type CallOptions, call, db, newCompany, newDeveloper } from './harness.ts'

/** Creates a delivery that waits. No process delivers in these tests. */
export async function newDelivery(company_id: string, webhook_id: string): Promise<string> {
  const [id, now] = [db.newId(), db.now()]
  await db.transaction((tx) =>
    tx.query(sql`
      INSERT INTO webhook_deliveries (company_id, id, webhook_id, number, change_id, type, status, is_replay, attempts, failures, date_due, date_created)
      SELECT ${company_id}, ${id}, ${webhook_id}, count(*) + 1, ${id}, 'feed.reset', 'PENDING', false, 0, 0, ${now}, ${now}
      FROM webhook_deliveries WHERE company_id = ${company_id} AND webhook_id = ${webhook_id}`),
  )
  return id
}

/** A small game that is valid. */
const DOCUMENT = {
  format: 1,
  name: 'Scene',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: {} },
  traits: { nerve: { group: 'stats' } },
}

/** Adds this query and the required parameters to a path. */
function withQuery({ query: schema }: Plan, path: string, query = ''): string {
  const { required = [], properties = {} } = (schema ?? {}) as { required?: string[]; properties?: Record<string, TSchema> }
  const missing = required.filter((name) => !('default' in (properties[name] as TSchema)))
  const parameters = [...missing.map((name) => `${name}=${example(properties[name] as TSchema)}`), query].filter(Boolean)
  return `${path}${parameters.length ? '?' : ''}${parameters.join('&')}`
}

const ID_OF_NOTHING = randomUUID()

/**
 * Sends the request of an operation with ids of nothing, except these. A caller without access is refused before the ids are looked up, and one who is not
 * refused gets another answer, so all operations can share a company.
 */
export function sendNowhere(plan: Plan, params: Record<string, string>, request: CallOptions): Promise<Answer> {
  const path = `/api/v1${plan.fill((name) => params[name] ?? ID_OF_NOTHING)}`
  return call(plan.method, withQuery(plan, path), { ...(plan.body && { body: sampleOf(plan.body) }), ...request })
}

/** Sets up a company in which an operation can succeed, and the request that succeeds. An acting user is a storyteller with a campaign. */
export async function scene(plan: Plan) {
  const company = await newCompany()
  const user_id = await company.user(plan.actor === 'path' ? 'STORYTELLER' : 'PLAYER')
  const isAdmin = plan.needs.key === 'GLOBAL_ADMIN'
  const caller = isAdmin ? await newDeveloper(true) : company.owner
  const params: Record<string, string> = { company_id: company.company_id, user_id, key_id: caller.key_id }
  if (plan.params.some(({ name }) => name === 'developer_id')) {
    const other = isAdmin ? await newDeveloper() : await company.developer('ADMIN')
    Object.assign(params, { developer_id: other.id, ...(isAdmin && { key_id: other.key_id }) })
  }
  const path = (changed: Record<string, string> = {}) => `/api/v1${plan.fill((name) => ({ ...params, ...changed })[name] as string)}`

  let quickRolls = 0
  /** Creates another resource for a path parameter, in the collection that the path names. */
  const make = async (name: string): Promise<string> => {
    const collection = path().slice(0, path({ [name]: '*' }).indexOf('/*'))
    if (name === 'member_id') {
      const member = await company.user('STORYTELLER')
      await call('PUT', `${collection}/${member}`, { key: caller.key, body: { role: 'STORYTELLER' } })
      return member
    }
    // A key of its own in each scene, so that the key of another scene is unknown.
    if (name === 'key') return newTracker(collection, `tracker_${randomBytes(6).toString('hex')}`)
    if (name === 'external_id') {
      const body = { name: 'Linked', role: 'PLAYER', external_id: 'app:user:1' }
      return (await call('POST', `${company.base}/users`, { key: caller.key, body })).body.external_id as string
    }
    if (name === 'roll_id') return roll(collection)
    if (name === 'entry_id') {
      const body = { amount: 3, reason: 'For the scene', user_ids: [user_id] }
      return (await call('POST', collection.replace('entries', 'awards'), { key: caller.key, body })).body.items[0]?.id as string
    }
    if (name === 'invite_id') return (await call('POST', collection, { key: caller.key, body: {} })).body.id
    if (name === 'token_id' || name === 'link_id') return (await call('POST', collection, { key: caller.key, body: {} })).body.id
    if (name === 'webhook_id') {
      // Nothing listens there.
      const body = { name: `Webhook ${randomBytes(6).toString('hex')}`, url: 'https://127.0.0.1:65535/' }
      return (await call('POST', collection, { key: caller.key, body })).body.id
    }
    if (name === 'pack_id') return 'd10-pool'
    if (name === 'condition') return 'shaken'
    if (name === 'roll') return 'test'
    if (name === 'creation_id') {
      const C = collection.replace(/\/creations$/, '')
      if (!played.has(C)) await playBy(C, plan.id === 'creations.roll' ? 'srd-5.2' : 'd10-pool')
      played.add(C)
      const created = await call('POST', collection, { key: caller.key, body: {} })
      assert.equal(created.status, 201, created.text)
      if (plan.id === 'creations.finish') await call('POST', `${collection}/${created.body.id}/random`, { key: caller.key, body: {} })
      return created.body.id
    }
    if (name === 'step') return plan.id === 'creations.roll' ? 'abilities' : 'concept'
    if (name === 'ruleset_id') return newRuleset(collection)
    if (name === 'version_id') return newVersion(collection)
    if (name === 'term_id') {
      const body = { term: `Term ${randomBytes(6).toString('hex')}`, definition: 'Made for the scene' }
      return (await call('POST', collection, { key: caller.key, body })).body.id
    }
    if (name === 'delivery_id') return newDelivery(company.company_id, params.webhook_id as string)
    if (name === 'quick_roll_id') {
      const body = { name: `Quick ${++quickRolls}`, pool: { dice: 3 } }
      return (await call('POST', collection, { key: caller.key, body })).body.id
    }
    const body = { [collection.endsWith('/notes') ? 'title' : 'name']: 'Made for the scene' }
    const created = await call('POST', collection, {
      key: caller.key,
      body: { ...body, ...(name === 'campaign_id' && { status: 'PLANNED' }) },
    })
    assert.equal(created.status, 201, `no ${name} could be created: ${created.text}`)
    return created.body.id
  }
  /** Copies a pack, and returns its version. */
  const newPublished = async (pack = 'd10-pool'): Promise<string> => {
    const body = { pack, name: `Pack ${randomBytes(6).toString('hex')}` }
    const created = await call('POST', `${company.base}/rulesets`, { key: caller.key, body })
    return (created.body as unknown as { published_version_id: string }).published_version_id
  }
  const played = new Set<string>()
  /** Copies a pack, and plays a campaign by it. */
  const playBy = async (C: string, pack?: string): Promise<void> => {
    const chosen = await call('PUT', `${C}/ruleset`, {
      key: caller.key,
      body: { version_id: await newPublished(pack), accept_faults: true },
    })
    assert.equal(chosen.status, 200, chosen.text)
  }
  const newRuleset = async (collection: string): Promise<string> => {
    const document = { ...DOCUMENT, name: `Game ${randomBytes(6).toString('hex')}` }
    const created = await call('POST', collection, { key: caller.key, body: { document } })
    assert.equal(created.status, 201, created.text)
    const { id, draft_version_id } = created.body as unknown as Record<'id' | 'draft_version_id', string>
    // A ruleset has one draft at a time.
    if (plan.id === 'rulesetVersions.create')
      await call('POST', `${collection}/${id}/versions/${draft_version_id}/publish`, { key: caller.key })
    return id
  }
  /** The draft of a ruleset, or for an operation on published ones the version that it becomes. */
  const newVersion = async (collection: string): Promise<string> => {
    const { items } = (await call('GET', `${collection}?status=DRAFT`, { key: caller.key })).body
    const id = items[0]?.id ?? (await call('POST', collection, { key: caller.key, body: { document: DOCUMENT } })).body.id
    if (plan.id === 'rulesetVersions.retire') await call('POST', `${collection}/${id}/publish`, { key: caller.key })
    return id
  }
  const newTracker = async (collection: string, key: string): Promise<string> => {
    const created = await call('PUT', `${collection}/${key}`, { key: caller.key, body: { value: 24, maximum: 31 } })
    assert.equal(created.status, 201, created.text)
    return key
  }
  /** Creates a roll. Only a strained one can be settled, and storytellers void only the rolls in their campaigns. */
  const roll = async (collection: string): Promise<string> => {
    const needsCampaign = plan.id === 'diceRolls.settle' || plan.id === 'diceRolls.void'
    if (!needsCampaign) return (await call('POST', collection, { key: caller.key, body: { pool: { dice: 3 } } })).body.id
    const campaigns = collection.replace('dice-rolls', 'campaigns')
    const campaign_id = (await call('POST', campaigns, { key: caller.key, body: { name: 'Desperate', desperation: 5 } })).body.id
    for (;;) {
      const { body } = await call('POST', collection, { key: caller.key, body: { pool: { dice: 1, desperation_dice: 5 }, campaign_id } })
      if (body.strained || plan.id === 'diceRolls.void') return body.id
    }
  }
  /** Creates a campaign of another storyteller. Returns its path. */
  const campaignOfAnother = async (): Promise<string> => {
    const campaigns = `${company.base}/users/${await company.user('STORYTELLER')}/campaigns`
    const { body } = await call('POST', campaigns, { key: caller.key, body: { name: "Another's" } })
    return `${campaigns}/${body.id}`
  }
  // Only a user who is not a member can join, and an owner cannot leave.
  if (plan.id === 'members.join' || plan.id === 'members.leave') {
    params.campaign_id = (await campaignOfAnother()).slice(-36)
    if (plan.id === 'members.leave') await call('POST', path().replace(/leave$/, 'join'), { key: caller.key })
  }
  for (const { name } of plan.params) {
    // A numbered resource is the second one, so that it can be moved.
    if (name === 'book_id' || name === 'chapter_id') await make(name)
    params[name] ??= await make(name)
  }

  const sample = plan.body && sampleOf(plan.body)
  const namedUser = plan.id === 'campaigns.transfer' ? await company.user('PLAYER') : user_id
  const userIds = sample && { ...('user_id' in sample && { user_id: namedUser }), ...('user_ids' in sample && { user_ids: [user_id] }) }
  const inviteCode = async () => (await call('POST', `${await campaignOfAnother()}/invites`, { key: caller.key, body: {} })).body.code
  /** Odds with a name, which is looked up. */
  const namedOdds = async () => {
    const traits = { strength: 3 }
    const { body } = await call('POST', `${await campaignOfAnother()}/characters`, { key: caller.key, body: { name: 'Odd', traits } })
    return { pool: { traits: ['strength'], difficulty: 7 }, character_id: body.id }
  }
  /** A version to copy, or to compare with. */
  const copied = async () => {
    const rulesets = `${company.base}/rulesets`
    return newVersion(`${rulesets}/${await newRuleset(rulesets)}/versions`)
  }
  if (/^(campaignRulesets\.(get|delete)|(conditions|sheetRolls)\.\w+|costs\.get|characters\.generate|creations\.create)$/.test(plan.id)) {
    const C = path().slice(0, path().indexOf(params.campaign_id as string) + 36)
    await playBy(C)
    if (plan.id === 'conditions.delete') await call('PUT', path(), { key: caller.key, body: { level: 1 } })
  }
  const body = sample && {
    ...(plan.id === 'rulesets.create' ? { name: 'A copy', copy_of: await copied() } : sample),
    ...userIds,
    ...('sight' in sample && { sight: 'USER', user_id }),
    ...(plan.id === 'invites.accept' && { code: await inviteCode() }),
    ...(plan.id === 'campaignRulesets.set' && { version_id: await newPublished(), dry_run: false }),
    // The pack has no tiers.
    ...(/^(characters\.generate|creations\.random)$/.test(plan.id) && { tier: undefined }),
    ...(plan.id === 'characters.generate' && { dry_run: false }),
    ...(plan.id === 'rulesets.validate' && { previous_version_id: await copied() }),
    ...(plan.id === 'dice.odds' && (await namedOdds())),
  }
  if (plan.id === 'experience.spend') {
    const awards = path().replace(/spends$/, 'awards')
    await call('POST', awards, { key: caller.key, body: { amount: 100, reason: 'For the scene', user_ids: [user_id] } })
  }
  if (plan.id === 'webhooks.enable') await call('POST', path().replace(/enable$/, 'disable'), { key: caller.key })
  if (plan.id === 'tokens.revoke') await call('POST', path().replace(/\/revoke$/, ''), { key: caller.key, body: {} })
  if (plan.id === 'quickRolls.rollByName')
    await call('POST', path().replace(/\/roll$/, ''), { key: caller.key, body: { name: 'Stealth', pool: { dice: 3 } } })
  if (plan.id.endsWith('Trackers.reset')) await newTracker(path().replace(/\/reset$/, ''), 'hit_points')
  if (plan.id === 'characters.adjust') {
    await newTracker(path().replace(/adjust$/, 'trackers'), 'hit_points')
    await call('PATCH', path().replace(/\/adjust$/, ''), { key: caller.key, body: { traits: { corruption: 0 } } })
  }
  /** Returns the path with this query and the required parameters. */
  const pathWithQuery = (query = '', changed: Record<string, string> = {}) => withQuery(plan, path(changed), query)
  const send = async (request: CallOptions = {}, changed: Record<string, string> = {}): Promise<Answer> =>
    call(plan.method, pathWithQuery('', changed), { key: caller.key, ...(body !== undefined && { body }), ...request })
  const eventsOf = async (request_id: string) =>
    db.query<{ type: string; developer_id: string }>(
      sql`SELECT type, developer_id FROM events WHERE request_id = ${request_id} ORDER BY id`,
    )
  return { ...company, caller, params, path, pathWithQuery, make, body, send, eventsOf, user_id }
}
