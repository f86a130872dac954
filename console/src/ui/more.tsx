import type { Pages } from '../data/pages.ts'
import { text } from '../text.ts'
import { Button } from './button.tsx'
import { tellProblem } from './toast.tsx'

/** Says how much of a long list is shown, and adds the next page. */
export function More<T>({ of }: { of: Pages<T> }) {
  const { data, hasMore, isLoadingMore, more } = of
  if (!data || !hasMore) return null
  return (
    <div class="list-more">
      <p class="quiet">{text.shownOf(data.items.length, data.total)}</p>
      <Button busy={isLoadingMore} onClick={() => void more().catch(tellProblem)}>
        {text.showMore}
      </Button>
    </div>
  )
}
