import type { Person } from './game-table.ts'
import type { Answer } from './harness.ts'
import type { Table } from './mirror.ts'
import { publishGame } from './ruled-worlds.ts'

const GAME = {
  format: 1,
  name: 'Walk',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 99 }, burdens: { min: 0, max: 99 } },
  traits: { wits: { group: 'stats' }, hunted: { group: 'burdens' } },
  choices: { job: { values: { pay: 1 }, options: { sailor: { values: { pay: 3 } }, cook: {} } } },
  trackers: { health: { max: 'wits + job.pay + 5 - wounded' }, luck: { max: 9 }, tide: { scope: 'campaign', max: 10, start: 0 } },
  conditions: { wounded: { most: 3 } },
  experience: {
    raise: [
      { of: 'stats', cost: 1 },
      { of: 'burdens', cost: -3 },
    ],
  },
  rolls: {
    dare: {
      spends: { push: { tracker: 'luck', amount: 1, most: 9 } },
      values: { bonus: 'wits + push + wounded' },
      dice: { all: '1d6' },
      score: 'total + bonus',
      outcomes: [
        { when: 'score > 5', code: 'fine', outcome: 'SUCCESS' },
        { code: 'bad', outcome: 'FAILURE' },
      ],
    },
  },
}

/** Steps of a walk in the first campaign, while it is played by a ruleset. Each makes the character that it needs. */
export function ruledSteps(
  table: Table,
  pick: <T>(values: readonly T[]) => T,
  makeCharacter: (person: Person, all: string, body: unknown) => Promise<Answer>,
): Record<string, (person: Person) => Promise<Answer>> {
  const { admin, C } = table
  let version: Promise<string> | undefined
  const choose = async () => {
    version ??= publishGame(table, GAME).then(({ version_id }) => version_id)
    return admin.put(`${C}/ruleset`, { version_id: await version, mode: 'ADVISORY', accept_faults: true })
  }
  /** Makes a character whose sheet some may not see. A part of the walk may have archived the campaign: then the step fails. */
  const onHero = (act: (person: Person, path: string, character_id: string) => Promise<Answer>) => async (person: Person) => {
    await choose()
    const sheet = { name: 'Ruled', sheet_visibility: pick(['EVERYONE', 'PLAYER']), traits: { wits: 2 } }
    const made = await makeCharacter(person, `${C}/characters`, sheet)
    return made.status === 201 ? act(person, `${C}/characters/${made.body.id}`, made.body.id) : made
  }
  const raise = (person: Person, character_id: string, name: string, to: number) =>
    person.post(`${C}/experience/spends`, { reason: 'Learned', character_id, trait: { name, to } })
  return {
    'play by a ruleset': choose,
    'play without a ruleset': async () => {
      await choose()
      return admin.delete(`${C}/ruleset`)
    },
    'choose an option': onHero((person, path) => person.patch(path, { choices: { job: pick(['sailor', 'cook']) } })),
    'set a condition': onHero((person, path) => person.put(`${path}/conditions/wounded`, { level: pick([1, 2]) })),
    'end a condition': onHero(async (person, path) => {
      await person.put(`${path}/conditions/wounded`, { level: 1 })
      return person.delete(`${path}/conditions/wounded`)
    }),
    'move a tracker of a ruleset': onHero((person, path) => person.post(`${path}/trackers/health/adjust`, { by: -1 })),
    'hide a tracker of a ruleset': onHero((_, path) => admin.patch(`${path}/trackers/luck`, { visibility: 'NAME_ONLY' })),
    'roll by name': onHero((person, path) =>
      person.post(`${path}/rolls/dare`, { visibility: pick(['PUBLIC', 'STORYTELLER', 'BLIND']), spends: { push: pick([0, 1]) } }),
    ),
    'gain by a burden': onHero((person, _, id) => raise(person, id, 'hunted', 1)),
    'raise at a price': onHero(async (person, _, id) => {
      await raise(person, id, 'hunted', 1)
      return raise(person, id, 'wits', 4)
    }),
  }
}
