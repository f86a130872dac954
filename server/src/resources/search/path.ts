import type { HitType } from './schema.ts'

export interface Ids {
  author_id: string | null
  campaign_id: string | null
  book_id: string | null
  chapter_id: string | null
  character_id: string | null
}

/** The path of a hit, for the acting user. The path of a note in a notebook names its author, because a notebook has no other path. */
export function pathOf(company_id: string, actor_id: string | undefined, type: HitType, id: string, ids: Ids): string {
  const company = `/api/v1/companies/${company_id}`
  if (type === 'user') return `${company}/users/${id}`
  const step = (segment: string, id: string | null) => (id === null ? '' : `/${segment}/${id}`)
  const parent =
    step('campaigns', ids.campaign_id) +
    step('books', ids.book_id) +
    step('chapters', ids.chapter_id) +
    step('characters', ids.character_id)
  const user = ids.campaign_id === null ? ids.author_id : (actor_id ?? '{user_id}')
  const own = type === 'note' ? step('notes', id) : type === 'item' ? step('inventory', id) : ''
  return `${company}/users/${user}${parent}${own}`
}
