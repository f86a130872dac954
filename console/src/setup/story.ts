import type { CampaignTrackers } from '@guildhall/client'
import * as adventure from './adventure.ts'
import { type CharacterIds, makeNotes } from './characters.ts'
import type { Making } from './making.ts'
import { isMarked, markOf, once, onceOptions } from './once.ts'

interface Marked {
  id: string
  metadata: Record<string, string>
}

/** Makes the clocks, the book with its chapters, and the notes. */
export async function makeStory({ campaignAs }: Making): Promise<void> {
  const campaign = campaignAs('storyteller')
  await makeClocks(campaign.trackers)
  await makeNotes(adventure.notes, (by) => campaignAs(by).notes)
  const { key, chapters, ...fields } = adventure.book
  const books = await campaign.books.list({ limit: 100 })
  const book = await once<Marked>(books.items, key, (metadata, options) => campaign.books.create({ ...fields, metadata }, options))
  const existing = await campaign.book(book.id).chapters.list({ limit: 100 })
  for (const { key: chapterKey, notes, ...values } of chapters) {
    const { id } = await once<Marked>(existing.items, chapterKey, (metadata, options) =>
      campaign.book(book.id).chapters.create({ ...values, metadata }, options),
    )
    await makeNotes(notes, (by) => campaignAs(by).book(book.id).chapter(id).notes)
  }
}

/** Makes the clocks that are not there. Those that are there may have moved, and stay as they are. */
async function makeClocks(api: CampaignTrackers): Promise<void> {
  const { items } = await api.list({ limit: 100 })
  const trackers = Object.fromEntries(Object.entries(adventure.clocks).filter(([key]) => !items.some((item) => item.key === key)))
  if (Object.keys(trackers).length) await api.setMany({ trackers }, onceOptions('clocks'))
}

/** Plays the first minutes: some rolls, an award, and a trait that one of the players raises with it. */
export async function makePlay({ people, as, campaignAs, campaignId }: Making, characters: CharacterIds): Promise<void> {
  const campaign = campaignAs('storyteller')
  const rolled = await as('storyteller').diceRolls.list({ campaign_id: campaignId, limit: 100 })
  for (const { key, by, as: character, ...roll } of adventure.rolls)
    await once<Marked>(rolled.items, key, (metadata, options) =>
      as(by).diceRolls.create({ ...roll, campaign_id: campaignId, character_id: characters[character], metadata }, options),
    )
  const { items: entries } = await campaign.experienceEntries.list({ limit: 100 })
  const { award, spending } = adventure
  if (!entries.some((entry) => isMarked(entry, award.key))) {
    const players = adventure.people.filter(({ role }) => role === 'PLAYER').map(({ key }) => people[key].id)
    const { key, ...fields } = award
    await campaign.experience.award({ ...fields, user_ids: players, metadata: markOf(key) }, onceOptions(key))
  }
  const { key, by, ...spend } = spending
  await once<Marked>(entries, key, (metadata, options) =>
    campaignAs(by).experience.spend({ ...spend, character_id: characters[adventure.heroes[by].key], metadata }, options),
  )
}
