/** The words of dice and trackers, which several pages show. */
export const text = {
  outcomes: { BOTCH: 'Botch', FAILURE: 'Failure', SUCCESS: 'Success', CRITICAL: 'Critical' },
  blind: 'Rolled blind: only storytellers see the result.',
  voided: 'Void',
  atTable: 'Rolled at the table',
  onlyStorytellers: 'Storytellers only',
  onlyStorytellersAndBlind: 'Blind',
  total: (total: number) => `Total ${total}`,
  net: (net: number) => (net === 1 ? '1 success' : `${net < 0 ? `−${-net}` : net} successes`),
  score: (score: number) => `Score ${score}`,
  margin: (margin: number) => `Margin ${margin > 0 ? '+' : margin < 0 ? '−' : ''}${Math.abs(margin)}`,
  verify: 'Verify this roll',
  die: (value: number, sides: number, kind: string | undefined) => `${value} on a ${kind ? `${kind} ` : ''}d${sides}`,
  kinds: { NORMAL: undefined, DESPERATION: 'desperation', SPECIAL: 'special' },
  dropped: 'dropped',
  price: { OVERREACH: 'Overreach', DESPAIR: 'Despair' },
  tracker: {
    value: (label: string, value: number | null, maximum: number | null) =>
      value === null ? `${label}: hidden` : maximum === null ? `${label}: ${value}` : `${label}: ${value} of ${maximum}`,
    hidden: 'hidden',
    raise: (label: string, step: number) => `${label}: ${step === 1 ? 'one' : step} more`,
    lower: (label: string, step: number) => `${label}: ${step === 1 ? 'one' : step} less`,
    setTo: (label: string, value: number) => `Set ${label} to ${value}`,
  },
}
