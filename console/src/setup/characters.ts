import type { WriteOptions } from '@guildhall/client'
import type { PersonKey, SampleCharacter, SampleNote } from './adventure.ts'
import * as adventure from './adventure.ts'
import type { Making } from './making.ts'
import { once, onceOptions } from './once.ts'

/** The ids of the characters by key. */
export type CharacterIds = Record<string, string>

/** Makes the characters of the players and of the storyteller, with everything on their sheets. */
export async function makeCharacters(making: Making): Promise<CharacterIds> {
  const { items: existing } = await making.campaignAs('storyteller').characters.list({ limit: 100 })
  const ids: CharacterIds = {}
  for (const [player, hero] of Object.entries(adventure.heroes))
    ids[hero.key] = await makeCharacter(making, existing, player as PersonKey, { type: 'PLAYER', ...hero })
  for (const npc of adventure.npcs) ids[npc.key] = await makeCharacter(making, existing, 'storyteller', { type: 'NPC', ...npc })
  return ids
}

interface Marked {
  id: string
  metadata: Record<string, string>
}

async function makeCharacter(making: Making, existing: Marked[], person: PersonKey, sample: SampleCharacter): Promise<string> {
  const { key, items = [], quickRolls = [], notes = [], ...fields } = sample
  const campaign = making.campaignAs(person)
  const { id } = await once<Marked>(existing, key, (metadata, options) => campaign.characters.create({ ...fields, metadata }, options))
  const { inventory, quickRolls: quickRollsApi } = campaign.character(id)
  await Promise.all([
    makeNotes(notes, (by) => making.campaignAs(by).character(id).notes),
    inOrder(items, inventory.list({ limit: 100 }), ({ key: item, ...values }, { items: present }) =>
      once(present, item, (metadata, options) => inventory.create({ ...values, metadata }, options)),
    ),
    inOrder(quickRolls, quickRollsApi.list({ limit: 100 }), async ({ key: quickRoll, ...values }, { items: present }) => {
      if (!present.some(({ name }) => name === values.name)) await quickRollsApi.create(values, onceOptions(quickRoll))
    }),
  ])
  return id
}

/** Makes parts of a character one after the other, so that lists have them in the order of the adventure. */
async function inOrder<T, P>(
  samples: readonly T[],
  present: PromiseLike<P>,
  make: (sample: T, present: P) => Promise<unknown>,
): Promise<void> {
  if (!samples.length) return
  const found = await present
  for (const sample of samples) await make(sample, found)
}

interface Notes {
  list(query: { limit: number }): PromiseLike<{ items: { metadata: Record<string, string> }[] }>
  create(body: Omit<SampleNote, 'key' | 'by'>, options: WriteOptions): Promise<{ metadata: Record<string, string> }>
}

/** Writes notes as their authors. */
export async function makeNotes(notes: readonly SampleNote[], of: (person: PersonKey) => Notes): Promise<void> {
  for (const { key, by, ...note } of notes) {
    const api = of(by)
    const { items } = await api.list({ limit: 100 })
    await once(items, key, (metadata, options) => api.create({ ...note, metadata }, options))
  }
}
