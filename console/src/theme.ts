import { Store } from './data/store.ts'

/** The colors of the console: as the system wants, or always light or dark. */
export type Theme = 'auto' | 'light' | 'dark'

const STORED_AS = 'guildhall-theme'

function stored(): Theme {
  try {
    const value = localStorage.getItem(STORED_AS)
    return value === 'light' || value === 'dark' ? value : 'auto'
  } catch {
    return 'auto'
  }
}

export const theme: Store<Theme> = new Store<Theme>(stored())

function show(): void {
  const value = theme.get()
  // The colors are written with light-dark(), which follows color-scheme.
  document.documentElement.style.colorScheme = value === 'auto' ? 'light dark' : value
}

/** Applies the theme now, and whenever it changes, and keeps it for the next visit. */
export function startTheme(): void {
  show()
  theme.subscribe(() => {
    show()
    try {
      localStorage.setItem(STORED_AS, theme.get())
    } catch {
      // Without storage, the choice lasts until the page is closed.
    }
  })
}
