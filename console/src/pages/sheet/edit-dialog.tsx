import type { CharacterPatch, SheetVisibility } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { sheetWords, statusWords, visibilityWords } from '../../play/character-words.ts'
import { PlayerSelect } from '../../play/player-select.tsx'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = text.form

interface EditDialogProps {
  sheet: SheetScope
  onChanged: () => Promise<void>
  onClose: () => void
}

/** Changes the fields of a character. Only those that differ are sent, so that changes of others to the rest stay. */
export function EditDialog({ sheet: { character, rights }, onChanged, onClose }: EditDialogProps) {
  const { api } = useCampaign()
  // The character as it was when the dialog opened: it may change while somebody writes.
  const [before] = useState(character)
  const { name, status, visibility, sheet_visibility } = before
  const texts = { concept: before.concept ?? '', biography: before.biography ?? '', user_id: before.user_id ?? '' }
  const form = useForm({ name, status, visibility, sheet_visibility, ...texts }, async ({ changes }) => {
    const patch = Object.entries(changes).map(([field, value]) => [field, field in texts ? value || null : value])
    if (patch.length) await api.characters.update(before.id, Object.fromEntries(patch) as CharacterPatch)
    await onChanged()
    onClose()
  })
  const sheets = optionsOf<SheetVisibility>(sheetWords).filter(
    ([value]) => rights.isStoryteller || value !== 'STORYTELLER' || value === sheet_visibility,
  )
  return (
    <FormDialog title={words.title(name)} of={form} onClose={onClose} isWide>
      <div class="form-row">
        <TextField label={words.name} {...form.input('name')} maxlength={100} autofocus />
        <Select label={words.status} options={optionsOf(statusWords)} {...form.select('status')} />
      </div>
      <TextField label={words.concept} {...form.input('concept')} />
      <div class="form-row">
        {rights.isStoryteller && before.type === 'PLAYER' && <PlayerSelect label={words.player} {...form.select('user_id')} />}
        {before.type === 'NPC' && <Select label={words.visibility} options={optionsOf(visibilityWords)} {...form.select('visibility')} />}
        {rights.seesSheet && <Select label={words.sheet} options={sheets} {...form.select('sheet_visibility')} />}
      </div>
      <TextArea label={words.biography} hint={words.markdown} {...form.input('biography')} rows={10} />
    </FormDialog>
  )
}
