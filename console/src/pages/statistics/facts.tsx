import type { Statistics } from '@guildhall/client'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The figures that need no chart. */
export function Facts({ statistics }: { statistics: Statistics }) {
  const { rolls, mean_pool, mean_difficulty, naturals, manual, faces } = statistics
  const words = text.facts
  // In a game without a d20, nobody waits for a natural 20.
  const hasD20 = faces.some(({ sides }) => sides === 20)
  const naturalFacts: [name: string, value: number][] = [
    [words.natural20, naturals.max],
    [words.natural1, naturals.min],
  ]
  const facts: [name: string, value: number | null][] = [
    [words.rolls, rolls],
    [words.meanPool, mean_pool],
    [words.meanDifficulty, mean_difficulty],
    ...(hasD20 ? naturalFacts : []),
    [words.manual, manual.rolls],
  ]
  return (
    <Section title={words.title} class="whole">
      <dl class="facts card">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value === null ? words.none : text.number(value)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
