import type { FacesSeen, Statistics } from '@guildhall/client'
import { type Bar, Bars } from '../../charts/bars.tsx'
import { percent } from '../../charts/text.ts'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { labelOf } from '../../play/character-words.ts'
import { text as play } from '../../play/text.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { Figure } from './experience.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = text.statistics
const TONES = { BOTCH: 'bad', FAILURE: 'plain', SUCCESS: 'good', CRITICAL: 'accent' } as const
/** Statistics change with every roll at the table, and are read at most this often. */
const PAUSE_MS = 1000
const oneDigit = (value: number) => value.toFixed(1)

/** Outcomes and luck of the rolls for a character. */
export function StatisticsTab({ sheet: { character, api } }: { sheet: SheetScope }) {
  const { path: userPath } = useActing()
  const { path, campaign } = useCampaign()
  const statistics = useLiveLoad((signal) => api.statistics.get({ signal }), ['dice_roll'], [character.id], PAUSE_MS)
  return (
    <Section title={text.tabs.statistics} class="tab-section">
      <Show of={statistics}>
        {(data) =>
          data.rolls ? (
            <Figures data={data} />
          ) : (
            <Empty
              title={words.empty}
              action={<ButtonLink href={hrefOf(path)}>{words.table}</ButtonLink>}
              call={curl('POST', `${userPath}/dice-rolls`, { notation: '2d6', campaign_id: campaign.id, character_id: character.id })}
            >
              {words.emptyText}
            </Empty>
          )
        }
      </Show>
    </Section>
  )
}

function Figures({ data }: { data: Statistics }) {
  const { rolls, outcomes, mean_pool, mean_difficulty, faces, traits } = data
  const judged = outcomes.filter((each) => each.rolls > 0)
  const bars: Bar[] = outcomes.map(({ outcome, rolls: count }) => ({
    label: play.outcomes[outcome],
    value: count,
    tone: TONES[outcome],
  }))
  const parts = outcomes.map(({ outcome, rolls: count, percent: share }) => `${play.outcomes[outcome]} ${count}, ${percent(share / 100)}`)
  return (
    <div class="statistics">
      <dl class="figures">
        <Figure label={words.rolls} value={rolls} />
        {mean_pool !== null && <Figure label={words.pool} value={oneDigit(mean_pool)} />}
        {mean_difficulty !== null && <Figure label={words.difficulty} value={oneDigit(mean_difficulty)} />}
      </dl>
      {judged.length > 0 && <Bars title={words.outcomes} summary={words.outcomesSummary(parts.join('; '))} bars={bars} />}
      {faces.map((seen) => (
        <Faces key={seen.sides} seen={seen} />
      ))}
      {traits.length > 0 && (
        <div>
          <h3 class="list-title">{words.traits}</h3>
          <ul class="rows">
            {traits.map(({ name, rolls: count }) => (
              <li key={name} class="row">
                {labelOf(name)}
                <span class="end quiet">{words.traitRolls(count)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

/** With fewer expected faces than this, the probability means little. */
const MIN_EXPECTED = 5

function Faces({ seen: { sides, dice, expected, observed, p_value } }: { seen: FacesSeen }) {
  return (
    <div>
      <Bars
        title={words.faces(sides, dice)}
        summary={words.facesSummary(sides, oneDigit(expected))}
        bars={observed.map((value, index) => ({ label: String(index + 1), value, expected }))}
      />
      <p class="quiet small">{expected < MIN_EXPECTED ? words.tooFew : words.luck(p_value)}</p>
    </div>
  )
}
