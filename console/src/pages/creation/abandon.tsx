import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { text as all } from './text.ts'

const text = all.abandon

interface AbandonProps {
  id: string
  /** Names the character for screen readers, where several can be abandoned. */
  label?: string
  onAbandoned: () => void
}

/** Abandons a character that is being created, after a question. */
export function Abandon({ id, label, onAbandoned }: AbandonProps) {
  const { api } = useCampaign()
  const [isAsking, setAsking] = useState(false)
  const { run, busy } = useAction(async () => {
    // The messages are not reachable while the dialog is open.
    setAsking(false)
    await api.creations.delete(id)
    tell(text.done)
    onAbandoned()
  })
  return (
    <>
      <Button look="quiet" icon="trash" busy={busy} aria-label={label} onClick={() => setAsking(true)}>
        {text.action}
      </Button>
      {isAsking && (
        <Confirm title={text.title} action={text.action} onConfirm={run} onClose={() => setAsking(false)}>
          <p>{text.text}</p>
        </Confirm>
      )}
    </>
  )
}
