import { ApiError, type Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { wasUser } from '../../data/last-person.ts'
import { enter } from '../../data/session.ts'
import { Solid } from '../../play/die.tsx'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Problem } from '../../ui/problem.tsx'
import { ByKey } from './by-key.tsx'
import { ByLink } from './by-link.tsx'
import { ForPlayer } from './for-player.tsx'
import { findInvite } from './invite.ts'
import { personOfCode } from './link-kind.ts'
import { text } from './text.ts'

interface SignInProps {
  code: string | undefined
  hasEnded: boolean
  /** The code is used, or never can be. */
  onCodeSpent: () => void
}

/** The way into the console: by the code of a link, or by an API key. */
export function SignIn({ code, hasEnded, onCodeSpent }: SignInProps) {
  const [refusal, setRefusal] = useState<Refusal>()
  const [invite] = useState(findInvite)
  const [isPlayer] = useState(wasUser)
  const [isByKey, setByKey] = useState(false)
  const chooseKey = () => {
    setRefusal(undefined)
    setByKey(true)
  }
  const withKey = <Button onClick={chooseKey}>{text.failed.withKey}</Button>
  return (
    <Alone title={text.title}>
      {code ? (
        <ByLink
          code={code}
          title={text.link.titles[personOfCode(code) ?? 'user']}
          submit={text.link.submit}
          onDone={(me) => {
            onCodeSpent()
            enter(me)
          }}
          onRefused={(error) => {
            setRefusal({ error, code })
            onCodeSpent()
          }}
        >
          <p>{text.link.text}</p>
          {invite && <p>{text.invited.afterwards}</p>}
        </ByLink>
      ) : refusal ? (
        <Refused {...refusal}>{withKey}</Refused>
      ) : invite && !hasEnded && !isByKey ? (
        <Invited>{withKey}</Invited>
      ) : isPlayer && !isByKey ? (
        <ForPlayer hasEnded={hasEnded} onKey={chooseKey} />
      ) : (
        <ByKey hasEnded={hasEnded} />
      )}
    </Alone>
  )
}

/** Asks whether the sign-in link replaces the present session. */
export function ReplaceSession({ me, code, onCodeSpent }: { me: Me; code: string; onCodeSpent: () => void }) {
  const [refusal, setRefusal] = useState<Refusal>()
  const name = me.user?.name ?? me.developer?.name ?? ''
  const stay = <Button onClick={onCodeSpent}>{text.replace.stay(name)}</Button>
  return (
    <Alone title={text.title}>
      {refusal ? (
        <Refused {...refusal}>{stay}</Refused>
      ) : (
        <ByLink
          code={code}
          title={text.replace.title(name)}
          submit={text.replace.submit}
          otherwise={stay}
          // Nothing of the former user may stay in the memory of the page.
          onDone={() => location.assign('/console/')}
          onRefused={(error) => setRefusal({ error, code })}
        >
          <p>{text.replace.text}</p>
        </ByLink>
      )}
    </Alone>
  )
}

/** Says how somebody who opened an invite, and is not signed in, comes to use it. */
function Invited({ children }: { children: ComponentChildren }) {
  return (
    <div class="card">
      <h1>{text.invited.title}</h1>
      <p>{text.invited.text}</p>
      <p>{text.invited.kept}</p>
      {children}
    </div>
  )
}

/** A link that cannot be used, and the reason. */
interface Refusal {
  error: unknown
  code: string
}

function Refused({ error, code, children }: Refusal & { children: ComponentChildren }) {
  // The service says no more than that the credential is unknown, which may also be an API key.
  const isUnknown = ApiError.is(error) && error.status === 401
  return (
    <div class="card">
      <h1>{text.failed.title}</h1>
      {isUnknown ? (
        <div class="problem" role="alert">
          <p>{personOfCode(code) ? text.failed.used : text.failed.incomplete}</p>
        </div>
      ) : (
        <Problem error={error} />
      )}
      <p>{text.failed.player}</p>
      {children}
    </div>
  )
}

function Alone({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Guildhall`
  }, [title])
  return (
    <main class="welcome">
      <div class="welcome-cover">
        <Mark />
        <div>
          <p class="cover-title">{text.cover.title}</p>
          <p>{text.cover.text}</p>
        </div>
        <p class="cover-note">{text.cover.note}</p>
        <Solid sides={20} face="20" />
      </div>
      <div class="welcome-main">{children}</div>
    </main>
  )
}
