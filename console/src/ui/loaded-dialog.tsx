import type { ComponentChildren } from 'preact'
import type { Loaded } from '../data/load.ts'
import { Dialog } from './dialog.tsx'
import { Show } from './page.tsx'

interface LoadedDialogProps<T> {
  /** The title until the data has arrived. */
  title: string
  of: Loaded<T>
  onClose: () => void
  /** The dialog that shows the data. */
  children: (data: T) => ComponentChildren
}

/** A dialog whose data is loaded first. */
export function LoadedDialog<T>({ title, of, onClose, children }: LoadedDialogProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  return (
    <Dialog title={title} onClose={onClose}>
      <Show of={of}>{() => null}</Show>
    </Dialog>
  )
}
