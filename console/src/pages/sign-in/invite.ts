import { takeFromFragment } from './code.ts'

// An invite that this browser was opened with (`/console/#invite=…`). Its code is no credential: it takes a user who is signed in to use it. It is stored, because the sign-in
// link of a new player is usually opened in another tab.

const STORED_AS = 'guildhall-invite'
const MAX_KEPT_MS = 86_400_000

/** The code if the browser has no storage. */
let kept: string | undefined

function keepInvite(code: string): void {
  kept = code
  try {
    localStorage.setItem(STORED_AS, JSON.stringify({ code, kept_until: Date.now() + MAX_KEPT_MS }))
    kept = undefined
  } catch {
    // The code is lost when this tab is closed.
  }
}

/** Returns the code of the invite that waits for a user who uses it. */
export function findInvite(): string | undefined {
  try {
    const { code, kept_until } = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}')
    if (typeof code === 'string' && kept_until > Date.now()) return code
    localStorage.removeItem(STORED_AS)
  } catch {
    // There is no storage, or nothing that can be read in it.
  }
  return kept
}

/** Forgets the invite: it was used, refused or declined. */
export function dropInvite(): void {
  kept = undefined
  try {
    localStorage.removeItem(STORED_AS)
  } catch {
    // There is no storage.
  }
}

const opened = takeFromFragment('invite')
if (opened) keepInvite(opened)
