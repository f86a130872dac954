import { useState } from 'preact/hooks'
import { TextArea } from '../../ui/field.tsx'
import { text } from './text.ts'
import { Verification } from './verification.tsx'

interface Parsed {
  value?: unknown
  error?: string
}

/** Parses a text as JSON. An empty text has no value. */
function parse(typed: string): Parsed {
  if (!typed.trim()) return {}
  try {
    return { value: JSON.parse(typed) }
  } catch (error) {
    return { error: text.paste.notJson((error as Error).message) }
  }
}

/** Verifies a pasted proof, for example of an export, or one that was changed on purpose to see it fail. */
export function Pasted() {
  const [proofText, setProofText] = useState('')
  const [rollText, setRollText] = useState('')
  const [proof, roll] = [parse(proofText), parse(rollText)]
  return (
    <>
      <div class="paste">
        <TextArea
          label={text.paste.proof}
          hint={text.paste.proofHint}
          error={proof.error}
          value={proofText}
          spellcheck={false}
          rows={8}
          onInput={setProofText}
        />
        <TextArea
          label={text.paste.roll}
          hint={text.paste.rollHint}
          error={roll.error}
          value={rollText}
          spellcheck={false}
          rows={8}
          onInput={setRollText}
        />
      </div>
      {proof.value === undefined && !proof.error && <p class="quiet">{text.paste.empty}</p>}
      {proof.value !== undefined && !roll.error && <Verification proof={proof.value} roll={roll.value} />}
    </>
  )
}
