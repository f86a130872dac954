export { percent } from './chance.ts'

export const text = {
  asTable: 'Show as a table',
  asChart: 'Show as a chart',
  value: 'Value',
  share: 'Share',
  expected: 'Expected',
  day: 'Day',
}
