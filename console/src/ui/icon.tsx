/** The outlines of the pictures, on a square of 24. */
const PATHS = {
  table: 'M3 10a9 4.5 0 1 0 18 0 9 4.5 0 1 0-18 0M12 14.500V20M8 21h8M3 10v2c0 1 1 2.2 3 3M21 10v2c0 1-1 2.2-3 3',
  sheet: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  dice: 'M12 2.5 20.5 7.200v9.600L12 21.5 3.5 16.800V7.200zM12 7l5 8.500H7z',
  book: 'M12 6.500C10 4.8 7 4.5 3.5 4.500v14c3.5 0 6.5.3 8.5 2 2-1.7 5-2 8.5-2v-14c-3.5 0-6.5.3-8.5 2zM12 6.500v14',
  more: 'M5 12h.01M12 12h.01M19 12h.01M5 11.500v1M12 11.500v1M19 11.500v1',
  chart: 'M4 20h16M7 16v-5M12 16V6M17 16v-8',
  ledger: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h4',
  rules: 'M12 4v16M8 20h8M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z',
  company: 'M4 21V8l8-5 8 5v13M4 21h16M9 21v-5h6v5M9 11h.01M15 11h.01',
  key: 'M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l8.5-8.5M16 7l3 3',
  search: 'M10.5 17a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM15.3 15.3 20.5 20.5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  dash: 'M6 12h12',
  star: 'M12 3v18M4.2 7.500l15.6 9M19.8 7.500l-15.6 9',
  eye: 'M2.5 12C3.5 10 7 6 12 6s8.5 4 9.5 6c-1 2-4.5 6-9.5 6s-8.5-4-9.5-6zM12 14.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  alert: 'M12 4 21 20H3zM12 10v4.5M12 17.2v.1',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17.5 19.5 7',
  seal: 'M12 3l2.3 1.7 2.9 0 .9 2.7 2.3 1.7-.9 2.7.9 2.7-2.3 1.7-.9 2.7-2.9 0L12 21l-2.3-1.7-2.9 0-.9-2.7-2.3-1.7.9-2.7-.9-2.7 2.3-1.7.9-2.7 2.9 0zM9 12l2.2 2.200L15.5 10',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1-1',
  secret:
    'M4 4l16 16M10 6.300A9.5 9.5 0 0 1 12 6c5 0 8.5 4 9.5 6a13 13 0 0 1-3 3.800M6.5 7.800A13 13 0 0 0 2.5 12c1 2 4.5 6 9.5 6 1.4 0 2.7-.3 3.8-.8',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.400M17.6 17.6 19 19M5 19l1.4-1.400M17.6 6.4 19 5',
  moon: 'M20 14.500A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.500z',
  auto: 'M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18z',
  out: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9',
  undo: 'M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.500a3.5 3.5 0 0 1 0 6.500M17.5 14.300c2.3.7 3.7 2.6 4 5.7',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c.6-4.5 3.7-7 8-7s7.4 2.5 8 7',
  companies: 'M3 21V9l5-3.500L13 9v12M13 12h8v9M3 21h18M7 12h.01M7 16h.01M17 16h.01',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  switch: 'M8 9.500l4-4 4 4M8 14.500l4 4 4-4',
  right: 'M9 5l7 7-7 7',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  archive: 'M4 5h16v4H4zM5 9v11h14V9M10 13h4',
} as const

export type IconName = keyof typeof PATHS

/** An icon. It is hidden from screen readers, because the words next to it say the same. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
