import type { ExperienceEntryListItem } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

/** Reverses an entry, with a reason that the ledger keeps. */
export function UndoDialog({ entry, onClose }: { entry: ExperienceEntryListItem; onClose: () => void }) {
  const { api } = useCampaign()
  const form = useForm({ reason: '' }, async ({ values }) => {
    await api.experienceEntries.reverse(entry.id, values)
    tell(text.undone)
    onClose()
  })
  return (
    <FormDialog title={text.undoTitle(entry.reason)} action={text.undo} look="danger" of={form} onClose={onClose}>
      <p>{text.undoText}</p>
      <TextField label={text.reason} {...form.input('reason')} required autofocus />
    </FormDialog>
  )
}
