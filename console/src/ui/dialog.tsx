import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { text } from '../text.ts'
import { Button, IconButton } from './button.tsx'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  isWide?: boolean
}

const FIRST_FIELD = 'form :is(input:not([type="checkbox"], [type="radio"]), select, textarea)'

/** The element that had the focus before the last dialog opened. */
let lastOpener: HTMLElement | null = null

/** A dialog above the page. The browser keeps the focus in it, and closes it with Escape. Afterwards the focus is where it was. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    // A dialog that takes the place of another, such as a link that was created, begins without a focus: its opener is that of the other.
    const before = document.activeElement === document.body ? lastOpener : (document.activeElement as HTMLElement | null)
    lastOpener = before
    dialog?.showModal()
    // Unless a control asks for the focus, the browser gives it to the button that closes the dialog.
    if (!dialog?.querySelector('[autofocus]')) dialog?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
    return () => {
      dialog?.close()
      // The dialog has left the page already, and the browser returns the focus only from one that is still in it.
      if (document.activeElement === document.body) before?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog wide' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <IconButton label={text.close} icon="close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}

interface ConfirmProps {
  title: string
  children: ComponentChildren
  action: string
  look?: 'danger' | 'primary'
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something is done that cannot be undone at once. */
export function Confirm({ title, children, action, look = 'danger', busy = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body">{children}</div>
      <footer>
        <Button onClick={onClose}>{text.cancel}</Button>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </footer>
    </Dialog>
  )
}
