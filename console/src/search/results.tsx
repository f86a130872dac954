import type { Hit, SearchType } from '@guildhall/client'
import { useId } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { hrefOf } from '../router.ts'
import { Marked, withoutSigns } from './marked.tsx'
import { targetOf } from './targets.ts'
import { text } from './text.ts'

interface ResultsProps {
  hits: readonly Hit[]
  query: string
  onOpen: () => void
}

/** The results by kind. The kind of the best match comes first. */
export function Results({ hits, query, onOpen }: ResultsProps) {
  const groups = new Map<SearchType, Hit[]>()
  for (const hit of hits) groups.set(hit.type, [...(groups.get(hit.type) ?? []), hit])
  return (
    <div class="results">
      {[...groups].map(([type, items]) => (
        <Group key={type} type={type} hits={items} query={query} onOpen={onOpen} />
      ))}
    </div>
  )
}

function Group({ type, hits, query, onOpen }: { type: SearchType } & ResultsProps) {
  const { path } = useActing()
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{text.groups[type]}</h2>
      <ul>
        {hits.map((hit) => (
          <li key={hit.id}>
            <a class="search-hit" href={hrefOf(targetOf(hit, path))} onClick={(event) => !event.metaKey && !event.ctrlKey && onOpen()}>
              <strong>
                <Marked source={hit.name} query={query} />
              </strong>
              {hit.snippet && (
                <span class="quiet">
                  <Marked source={withoutSigns(hit.snippet)} query={query} />
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
