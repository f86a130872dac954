import { howOften } from '../../charts/chance.ts'

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const number = (value: number) => NUMBER.format(value)
const rolls = (count: number) => (count === 1 ? '1 roll' : `${number(count)} rolls`)
const times = (count: number) => (count === 1 ? 'once' : `${number(count)} times`)

/** A p-value below this is worth a second look. */
const [UNUSUAL, VERY_UNUSUAL] = [0.05, 0.001]
/** The p-value is imprecise while fewer of each face are expected. */
const MIN_EXPECTED = 5

/** How far the faces of a kind of dice are from equal, in words. */
function fairness(expected: number, pValue: number): string {
  if (expected < MIN_EXPECTED) return 'Too few dice to say anything: wait until each face is expected at least 5 times.'
  const often = pValue > 0.995 ? 'almost always' : howOften(pValue)
  const sentence = `Fair dice are this far off ${often}.`
  if (pValue >= UNUSUAL) return `${sentence} Nothing is unusual.`
  if (pValue >= VERY_UNUSUAL) return `${sentence} That is unusual, but it happens to some kind of dice in any long campaign.`
  return `${sentence} That is very unusual: reveal the seed, and verify some rolls.`
}

/** The words of the page of statistics. */
export const text = {
  title: 'Statistics',
  ofLabel: 'Whose rolls',
  of: { me: 'Mine', character: 'A character’s', campaign: 'This campaign’s', company: 'The company’s' },
  character: 'Character',
  noCharacters: 'There is no character yet',
  noCharactersText: 'Rolls made for a character are counted here.',
  noCharactersAction: 'Create a character',
  empty: 'There is no roll to count yet',
  emptyText: 'As soon as someone rolls, this page shows how the dice fall.',
  emptyAction: 'Go to the table',
  number,
  facts: {
    title: 'At a glance',
    rolls: 'Rolls',
    meanPool: 'Dice in a pool, on average',
    meanDifficulty: 'Difficulty, on average',
    natural20: 'Natural 20s',
    natural1: 'Natural 1s',
    manual: 'Rolled at the table',
    none: '–',
  },
  outcomes: {
    title: 'Outcomes',
    chart: 'Rolls by outcome',
    columns: ['Outcome', 'Rolls'] as const,
    percent: (percent: number) => `${number(percent)}%`,
    summary: (parts: readonly string[]) => `Of the rolls against a difficulty or a target, ${parts.join(', ')}.`,
    part: (outcome: string, percent: number) => `${number(percent)}% are ${outcome.toLowerCase()}`,
    none: 'No roll had a difficulty or a target.',
    manual: (count: number) => `${rolls(count)} with dice from the table ${count === 1 ? 'counts' : 'count'} separately.`,
  },
  faces: {
    title: 'Faces of the dice',
    about: 'The line across each bar is what fair dice show on average.',
    chart: (sides: number, dice: number) => `d${sides}: ${dice === 1 ? '1 die' : `${number(dice)} dice`}`,
    columns: ['Face', 'Seen'] as const,
    summary: (sides: number, expected: number, least: number, most: number) =>
      `Each face of the d${sides} is expected ${times(expected)}. The rarest was seen ${times(least)}, the most frequent ${times(most)}.`,
    fairness,
    exact: (chiSquare: number, pValue: number) => `χ² = ${number(chiSquare)}, p = ${number(pValue) === '0' ? '<0.01' : number(pValue)}`,
    none: 'The service has rolled no dice with up to 100 sides yet.',
  },
  days: {
    title: 'The last 90 days',
    chart: 'Rolls a day',
    series: { botches: 'Botches', failures: 'Failures', successes: 'Successes', criticals: 'Criticals', others: 'Without an outcome' },
    summary: (all: number, days: number, busiest: string, most: number) =>
      all === 0
        ? 'Nobody rolled in the last 90 days.'
        : `${rolls(all)} on ${days === 1 ? 'one day' : `${days} days`} of the last 90. The most were ${rolls(most)}, on ${busiest}.`,
    top: (count: number) => `Top: ${number(count)}`,
  },
  traits: {
    title: 'Favorite traits',
    chart: 'Rolls by trait',
    columns: ['Trait', 'Rolls'] as const,
    summary: (name: string, count: number) => `The favorite trait is ${name}, in ${rolls(count)}.`,
    none: 'No roll used a trait.',
  },
}
