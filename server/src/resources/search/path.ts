import type { HitType } from './schema.ts'

export interface Ids {
  author_id: string | null
  campaign_id: string | null
  book_id: string | null
  chapter_id: string | null
  character_id: string | null
}

/** Where to get what was found: as who acts, but a notebook only as its author. */
export function pathOf(company_id: string, actor_id: string | undefined, type: HitType, id: string, ids: Ids): string {
  const company = `/api/v1/companies/${company_id}`
  if (type === 'user') return `${company}/users/${id}`
  const step = (segment: string, at: string | null) => (at === null ? '' : `/${segment}/${at}`)
  const parent =
    step('campaigns', ids.campaign_id) +
    step('books', ids.book_id) +
    step('chapters', ids.chapter_id) +
    step('characters', ids.character_id)
  const user = ids.campaign_id === null ? ids.author_id : (actor_id ?? '{user_id}')
  return `${company}/users/${user}${parent}${type === 'note' ? `/notes/${id}` : ''}`
}
