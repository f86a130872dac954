/** The words of the dialog that awards experience. */
export const text = {
  title: 'Award experience',
  reason: 'Reason',
  reasonExample: 'Saved the lighthouse',
  amount: 'Amount for each',
  who: 'Who gets it',
  everyone: 'Everyone',
  nobody: 'Nobody',
  own: (name: string) => `Amount for ${name}`,
  submit: (count: number) => (count === 0 ? 'Award' : count === 1 ? 'Award 1 person' : `Award ${count} people`),
  choose: 'Nobody is chosen. Tick the people who get it.',
  noPlayers: 'This campaign has no players yet. Invite them first.',
  noCharacters: 'This campaign has no active player characters yet.',
  done: (count: number) => (count === 1 ? 'Awarded to 1 person.' : `Awarded to ${count} people.`),
  teller: 'Storyteller',
}
