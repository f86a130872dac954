import { ApiError, type Me } from '@guildhall/client'
import { currentPath, navigate } from '../router.ts'
import { gh } from './client.ts'
import { Store } from './store.ts'

/** The state of signing in, with the person who is signed in. */
export type Session =
  | { state: 'unknown' }
  | { state: 'none' }
  | { state: 'ended' }
  | { state: 'failed'; error: unknown }
  | { state: 'active'; me: Me }

export const session: Store<Session> = new Store<Session>({ state: 'unknown' })

/** Tells the other windows of this browser, which share the cookie, that somebody has signed in or out. */
const windows = new BroadcastChannel('guildhall-session')

/** True if nobody is signed in any more: the session has ended, or its user or company is archived. */
const hasEnded = (error: unknown) => ApiError.is(error) && [401, 403, 404].includes(error.status)

/** Asks the service who is signed in. */
export async function findSession(): Promise<void> {
  try {
    session.set({ state: 'active', me: await gh.me.get() })
  } catch (error) {
    session.set(hasEnded(error) ? { state: 'none' } : { state: 'failed', error })
  }
}

/** Exchanges an API key, or the code of a link, for a session of this browser. */
export async function signIn(credential: { key: string } | { code: string; remember?: boolean }): Promise<Me> {
  const me = await gh.consoleSession.create(credential)
  windows.postMessage(null)
  return me
}

/** Shows the pages of a new session, and goes on where the last one ended. */
export function enter(me: Me): void {
  const path = takeReturnPath()
  if (path && currentPath() === '/') navigate(path, { replace: true })
  session.set({ state: 'active', me })
}

/** Ends the session. The page is loaded again, so that nothing of the user stays in its memory. */
export async function signOut(): Promise<void> {
  await gh.consoleSession.delete().catch((error) => {
    // The session has already ended elsewhere.
    if (!hasEnded(error)) throw error
  })
  windows.postMessage(null)
  location.assign('/console/')
}

/** Notes that the session has ended elsewhere: in another tab, by a revoked key, or because its time is up. The page that was shown is returned to after the next sign-in. */
export function endSession(): void {
  if (session.get().state !== 'active') return
  keepReturnPath(currentPath())
  session.set({ state: 'ended' })
}

const RETURN_PATH = 'guildhall-return'

function keepReturnPath(path: string): void {
  try {
    sessionStorage.setItem(RETURN_PATH, path)
  } catch {
    // Without storage, the next sign-in leads to the start.
  }
}

function takeReturnPath(): string | null {
  try {
    const path = sessionStorage.getItem(RETURN_PATH)
    sessionStorage.removeItem(RETURN_PATH)
    return path
  } catch {
    return null
  }
}

/** Compares the session with that of the browser when another window signs in or out, and when the page is looked at again: a message may have been missed. */
export function followSession(): void {
  windows.onmessage = checkSession
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkSession()
  })
}

/** Shows the page that signs in if the session of the page has ended, and the pages of another session if there is one. */
export async function checkSession(): Promise<void> {
  const known = session.get()
  if (known.state === 'unknown' || known.state === 'failed') return
  const me = await gh.me.get().catch((error) => (hasEnded(error) ? null : undefined))
  // Without an answer, such as during a lost connection, the session is kept.
  if (me === undefined || session.get() !== known) return
  if (known.state !== 'active') {
    if (me) session.set({ state: 'active', me })
  } else if (!me) endSession()
  else if (me.session_id !== known.me.session_id) location.reload()
}
