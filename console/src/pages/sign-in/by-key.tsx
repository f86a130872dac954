import { useEffect, useRef, useState } from 'preact/hooks'
import { enter, signIn } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { sentenceOf } from '../../ui/problem.tsx'
import { text } from './text.ts'

/** Signs in with an API key. */
export function ByKey({ hasEnded }: { hasEnded: boolean }) {
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (problem) field.current?.focus()
  }, [problem])
  const submit = async (event: Event) => {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      enter(await signIn({ key: key.trim() }))
    } catch (error) {
      setProblem(sentenceOf(error))
      setBusy(false)
    }
  }
  return (
    <form class="card" onSubmit={submit}>
      <h1>{text.title}</h1>
      {hasEnded && (
        <p class="sign-in-ended" role="status">
          {text.ended}
        </p>
      )}
      <TextField
        label={text.key}
        type="password"
        name="key"
        required
        placeholder="glh_…"
        spellcheck={false}
        value={key}
        onInput={setKey}
        inputRef={field}
        error={problem}
        hint={text.withKey}
      />
      <Button type="submit" look="primary" busy={busy}>
        {text.submit}
      </Button>
      <p class="hint">{text.withoutKey}</p>
      <p class="hint">
        {text.operator} <code>{text.command}</code>
      </p>
    </form>
  )
}
