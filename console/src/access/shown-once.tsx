import type { ComponentChildren } from 'preact'
import { Button } from '../ui/button.tsx'
import { CopyField } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { text } from './text.ts'

interface ShownOnceProps {
  title: string
  label: string
  secret: string
  children?: ComponentChildren
  onClose: () => void
}

/** Shows a secret that the service tells once. It is in the page only while this dialog is open. */
export function ShownOnce({ title, label, secret, children, onClose }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-body form">
        {children}
        <CopyField label={label} value={secret} hint={text.once.warning} />
      </div>
      <footer>
        <Button look="primary" onClick={onClose}>
          {text.once.done}
        </Button>
      </footer>
    </Dialog>
  )
}
