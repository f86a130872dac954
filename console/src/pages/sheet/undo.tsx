import type { ExperienceEntryListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

const words = text.experience

/** Undoes an entry of the ledger, after asking why. */
export function UndoButton({ entry: { id, reason } }: { entry: ExperienceEntryListItem }) {
  const { api } = useCampaign()
  const [isOpen, setOpen] = useState(false)
  const form = useForm({ reason: '' }, async ({ values }) => {
    await api.experienceEntries.reverse(id, values)
    tell(words.undoDone)
    setOpen(false)
  })
  return (
    <>
      <Button look="quiet" icon="undo" aria-label={words.undoNamed(reason)} onClick={() => setOpen(true)}>
        {words.undo}
      </Button>
      {isOpen && (
        <FormDialog title={words.undoTitle} action={words.undo} of={form} onClose={() => setOpen(false)}>
          <p>{words.undoText}</p>
          <TextField label={words.undoReason} {...form.input('reason')} maxlength={500} autofocus />
        </FormDialog>
      )}
    </>
  )
}
