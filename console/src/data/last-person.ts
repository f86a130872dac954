import type { Me } from '@guildhall/client'

// The kind of person who was signed in last in this browser. It says nothing about them, and outlives their session.

const STORED_AS = 'guildhall-last-person'

export function noteLastPerson({ user }: Me): void {
  try {
    localStorage.setItem(STORED_AS, user ? 'user' : 'developer')
  } catch {
    // Without storage, the sign-in page is the one for everyone.
  }
}

/** True if a player was signed in last. */
export function wasUser(): boolean {
  try {
    return localStorage.getItem(STORED_AS) === 'user'
  } catch {
    return false
  }
}
