import type { OutcomeShare, Statistics } from '@guildhall/client'
import { Bars } from '../../charts/bars.tsx'
import { text as play } from '../../play/text.ts'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

const TONES = { BOTCH: 'bad', FAILURE: 'plain', SUCCESS: 'good', CRITICAL: 'accent' } as const

/** The rolls by outcome. Dice from the table are counted separately. */
export function Outcomes({ statistics: { outcomes, manual } }: { statistics: Statistics }) {
  const words = text.outcomes
  const isCounted = outcomes.some(({ rolls }) => rolls > 0)
  return (
    <Section title={words.title}>
      <div class="card">
        {isCounted ? <OutcomeChart outcomes={outcomes} /> : <p class="quiet">{words.none}</p>}
        {manual.rolls > 0 && (
          <p class="quiet">
            {words.manual(manual.rolls)}{' '}
            {manual.outcomes
              .filter(({ rolls }) => rolls > 0)
              .map(({ outcome, rolls }) => `${play.outcomes[outcome]}: ${rolls}.`)
              .join(' ')}
          </p>
        )}
      </div>
    </Section>
  )
}

function OutcomeChart({ outcomes }: { outcomes: OutcomeShare[] }) {
  const words = text.outcomes
  const summary = words.summary(outcomes.map(({ outcome, percent }) => words.part(play.outcomes[outcome], percent)))
  return (
    <>
      <Bars
        title={words.chart}
        summary={summary}
        columns={words.columns}
        format={text.number}
        bars={outcomes.map(({ outcome, rolls }) => ({ label: play.outcomes[outcome], value: rolls, tone: TONES[outcome] }))}
      />
      <dl class="shares">
        {outcomes.map(({ outcome, percent }) => (
          <div key={outcome}>
            <dt>{play.outcomes[outcome]}</dt>
            <dd>{words.percent(percent)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
