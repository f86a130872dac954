import type { TraitUsed } from '@guildhall/client'
import { Rows } from '../../charts/rows.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The traits that were used most. */
export function Traits({ traits }: { traits: TraitUsed[] }) {
  const words = text.traits
  const [favorite] = traits
  return (
    <Section title={words.title}>
      <div class="card">
        {favorite ? (
          <Rows
            title={words.chart}
            summary={words.summary(favorite.name, favorite.rolls)}
            columns={words.columns}
            rows={traits.map(({ name, rolls }) => ({ label: name, value: rolls }))}
          />
        ) : (
          <p class="quiet">{words.none}</p>
        )}
      </div>
    </Section>
  )
}
