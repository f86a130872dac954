import { useState } from 'preact/hooks'
import { text as words } from '../../notes/text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

/** A button that archives a book or a chapter, after a question. */
export function ArchiveButton({ name, question, onArchive }: { name: string; question: string; onArchive: () => Promise<unknown> }) {
  const [isAsking, setAsking] = useState(false)
  const { run, busy } = useAction(async () => {
    await onArchive()
    tell(text.archived)
  })
  return (
    <>
      <Button look="quiet" icon="archive" onClick={() => setAsking(true)}>
        {text.archive}
      </Button>
      {isAsking && (
        <Confirm
          title={words.archiveTitle(name)}
          action={text.archive}
          busy={busy}
          onConfirm={() => run()}
          onClose={() => setAsking(false)}
        >
          {question}
        </Confirm>
      )}
    </>
  )
}
