import { StatisticsOf } from '../statistics/of.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

/** How the dice fell for the character. */
export function StatisticsTab({ sheet: { character } }: { sheet: SheetScope }) {
  return (
    <section class="tab-section" aria-label={text.tabs.statistics}>
      <StatisticsOf of="character" characterId={character.id} />
    </section>
  )
}
