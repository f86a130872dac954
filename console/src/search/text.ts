import type { SearchType } from '@guildhall/client'

/** The words of the search. */
export const text = {
  title: 'Search',
  label: 'Search for',
  placeholder: 'Names, titles and texts',
  here: (campaign: string) => `Only in ${campaign}`,
  begin: 'Find characters, items, books, chapters, notes, campaigns and users.',
  short: 'Only names that begin with this are found. Enter three letters or more to search everywhere.',
  searching: 'Searching …',
  none: (query: string) => `Nothing matches “${query}”.`,
  everywhere: 'Search everywhere',
  found: (count: number, shown: number) =>
    count > shown ? `${count} results; the best ${shown} are shown` : count === 1 ? '1 result' : `${count} results`,
  keys: 'Up and down choose, Enter opens, Escape closes.',
  groups: {
    character: 'Characters',
    item: 'Items',
    book: 'Books',
    chapter: 'Chapters',
    note: 'Notes',
    campaign: 'Campaigns',
    user: 'Users',
  } satisfies Record<SearchType, string>,
  shortcut: 'Search, key /',
}
