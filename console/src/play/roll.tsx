import type { DiceRollListItem } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { hrefOf } from '../router.ts'
import { Icon } from '../ui/icon.tsx'
import { Badge, Secret } from '../ui/marks.tsx'
import { Time } from '../ui/time.tsx'
import { labelOf } from './character-words.ts'
import { Dice } from './die.tsx'
import { text } from './text.ts'

const TONES = { BOTCH: 'bad', FAILURE: 'plain', SUCCESS: 'good', CRITICAL: 'good' } as const

interface RollProps {
  roll: DiceRollListItem
  /** The name of the user or the character who rolled. */
  roller: string
  /** The path of the page that verifies the roll. */
  verifyPath?: string
  /** Things to do with the roll, after its result. */
  actions?: ComponentChildren
  /** The form of the time. Lists by day need the clock only. */
  time?: 'clock' | 'relative'
}

/** A roll as one entry of a list: who rolled what, the dice, and the result. */
export function Roll({ roll, roller, verifyPath, actions, time = 'clock' }: RollProps) {
  const { total, net, ruleset, pool, notation, label, comment, visibility, dice, date_voided, source, settlement } = roll
  const isHidden = total === null && net === null
  return (
    <article class={date_voided ? 'roll voided' : 'roll'}>
      <header>
        <strong>{roller}</strong>
        <span class="quiet roll-text">{[label ?? comment, notation ?? describePool(pool)].filter(Boolean).join(' · ')}</span>
        <span class="end quiet">
          <Time at={roll.date_created} look={time} />
        </span>
      </header>
      <div class="roll-result">
        {isHidden ? <em class="quiet">{text.blind}</em> : <Dice dice={dice} />}
        <span class="roll-sum">{sumOf(roll)}</span>
        {typeof ruleset?.margin === 'number' && <span class="quiet">{text.margin(ruleset.margin)}</span>}
        <OutcomeBadge roll={roll} />
        {settlement && <Badge tone="bad">{text.price[settlement]}</Badge>}
        {date_voided && <Badge>{text.voided}</Badge>}
        {source === 'MANUAL' && <Badge>{text.atTable}</Badge>}
        {visibility === 'STORYTELLER' && <Secret>{text.onlyStorytellers}</Secret>}
        {visibility === 'BLIND' && <Secret>{text.onlyStorytellersAndBlind}</Secret>}
        <span class="roll-actions">
          {verifyPath && source === 'SERVER' && (
            <a class="icon-button" href={hrefOf(verifyPath)} aria-label={text.verify} title={text.verify}>
              <Icon name="seal" />
            </a>
          )}
          {actions}
        </span>
      </div>
      {comment && label && <p class="quiet">{comment}</p>}
    </article>
  )
}

/** The result in one number. The score of a ruleset counts, and not the sum of the dice. */
function sumOf({ net, total, ruleset }: DiceRollListItem): string | false {
  if (typeof ruleset?.score === 'number') return text.score(ruleset.score)
  return net !== null ? text.net(net) : total !== null && text.total(total)
}

/** The outcome in the words of the ruleset, if the roll was made by one. Despair makes a failure of any outcome. */
function OutcomeBadge({ roll: { outcome, ruleset, settlement } }: { roll: DiceRollListItem }) {
  const tone = outcome ? TONES[outcome] : 'plain'
  if (ruleset?.code && settlement !== 'DESPAIR') return <Badge tone={tone}>{ruleset.label ?? labelOf(ruleset.code)}</Badge>
  return outcome && <Badge tone={tone}>{text.outcomes[outcome]}</Badge>
}

function describePool(pool: DiceRollListItem['pool']): string {
  if (!pool) return ''
  const traits = pool.traits.map(({ name }) => name).join(' + ')
  return `${traits || `${pool.dice}d${pool.sides}`}${pool.difficulty ? `, difficulty ${pool.difficulty}` : ''}`
}
