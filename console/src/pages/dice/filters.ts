import type { DiceRollListItem, RollOutcome, UserDiceRollsListQuery } from '@guildhall/client'

/** The filters of the list. Empty texts filter nothing. */
export interface Filters {
  roller: string
  character: string
  outcome: RollOutcome | ''
  /** Days in the time zone of the reader, such as 2026-11-15. */
  from: string
  to: string
  voided: 'shown' | 'hidden' | 'only'
}

export const NO_FILTERS: Filters = { roller: '', character: '', outcome: '', from: '', to: '', voided: 'shown' }

export const isFiltering = (filters: Filters): boolean => JSON.stringify(filters) !== JSON.stringify(NO_FILTERS)

/** The moment at which a day of the reader begins, or the day after it. */
function startOf(day: string, daysLater = 0): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  const start = new Date(year as number, (month as number) - 1, (date as number) + daysLater)
  return day && !Number.isNaN(start.getTime()) ? start.toISOString() : undefined
}

/** The filters as the service takes them. It does not filter by voids. */
export const queryOf = ({ roller, character, outcome, from, to }: Filters, campaign_id: string): UserDiceRollsListQuery => ({
  campaign_id,
  roller_id: roller || undefined,
  character_id: character || undefined,
  outcome: outcome || undefined,
  from: startOf(from),
  to: startOf(to, 1),
  sort: '-date_created',
})

/** True for a roll that the service would list: for rolls that arrive as events. */
export function matches(roll: DiceRollListItem, filters: Filters, campaign_id: string): boolean {
  const { roller_id, character_id, outcome, from, to } = queryOf(filters, campaign_id)
  const at = Date.parse(roll.date_created)
  return (
    roll.campaign_id === campaign_id &&
    (!roller_id || roll.user_id === roller_id) &&
    (!character_id || roll.character_id === character_id) &&
    (!outcome || roll.outcome === outcome) &&
    (!from || at >= Date.parse(from)) &&
    (!to || at < Date.parse(to))
  )
}

export const isShown = ({ date_voided }: DiceRollListItem, { voided }: Filters): boolean =>
  voided === 'shown' || (voided === 'only') === (date_voided !== null)
