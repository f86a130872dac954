import type { Step } from './run.ts'

export const text = {
  pageTitle: 'The first table',
  title: 'Set up a table',
  text: 'One press makes everything for a first evening: a company, a storyteller, three players with a sign-in link each, and a short adventure with characters who are ready to play.',
  adventure: (name: string) =>
    `The adventure is “${name}”: about 15 minutes, a pond, a bell, and a secret. You can archive all of it at any time.`,
  start: 'Set up a table',
  again: 'Continue',
  unfinished: 'The setup of a table is not complete. Continue to finish it: nothing is created twice.',
  failed: 'The setup stopped halfway. Fix the cause, and continue: nothing is created twice.',
  progress: (number: number, of: number, step: string) => `Step ${number} of ${of}: ${step}`,
  steps: {
    company: 'A company that owns the table',
    people: 'A storyteller and three players',
    campaign: 'The campaign',
    characters: 'Characters with sheets, items and quick rolls',
    story: 'Clocks, a book and notes, open and secret',
    play: 'The first rolls and an award',
  } satisfies Record<Step, string>,
  states: { done: 'done', running: 'in progress', waiting: 'waiting', failed: 'not done' },
  ready: {
    title: 'The table is ready',
    text: (storyteller: string) =>
      `You tell the story as ${storyteller}. Send each player their link, or let them scan it with the camera of a phone, and begin.`,
    open: 'Open the table',
    links: 'Links for the players',
    each: (when: string) => `Each link signs in one player, once. It works until ${when}.`,
    once: 'The links are shown only here and now. If one is lost or used, make new ones.',
    localOnly: 'These links work on this machine only.',
    localHint: 'To play with others, tell the service the address at which they reach it.',
    make: 'Make new links',
    plays: (character: string) => `plays ${character}`,
    link: (name: string) => `Link for ${name}`,
    qr: (name: string) => `QR code of the link for ${name}`,
    copy: (name: string) => `Copy the link for ${name}`,
    copied: (name: string) => `The link for ${name} is copied.`,
    select: 'The link is selected. Copy it with the keyboard.',
  },
}
