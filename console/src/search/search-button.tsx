import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { IconButton } from '../ui/button.tsx'
import { tellProblem } from '../ui/toast.tsx'
import { text } from './text.ts'

/** True while a person types, or answers a dialog: a slash is text there. */
function isElsewhere(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null
  return Boolean(
    element?.closest?.('input:not([type=checkbox]), textarea, select, [contenteditable]') || document.querySelector('dialog[open]'),
  )
}

type Overlay = ComponentType<{ onClose: () => void }>

/** The button that opens the search, which the key / does, too. The search itself is loaded with the first use. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false)
  const [Loaded, setLoaded] = useState<Overlay>()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (isOpen && !Loaded) import('./overlay.tsx').then((module) => setLoaded(() => module.default), tellProblem)
  }, [isOpen])
  return (
    <>
      <IconButton label={text.shortcut} icon="search" aria-keyshortcuts="/" onClick={() => setOpen(true)} />
      {isOpen && Loaded && <Loaded onClose={() => setOpen(false)} />}
    </>
  )
}
