import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES, type Role } from '../../core/access.ts'
import { mayWrite } from './membership.ts'
import { adjustLevels, mayCreate, mayManage, mayTransfer, mayUpdate, refuseTransition } from './rules.ts'
import { type CampaignCreate, STATUSES } from './schema.ts'

const me = (role: Role) => ({ id: 'me', role })
const campaign = {
  id: 'c',
  user_id: 'other',
  isMember: false,
  joining: 'OPEN' as const,
  experience_per: 'USER' as const,
  trait_changes: 'ANYONE' as const,
  ruleset_version_id: null,
  ruleset_mode: null,
}
/** `isStoryteller` is decided in SQL: true for an ADMIN, true for a STORYTELLER in their own campaigns, never true for a PLAYER. */
const campaignsFor = (role: Role) => [
  { ...campaign, isStoryteller: role === 'ADMIN', relation: 'another’s' },
  { ...campaign, user_id: 'me', isMember: true, isStoryteller: role !== 'PLAYER', relation: 'own' },
  ...(role === 'STORYTELLER' ? [{ ...campaign, isMember: true, isStoryteller: true, relation: 'as storyteller' }] : []),
]
type Context = { actor: ReturnType<typeof me>; campaign: ReturnType<typeof campaignsFor>[number] }
const allowed = (may: (context: Context) => boolean) =>
  ROLES.flatMap((role) =>
    campaignsFor(role).flatMap((campaign) => (may({ actor: me(role), campaign }) ? [`${role} ${campaign.relation}`] : [])),
  )

test('each role may do the right things in each campaign', () => {
  const storytellers = ['STORYTELLER own', 'STORYTELLER as storyteller', 'ADMIN another’s', 'ADMIN own']
  assert.deepEqual(allowed(mayManage), ['PLAYER own', ...storytellers])
  assert.deepEqual(
    allowed((context) => mayUpdate(context, { name: 'x' })),
    ['PLAYER own', ...storytellers],
  )
  assert.deepEqual(
    allowed((context) => mayUpdate(context, { trait_changes: 'EXPERIENCE' })),
    ['PLAYER own', ...storytellers],
  )
  assert.deepEqual(
    allowed((context) => mayUpdate(context, { danger: 1 })),
    ['STORYTELLER another’s', ...storytellers],
    'every storyteller and no player may set danger',
  )
  assert.deepEqual(
    allowed((context) => mayUpdate(context, { danger: 1, name: 'x' })),
    storytellers,
    'one refused field refuses the whole patch',
  )
  assert.deepEqual(allowed(mayTransfer), ['PLAYER own', 'STORYTELLER own', 'ADMIN another’s', 'ADMIN own'])
})

test('the company setting decides who may create a campaign, and only storytellers set danger and desperation', () => {
  const rolesThatMay = (campaign_creation: 'ANYONE' | 'STORYTELLER', fields: Partial<CampaignCreate> = {}) =>
    ROLES.filter((role) => mayCreate({ actor: me(role), settings: { campaign_creation } }, { name: 'x', ...fields } as CampaignCreate))
  assert.deepEqual(rolesThatMay('ANYONE'), [...ROLES])
  assert.deepEqual(rolesThatMay('STORYTELLER'), ['STORYTELLER', 'ADMIN'])
  for (const field of ['danger', 'desperation']) assert.deepEqual(rolesThatMay('ANYONE', { [field]: 0 }), ['STORYTELLER', 'ADMIN'])
})

test('a status changes only along the allowed transitions, and the refusal names them', () => {
  const transitions = STATUSES.flatMap((from) =>
    STATUSES.filter((to) => {
      try {
        refuseTransition(from, to)
        return from !== to
      } catch {
        return false
      }
    }).map((to) => `${from} ${to}`),
  )
  assert.deepEqual(transitions, [
    'PLANNED ACTIVE',
    'ACTIVE PAUSED',
    'ACTIVE COMPLETED',
    'PAUSED ACTIVE',
    'PAUSED COMPLETED',
    'COMPLETED ACTIVE',
  ])
  assert.throws(
    () => refuseTransition('PLANNED', 'COMPLETED'),
    /A campaign that is PLANNED cannot become COMPLETED\. It can become ACTIVE\./,
  )
  assert.throws(() => refuseTransition('ACTIVE', 'PLANNED'), /cannot become PLANNED\. It can become PAUSED or COMPLETED\./)
})

test('levels are adjusted together or not at all', () => {
  assert.deepEqual(adjustLevels({ danger: 2, desperation: 0 }, { danger: 3 }), { danger: 5 })
  assert.deepEqual(adjustLevels({ danger: 2, desperation: 4 }, { danger: -2, desperation: 1 }), { danger: 0, desperation: 5 })
  assert.throws(() => adjustLevels({ danger: 2, desperation: 0 }, { danger: 1, desperation: -1 }), /desperation is 0/)
  assert.throws(() => adjustLevels({ danger: 2, desperation: 0 }, { danger: 4 }), /danger is 2 and must stay between 0 and 5/)
})

test('outsiders may write in a campaign that is open to join, and in no other', () => {
  const writers = (joining: 'OPEN' | 'INVITE') => allowed((context) => mayWrite({ ...context, campaign: { ...context.campaign, joining } }))
  const insiders = ['PLAYER own', 'STORYTELLER own', 'STORYTELLER as storyteller', 'ADMIN another’s', 'ADMIN own']
  assert.deepEqual(writers('INVITE'), insiders)
  assert.deepEqual(new Set(writers('OPEN')), new Set([...insiders, 'PLAYER another’s', 'STORYTELLER another’s']))
})
