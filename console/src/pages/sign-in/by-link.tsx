import { ApiError, type Me, type SignInPreview } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { signIn } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { personOfCode } from './link-kind.ts'
import { text } from './text.ts'

interface ByLinkProps {
  code: string
  title: string
  children: ComponentChildren
  submit: string
  /** A second button, next to the one that signs in. */
  otherwise?: ComponentChildren
  onDone: (me: Me) => void
  /** The link cannot be used, now or later. */
  onRefused: (error: unknown) => void
}

/** Signs in with the code of a link, after a press on the button: programs that fetch the page for a preview must not use up the code. */
export function ByLink({ code, title, children, submit, otherwise, onDone, onRefused }: ByLinkProps) {
  const [remember, setRemember] = useState(false)
  const [person, setPerson] = useState<SignInPreview>()
  useEffect(() => {
    // Without an answer, the page works as well: it does not say whose link it is.
    gh.consoleSession.preview({ code }).then(setPerson, () => undefined)
  }, [code])
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const run = async (event: Event) => {
    event.preventDefault()
    if (state.busy) return
    setState({ busy: true })
    try {
      onDone(await signIn({ code, remember }))
    } catch (error) {
      setState({ busy: false, error })
      if (ApiError.is(error) && [401, 403, 404].includes(error.status)) onRefused(error)
    }
  }
  return (
    <form class="card" onSubmit={run}>
      <h1>{title}</h1>
      <p class="sign-in-person">{person && text.link.person(person.name, person.company_name)}</p>
      {children}
      {personOfCode(code) === 'developer' ? (
        <p class="hint">{text.link.hours}</p>
      ) : (
        <Checkbox label={text.link.remember} hint={text.link.rememberHint} checked={remember} onChange={setRemember} />
      )}
      {state.error !== undefined && <Problem error={state.error} />}
      <Button type="submit" look="primary" busy={state.busy}>
        {submit}
      </Button>
      {otherwise}
    </form>
  )
}
