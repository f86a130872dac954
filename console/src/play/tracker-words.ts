import type { TrackerMover, TrackerStyle, TrackerVisibility } from '@guildhall/client'

/** The words of the fields of a tracker, which are the same for clocks of a campaign and for numbers of a character. */
export const trackerWords = {
  label: 'Name',
  style: 'Style',
  styles: { NUMBER: 'Number', BOXES: 'Boxes', CLOCK: 'Clock' } satisfies Record<TrackerStyle, string>,
  value: 'Value',
  minimum: 'Lowest',
  maximum: 'Highest',
  maximumHint: 'Empty: no limit.',
  start: 'After a reset',
  visibility: 'Who sees it',
  visibilities: { OPEN: 'Everyone', NAME_ONLY: 'Everyone, but only its name', STORYTELLER: 'Storytellers only' } satisfies Record<
    TrackerVisibility,
    string
  >,
  mover: 'Who moves it',
  movers: { PLAYER: 'The player', MEMBERS: 'All members', STORYTELLER: 'Storytellers only' } satisfies Record<TrackerMover, string>,
}
