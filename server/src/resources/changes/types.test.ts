import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVENTS, FEED_ONLY_EVENTS } from '../../events/catalog.ts'
import { FEED_TYPES, TYPE_FILTERS } from '../../events/feed-types.ts'
import { planOf } from '../../http/plan.ts'
import { operations } from '../index.ts'
import { KINDS } from './kinds.ts'

const kindsOf = (types: string[]) => new Set(types.map((type) => type.split('.')[0] as string))
const BY_MAINTENANCE = ['campaign.purged', 'character.purged', 'user.purged']
const BY_COMMANDS = ['console_link.created']

test('every type of the catalog is declared by an operation, or written by maintenance or a command', () => {
  const declared = operations.flatMap((operation) => planOf(operation).events)
  assert.deepEqual(Object.keys(EVENTS).sort(), [...new Set([...declared, ...BY_MAINTENANCE, ...BY_COMMANDS])].sort())
})

test('the feed tells every type, except those of credentials, developers and creations', () => {
  const untold = Object.keys(EVENTS).filter((type) => !FEED_TYPES.includes(type))
  assert.deepEqual(
    [...kindsOf(untold)],
    ['api_key', 'console_link', 'console_session', 'creation', 'developer', 'sign_in_link', 'user_token'],
  )
  assert.deepEqual([...kindsOf(Object.keys(KINDS))].sort(), [...kindsOf(FEED_TYPES)].filter((kind) => !/^(feed|sight)$/.test(kind)).sort())
})

test('every type has one sentence, and no type has two', () => {
  for (const sentence of Object.values({ ...EVENTS, ...FEED_ONLY_EVENTS })) assert.match(sentence, /^[A-Z][^.]+[a-z]$/)
  assert.deepEqual(
    Object.keys(EVENTS).filter((type) => type in FEED_ONLY_EVENTS),
    [],
  )
  assert.ok(TYPE_FILTERS.includes('character.*') && TYPE_FILTERS.includes('sight.changed') && !TYPE_FILTERS.includes('api_key.*'))
})
