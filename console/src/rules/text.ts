/** The words of a sheet as a ruleset describes it. */
export const text = {
  choices: 'Choices',
  derived: 'Derived values',
  trackers: 'Trackers',
  conditions: 'Conditions',
  rolls: 'Rolls',
  notChosen: 'Not chosen',
  campaign: 'Campaign',
  /** A value of a trait or a tracker, for screen readers. */
  valueOf: (value: number, max: number) => `${value} of ${max}`,
  range: (min: number, max: number) => `${min} to ${max}`,
  limit: (max: number) => `of ${max}`,
  limits: (min: number, max: number) => `of ${max}, from ${min}`,
  faults: 'The rules say',
  empty: 'The ruleset has nothing to show on a sheet yet.',
  roll: {
    none: 'None',
    choose: 'Choose …',
    trait: (label: string, value: number) => `${label} (${value})`,
    odds: 'Odds',
    noOdds: 'There are no odds for this roll.',
    again: 'Roll again',
    done: 'Done',
    times: (count: number) => (count === 0 ? 'No' : count === 1 ? 'Once' : `${count} times`),
    price: (tracker: string, amount: number, value: number) =>
      amount < 0 ? `Each adds ${-amount} to ${tracker}, which is ${value}.` : `Each costs ${amount} of ${tracker}, which is ${value}.`,
  },
}
