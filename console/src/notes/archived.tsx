import { useState } from 'preact/hooks'
import { type ArchivedItem, ArchivedRows } from '../archived/archived-rows.tsx'
import { useLiveLoad } from '../data/live-load.ts'
import { Show } from '../ui/page.tsx'
import { text } from './text.ts'

interface ArchivedProps {
  /** The type of the resources in events. */
  type: string
  load: (signal: AbortSignal) => PromiseLike<ArchivedItem[]>
  onRestore: (id: string) => Promise<unknown>
  /** The key of the list: it is read again when this changes. */
  of: string
}

/** A list of archived resources that can be restored. It is read when it is opened. */
export function Archived(props: ArchivedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="archived" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.archivedOnes}</summary>
      {isOpen && <ArchivedList key={props.of} {...props} />}
    </details>
  )
}

function ArchivedList({ type, load, onRestore, of }: ArchivedProps) {
  const items = useLiveLoad(load, [type], [of])
  const restore = async (id: string) => {
    await onRestore(id)
    await items.reload()
  }
  return (
    <Show of={items}>
      {(shown) => (shown.length ? <ArchivedRows items={shown} restore={restore} /> : <p class="quiet">{text.noneArchived}</p>)}
    </Show>
  )
}
