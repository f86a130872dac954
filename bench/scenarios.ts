import { randomUUID } from 'node:crypto'
import type { OutgoingRequest } from './load.ts'
import type { Company } from './seed.ts'

/** A request to measure. Writes are spread over companies. `floor` is the operation of the minimal server to compare with. */
export interface Scenario {
  name: string
  floor: 'read' | 'write'
  /** The required share of the requests per second of the minimal server. */
  target?: number
  /** True if the company needs a cursor of its feed. */
  hasCursor?: true
  requestFor: (company: Company, key: string) => OutgoingRequest
}

const replayedKey = randomUUID()
const pool = { traits: ['strength', 'brawl'], difficulty: 7 }
const newUser = { name: 'Newcomer', role: 'PLAYER' }

export const scenarios: Scenario[] = [
  { name: 'list users', floor: 'read', target: 0.6, requestFor: ({ base }) => ({ method: 'GET', path: `${base}/users?limit=10` }) },
  { name: 'get user', floor: 'read', target: 0.75, requestFor: ({ base, player }) => ({ method: 'GET', path: `${base}/users/${player}` }) },
  {
    name: 'list characters as a player',
    floor: 'read',
    requestFor: ({ userPath, campaign }) => ({ method: 'GET', path: `${userPath}/campaigns/${campaign}/characters` }),
  },
  {
    name: 'get character with includes',
    floor: 'read',
    requestFor: ({ userPath, campaign, character }) => ({
      method: 'GET',
      path: `${userPath}/campaigns/${campaign}/characters/${character}?include=inventory,notes`,
    }),
  },
  { name: 'list 100 users', floor: 'read', requestFor: ({ base }) => ({ method: 'GET', path: `${base}/users?limit=100` }) },
  {
    name: 'list 100 users with gzip',
    floor: 'read',
    requestFor: ({ base }) => ({ method: 'GET', path: `${base}/users?limit=100`, headers: { 'accept-encoding': 'gzip' } }),
  },
  {
    name: 'create user',
    floor: 'write',
    target: 0.6,
    requestFor: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser }),
  },
  {
    name: 'create user with a key',
    floor: 'write',
    target: 0.45,
    requestFor: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser, headers: { 'idempotency-key': randomUUID() } }),
  },
  {
    name: 'replay of a key',
    floor: 'read',
    target: 0.6,
    requestFor: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser, headers: { 'idempotency-key': replayedKey } }),
  },
  {
    name: 'roll dice',
    floor: 'write',
    target: 0.45,
    requestFor: ({ userPath, character }) => ({ method: 'POST', path: `${userPath}/dice-rolls`, body: { pool, character_id: character } }),
  },
  {
    name: 'list rolls of a campaign',
    floor: 'read',
    requestFor: ({ userPath, campaign }) => ({ method: 'GET', path: `${userPath}/dice-rolls?campaign_id=${campaign}&sort=-date_created` }),
  },
  {
    name: 'list all rolls',
    floor: 'read',
    requestFor: ({ userPath }) => ({ method: 'GET', path: `${userPath}/dice-rolls?sort=-date_created` }),
  },
  {
    name: 'list users by last change',
    floor: 'read',
    requestFor: ({ base }) => ({ method: 'GET', path: `${base}/users?sort=-date_modified` }),
  },
  {
    name: 'list users changed since',
    floor: 'read',
    requestFor: ({ base }) => ({ method: 'GET', path: `${base}/users?modified_since=2999-01-01T00:00:00Z` }),
  },
  { name: 'list own campaigns', floor: 'read', requestFor: ({ userPath }) => ({ method: 'GET', path: `${userPath}/campaigns?mine=true` }) },
  { name: 'list own characters', floor: 'read', requestFor: ({ userPath }) => ({ method: 'GET', path: `${userPath}/characters` }) },
  {
    name: 'list campaigns without a user',
    floor: 'read',
    requestFor: ({ base }) => ({ method: 'GET', path: `${base}/campaigns?limit=1` }),
  },
  {
    name: 'list rolls by last change without a user',
    floor: 'read',
    requestFor: ({ base }) => ({ method: 'GET', path: `${base}/dice-rolls?sort=-date_modified` }),
  },
  {
    name: 'page of 50 changes',
    floor: 'read',
    hasCursor: true,
    requestFor: ({ userPath, cursor }) => ({ method: 'GET', path: `${userPath}/changes?after=${cursor}&limit=50` }),
  },
  { name: 'statistics', floor: 'read', requestFor: ({ base }) => ({ method: 'GET', path: `${base}/statistics` }) },
  {
    name: 'spend experience',
    floor: 'write',
    requestFor: ({ userPath, campaign }) => ({
      method: 'POST',
      path: `${userPath}/campaigns/${campaign}/experience/spends`,
      body: { amount: 1, reason: 'A new trick' },
    }),
  },
]
