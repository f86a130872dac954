import { randomUUID } from 'node:crypto'
import type { Ask } from './load.ts'
import type { Company } from './seed.ts'

/** What is measured. Those that write are spread over companies; `floor` is what the least possible server does for the like. */
export interface Scenario {
  name: string
  floor: 'read' | 'write'
  /** The least part of the floor's requests per second that will do. */
  must?: number
  ask: (company: Company, key: string) => Ask
}

const kept = randomUUID()
const pool = { traits: ['strength', 'brawl'], difficulty: 7 }
const newUser = { name: 'Newcomer', role: 'PLAYER' }

export const scenarios: Scenario[] = [
  { name: 'list users', floor: 'read', must: 0.75, ask: ({ base }) => ({ method: 'GET', path: `${base}/users?limit=10` }) },
  { name: 'get user', floor: 'read', must: 0.75, ask: ({ base, player }) => ({ method: 'GET', path: `${base}/users/${player}` }) },
  {
    name: 'list characters as a player',
    floor: 'read',
    ask: ({ as, campaign }) => ({ method: 'GET', path: `${as}/campaigns/${campaign}/characters` }),
  },
  {
    name: 'get character with includes',
    floor: 'read',
    ask: ({ as, campaign, character }) => ({
      method: 'GET',
      path: `${as}/campaigns/${campaign}/characters/${character}?include=inventory,notes`,
    }),
  },
  { name: 'create user', floor: 'write', must: 0.6, ask: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser }) },
  {
    name: 'create user with a key',
    floor: 'write',
    must: 0.45,
    ask: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser, headers: { 'idempotency-key': randomUUID() } }),
  },
  {
    name: 'replay of a key',
    floor: 'read',
    must: 0.6,
    ask: ({ base }) => ({ method: 'POST', path: `${base}/users`, body: newUser, headers: { 'idempotency-key': kept } }),
  },
  {
    name: 'roll dice',
    floor: 'write',
    must: 0.45,
    ask: ({ as, character }) => ({ method: 'POST', path: `${as}/dice-rolls`, body: { pool, character_id: character } }),
  },
  {
    name: 'list rolls of a campaign',
    floor: 'read',
    ask: ({ as, campaign }) => ({ method: 'GET', path: `${as}/dice-rolls?campaign_id=${campaign}&sort=-date_created` }),
  },
  { name: 'list all rolls', floor: 'read', ask: ({ as }) => ({ method: 'GET', path: `${as}/dice-rolls?sort=-date_created` }) },
  { name: 'statistics', floor: 'read', ask: ({ base }) => ({ method: 'GET', path: `${base}/statistics` }) },
  {
    name: 'spend experience',
    floor: 'write',
    ask: ({ as, campaign }) => ({
      method: 'POST',
      path: `${as}/campaigns/${campaign}/experience/spends`,
      body: { amount: 1, reason: 'A new trick' },
    }),
  },
]
