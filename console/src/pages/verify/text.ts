const count = new Intl.NumberFormat('en')

/** The words of the page that verifies rolls. */
export const text = {
  title: 'Verify a roll',
  about:
    'Your browser computes the roll again from its proof, without asking the service. If the service had changed a die, at least one of the three steps would fail.',
  docs: 'How fair dice work',
  waysLabel: 'Where the roll comes from',
  ways: { roll: 'A roll of this campaign', paste: 'Pasted JSON' },
  choose: 'Choose a roll',
  verify: 'Verify',
  verifyOne: (roll: string) => `Verify: ${roll}`,
  other: 'Choose another roll',
  allRolls: 'All rolls',
  noRolls: 'There is no roll to verify yet',
  noRollsText: 'Roll at the table first. Rolls with dice of your own have no proof.',
  toTable: 'Go to the table',
  paste: {
    proof: 'Proof',
    proofHint: 'The JSON of GET …/dice-rolls/{roll_id}/proof.',
    roll: 'Roll (optional)',
    rollHint: 'The JSON of GET …/dice-rolls/{roll_id}. Without it, the dice are not checked.',
    notJson: (message: string) => `This is not JSON. ${message}`,
    empty: 'Paste the proof of a roll. It is checked in your browser, and not sent anywhere.',
  },
  verdict: {
    holds: 'The roll holds',
    holdsText: 'All steps hold: the dice were fixed before the roll, and nobody chose them.',
    proofHolds: 'The proof holds',
    proofHoldsText: 'The seed and the words hold. Paste the roll, too, to check its dice.',
    fails: 'The roll does not hold',
    failsAt: (steps: readonly string[]) =>
      `${steps.length === 1 ? 'This step fails' : 'These steps fail'}: ${steps.join(', ')}. The roll or its proof was changed, or they do not belong together.`,
    waits: 'The roll cannot be verified completely yet',
    waitsText: 'The seed is still secret. Steps 1 and 2 must wait until it is revealed.',
    hidden: 'The dice of this roll are hidden from you',
  },
  states: { holds: 'Holds', fails: 'Fails', waits: 'Must wait', skipped: 'Not checked' },
  commitment: {
    title: 'The seed is the one that was promised',
    about:
      'Before the roll, the service published a commitment: the SHA-256 hash of its secret seed. Two different seeds do not have the same hash, so the seed could not be replaced later.',
    seed: 'Seed, as revealed',
    secret: 'still secret',
    stated: 'Commitment, as published before the roll',
    computed: 'SHA-256 of the seed, computed here',
    compare: 'Compare the commitment with the one that you saw before the roll, if you wrote it down.',
    differs: 'The hash of the seed is not the commitment.',
  },
  words: {
    title: 'The random numbers follow from the seed',
    about:
      'HMAC-SHA-256 of the seed, of a seed that the client may choose, and of the number of the roll gives the random 32-bit numbers of this roll, and no others.',
    clientSeed: 'Client seed',
    nonce: 'Number of the roll',
    number: 'No.',
    stated: 'In the proof',
    computed: 'Computed here',
    differs: (places: readonly number[]) =>
      places.length === 1 ? `Number ${places[0]} differs.` : `${places.length} numbers differ; the first is number ${places[0]}.`,
    more: (hidden: number) => `${hidden} more`,
  },
  dice: {
    title: 'The dice follow from the random numbers',
    about:
      'Each die takes the next number: the remainder of its division by the sides, plus one, is the face. A number that would favor a face is discarded. The result is counted from the dice.',
    unrevealed: 'Until the seed is revealed, the numbers of the proof are taken for granted.',
    die: 'Die',
    sum: 'Computation',
    computed: 'Here',
    stated: 'Roll',
    statedResult: 'In the roll',
    formula: (word: number, sides: number, isFudge: boolean) => `${count.format(word)} mod ${sides} ${isFudge ? '− 1' : '+ 1'}`,
    discarded: (words: number) => (words === 1 ? '1 number discarded' : `${words} numbers discarded`),
    missing: 'none',
    total: 'Total',
    net: 'Successes',
    outcome: 'Outcome',
    differs: (places: readonly number[]) =>
      places.length === 1 ? `Die ${places[0]} differs.` : `${places.length} dice differ; the first is die ${places[0]}.`,
    wordsDiffer: (taken: number, stated: number) => `The dice take ${taken} numbers, and the proof has ${stated}.`,
    resultDiffers: 'The result is not the one that these dice give.',
  },
  same: 'same',
  different: 'different',
  reveal: {
    title: 'Reveal the seed',
    text: 'Revealing makes the seed public, so that everyone can verify all rolls made with it, and puts a new secret seed in its place.',
    action: 'Reveal the seed now',
    ask: 'Ask a storyteller of the campaign to reveal the seed. This page then goes on by itself.',
    done: 'The seed is revealed.',
  },
}
