import { useEffect } from 'preact/hooks'
import { noteLastPerson } from './data/last-person.ts'
import { findSession, session } from './data/session.ts'
import { Store, useStore } from './data/store.ts'
import { takeCode } from './pages/sign-in/code.ts'
import { ReplaceSession, SignIn } from './pages/sign-in/page.tsx'
import { Routes } from './routes.tsx'
import { Loading } from './ui/page.tsx'
import { Problem } from './ui/problem.tsx'
import { Toasts } from './ui/toast.tsx'

/** A link's code is taken out of the address before anything else, so that it is not copied with it. */
const pendingCode = new Store(takeCode())
const spendCode = () => pendingCode.set(undefined)

/** The console: the sign-in page, or the pages of the person who is signed in. */
export function App() {
  const current = useStore(session)
  const code = useStore(pendingCode)
  useEffect(() => {
    findSession()
  }, [])
  useEffect(() => {
    if (current.state === 'active') noteLastPerson(current.me)
  }, [current])
  return (
    <>
      {current.state === 'unknown' && <Loading />}
      {current.state === 'failed' && (
        <main class="page">
          <Problem error={current.error} onRetry={findSession} />
        </main>
      )}
      {(current.state === 'none' || current.state === 'ended') && (
        <SignIn code={code} hasEnded={current.state === 'ended'} onCodeSpent={spendCode} />
      )}
      {current.state === 'active' &&
        (code ? <ReplaceSession me={current.me} code={code} onCodeSpent={spendCode} /> : <Routes me={current.me} />)}
      <Toasts />
    </>
  )
}
