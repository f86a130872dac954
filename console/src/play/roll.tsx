import type { DiceRollListItem, Die } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { hrefOf } from '../router.ts'
import { Icon } from '../ui/icon.tsx'
import { Badge, Initials, Secret } from '../ui/marks.tsx'
import { Time } from '../ui/time.tsx'
import { labelOf } from './character-words.ts'
import { Dice } from './die.tsx'
import { isProved } from './proved.ts'
import { SealMark } from './seal.tsx'
import { text } from './text.ts'

const SIGNS = { BOTCH: 'close', FAILURE: 'dash', SUCCESS: 'check', CRITICAL: 'star' } as const

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
  /** The roll was made just now: its dice land. */
  isLanding?: boolean
}

/** A roll as one entry of a list: who rolled what, the dice, and the result. */
export function Roll({ roll, roller, verifyPath, actions, time = 'clock', isLanding = false }: RollProps) {
  const { total, net, pool, notation, label, comment, visibility, date_voided, source, settlement } = roll
  const isHidden = total === null && net === null
  return (
    <article class={classOf(roll, isLanding)}>
      <div class="roll-parts">
        <header class="roll-head">
          <Initials name={roller} />
          <div>
            <strong>{roller}</strong>
            <p class="quiet roll-text">{[label ?? comment, notation ?? describePool(pool)].filter(Boolean).join(' · ')}</p>
          </div>
        </header>
        <div class="roll-body">
          {isHidden ? <em class="quiet">{text.blind}</em> : <Parts roll={roll} />}
          <Sum roll={roll} />
        </div>
        {comment && label && <p class="quiet roll-comment">{comment}</p>}
        <div class="roll-foot">
          <Margin roll={roll} />
          <Outcome roll={roll} />
          {settlement && <Badge tone="bad">{text.price[settlement]}</Badge>}
          {date_voided && <Badge>{text.voided}</Badge>}
          {source === 'MANUAL' && <Badge>{text.atTable}</Badge>}
          {visibility === 'STORYTELLER' && <Secret>{text.onlyStorytellers}</Secret>}
          {visibility === 'BLIND' && <Secret>{text.onlyStorytellersAndBlind}</Secret>}
          <span class="roll-end">
            <Time at={roll.date_created} look={time} />
            {verifyPath && source === 'SERVER' && <Seal id={roll.id} path={verifyPath} />}
            {actions}
          </span>
        </div>
      </div>
    </article>
  )
}

function classOf({ outcome, visibility, date_voided, settlement }: DiceRollListItem, isLanding: boolean): string {
  const tone = outcome && settlement !== 'DESPAIR' && outcome !== 'FAILURE' ? outcome.toLowerCase() : ''
  return ['roll', tone, visibility !== 'PUBLIC' && 'secret', date_voided && 'voided', isLanding && 'landing'].filter(Boolean).join(' ')
}

/** The terms of a sum: dice, and numbers with the names that they have in the formula. A pool is one group of dice. */
function Parts({ roll: { dice, terms, formula, notation, pool } }: { roll: DiceRollListItem }) {
  const isFudge = /dF/i.test(notation ?? '')
  const hasTerms = terms.length > 0 && dice.every(({ term }) => term !== undefined)
  if (!hasTerms) return <Dice dice={dice} hasMarks={pool?.difficulty != null} isFudge={isFudge} />
  const names = formula?.split(/[+-]/) ?? []
  const nameOf = (index: number) => (names.length === terms.length ? /^\s*\{(\w+)\}\s*$/.exec(names[index] ?? '')?.[1] : undefined)
  return (
    <span class="roll-terms">
      {terms.map(({ label, sign, subtotal }, index) => {
        const own = dice.filter(({ term }) => term === index)
        const name = label ?? (nameOf(index) && labelOf(nameOf(index) as string))
        return (
          <span key={index} class="roll-term">
            {own.length > 0 && <Dice dice={own} hasMarks={own.some(counts)} isFudge={isFudge} />}
            {(own.length === 0 || name) && (
              <span class="term">
                {own.length === 0 && `${sign === '-' ? '−' : '+'} ${subtotal}`}
                {name && <small>{name}</small>}
              </span>
            )}
          </span>
        )
      })}
    </span>
  )
}

/** True for dice whose successes are counted. */
const counts = ({ flags }: Die) => flags.includes('success') || flags.includes('botch')

/** The result in one number. The score of a ruleset counts, and not the sum of the dice. */
function Sum({ roll: { net, total, ruleset } }: { roll: DiceRollListItem }) {
  if (typeof ruleset?.score === 'number')
    return (
      <p class="roll-sum">
        <small>{text.score} </small>
        {ruleset.score}
      </p>
    )
  if (net !== null)
    return (
      <p class="roll-sum">
        {net < 0 ? `−${-net}` : net} <small class="below">{text.net(net)}</small>
      </p>
    )
  return (
    <p class="roll-sum">
      {total !== null && (
        <>
          <span class="visually-hidden">{text.total} </span>
          {total}
        </>
      )}
    </p>
  )
}

/** By how much the roll succeeded or failed. */
function Margin({ roll: { ruleset, margin, target } }: { roll: DiceRollListItem }) {
  if (typeof ruleset?.margin === 'number') return <span class="roll-margin">{text.margin(ruleset.margin)}</span>
  if (margin === null || target === null) return null
  return <span class="roll-margin">{text.against(margin, target)}</span>
}

/** The outcome as a sign and a word: in those of the ruleset, if the roll was made by one. Despair makes a failure of any outcome. */
function Outcome({ roll: { outcome, ruleset, settlement } }: { roll: DiceRollListItem }) {
  const isRuled = Boolean(ruleset?.code) && settlement !== 'DESPAIR'
  if (!outcome && !isRuled) return null
  return (
    <span class="outcome">
      <Icon name={settlement === 'DESPAIR' ? 'dash' : SIGNS[outcome ?? 'FAILURE']} />
      {isRuled ? (ruleset?.label ?? labelOf(ruleset?.code ?? '')) : outcome && text.outcomes[outcome]}
    </span>
  )
}

function Seal({ id, path }: { id: string; path: string }) {
  const isKnown = isProved(id)
  return (
    <a class={isKnown ? 'seal proved' : 'seal'} href={hrefOf(path)} aria-label={isKnown ? text.proved : text.verify} title={text.verify}>
      <SealMark />
      <span>{isKnown ? text.provedShort : text.verifyShort}</span>
    </a>
  )
}

function describePool(pool: DiceRollListItem['pool']): string {
  if (!pool) return ''
  const traits = pool.traits.map(({ name }) => name).join(' + ')
  return `${traits || `${pool.dice}d${pool.sides}`}${pool.difficulty ? `, difficulty ${pool.difficulty}` : ''}`
}
