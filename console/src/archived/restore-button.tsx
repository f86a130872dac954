import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { tell } from '../ui/toast.tsx'
import { text } from './text.ts'

/** A button at the end of a row that restores an archived resource. */
export function RestoreButton({ name, restore }: { name: string; restore: () => Promise<unknown> }) {
  const { run, busy } = useAction(async () => {
    await restore()
    tell(text.restored(name))
  })
  return (
    <span class="end">
      <Button icon="undo" busy={busy} aria-label={text.restoreOne(name)} onClick={() => run()}>
        {text.restore}
      </Button>
    </span>
  )
}
