import type { DiceRollListItem, ExperienceEntryListItem, NoteListItem, StreamEvent } from '@guildhall/client'

/** Something that happened at the table, besides rolls, experience and notes. */
export type News =
  | { what: 'danger' | 'desperation'; from: number; to: number; by: string | null }
  | { what: 'filled' | 'emptied'; label: string; characterId: string | null; trackerId: string; isSecret: boolean }
  | { what: 'appeared' | 'created' | 'died'; characterId: string; name: string; isSecret: boolean }
  | { what: 'joined'; userId: string; name: string }

/** The fields of a roll that replies and lists share. */
export type FeedRoll = Omit<DiceRollListItem, 'truncated'>

/** One entry of the feed. */
export type Entry = { key: string; at: string } & (
  | { kind: 'roll'; roll: FeedRoll }
  | { kind: 'experience'; entries: FeedExperience[] }
  | { kind: 'note'; note: FeedNote }
  | { kind: 'news'; news: News }
)

export type FeedExperience = Omit<ExperienceEntryListItem, 'truncated' | 'metadata'>
export type FeedNote = Pick<
  NoteListItem,
  'id' | 'title' | 'author_id' | 'visibility' | 'character_id' | 'book_id' | 'chapter_id' | 'version' | 'date_created'
>

export const rollEntry = (roll: FeedRoll): Entry => ({ kind: 'roll', key: `roll-${roll.id}`, at: roll.date_created, roll })
export const experienceEntry = (entry: FeedExperience): Entry => ({
  kind: 'experience',
  key: `experience-${entry.id}`,
  at: entry.date_created,
  entries: [entry],
})
export const noteEntry = (note: FeedNote): Entry => ({ kind: 'note', key: `note-${note.id}`, at: note.date_created, note })

/** The order of the feed: newest last. Ids are in the order of creation, and decide within a millisecond. */
export const compareEntries = (a: Entry, b: Entry): number => (a.at === b.at ? (a.key < b.key ? -1 : 1) : a.at < b.at ? -1 : 1)

/** True if an entry is about a character, so that it is hidden with the character. */
export function isAbout(entry: Entry, characterId: string): boolean {
  switch (entry.kind) {
    case 'roll':
      return entry.roll.character_id === characterId
    case 'experience':
      return entry.entries.some(({ character_id }) => character_id === characterId)
    case 'note':
      return entry.note.character_id === characterId
    case 'news':
      return 'characterId' in entry.news && entry.news.characterId === characterId
  }
}

/** The entries that an event adds to the feed besides the resource itself. */
export function newsOf({ id, type, timestamp: at, actor, data }: StreamEvent): Entry[] {
  const entry = (news: News): Entry => ({ kind: 'news', key: `news-${id}-${news.what}`, at, news })
  const resource = data.resource as Record<string, unknown> | null
  if (type === 'campaign.adjusted' || type === 'campaign.updated') {
    return (['danger', 'desperation'] as const).flatMap((what) => {
      const change = data.changes?.[what] as { old: number; new: number } | undefined
      return change ? [entry({ what, from: change.old, to: change.new, by: actor?.user_id ?? null })] : []
    })
  }
  if (!resource) return []
  if (type === 'tracker.filled' || type === 'tracker.emptied') {
    const [label, characterId] = [String(resource.label), (resource.character_id as string | null) ?? null]
    const what = type === 'tracker.filled' ? 'filled' : 'emptied'
    return [entry({ what, label, characterId, trackerId: data.id, isSecret: resource.visibility !== 'OPEN' })]
  }
  // Player characters are never hidden, so the list of characters says when they appeared.
  if ((type === 'character.created' || type === 'character.appeared') && resource.type === 'NPC')
    return [
      entry({
        what: type === 'character.created' ? 'created' : 'appeared',
        characterId: data.id,
        name: String(resource.name),
        isSecret: resource.visibility === 'STORYTELLER',
      }),
    ]
  return []
}

/** Awards of one request are one entry: their reason, amount and time are equal, and they follow one another. */
export function joinAwards(entries: readonly Entry[]): Entry[] {
  const joined: Entry[] = []
  for (const entry of entries) {
    const last = joined.at(-1)
    if (entry.kind === 'experience' && last?.kind === 'experience' && isSameAward(last.entries[0], entry.entries[0]))
      joined[joined.length - 1] = { ...last, entries: [...last.entries, ...entry.entries] }
    else joined.push(entry)
  }
  return joined
}

const MAX_APART_MS = 1000

function isSameAward(a: FeedExperience | undefined, b: FeedExperience | undefined): boolean {
  if (a?.kind !== 'AWARD' || b?.kind !== 'AWARD') return false
  const apart = Math.abs(Date.parse(a.date_created) - Date.parse(b.date_created))
  return a.reason === b.reason && a.amount === b.amount && a.awarded_by === b.awarded_by && apart <= MAX_APART_MS
}
