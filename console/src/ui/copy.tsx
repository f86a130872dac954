import { useRef, useState } from 'preact/hooks'
import { text } from '../text.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-text.ts'
import { Field } from './field.tsx'

/** A read-only text with a button that copies it. */
export function CopyField({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    // If this fails, the text is still selected, and can be copied with the keyboard.
    if (await copyText(value)) setCopied(true)
  }
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <div class="copy-field">
          <input
            {...attributes}
            ref={input}
            readonly
            autocomplete="off"
            spellcheck={false}
            value={value}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
            {text.copy}
          </Button>
          <span class="visually-hidden" role="status">
            {isCopied ? text.copied : ''}
          </span>
        </div>
      )}
    </Field>
  )
}
