import { useActing } from '../data/acting.ts'
import { Select, TextField } from '../ui/field.tsx'
import { useForm } from '../ui/form.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { tell } from '../ui/toast.tsx'
import type { Dice } from './request.ts'
import { text } from './text.ts'
import type { TrayCharacter } from './tray.tsx'

interface SaveDialogProps {
  dice: Dice
  campaignId: string | undefined
  character: TrayCharacter | undefined
  isStoryteller: boolean
  onClose: () => void
}

type Owner = 'user' | 'character' | 'campaign'

/** Saves the dice of the tray under a name: for the user, the character, or everyone in the campaign. */
export function SaveDialog({ dice, campaignId, character, isStoryteller, onClose }: SaveDialogProps) {
  const { api } = useActing()
  const form = useForm({ name: '', owner: (character ? 'character' : 'user') as Owner }, async ({ values: { name, owner } }) => {
    const body = { name, ...dice }
    if (owner === 'user' || !campaignId) await api.quickRolls.create(body)
    else if (owner === 'campaign') await api.campaign(campaignId).quickRolls.create(body)
    else if (character) await api.campaign(campaignId).character(character.id).quickRolls.create(body)
    tell(text.quick.saved(name))
    onClose()
  })
  const options: [Owner, string][] = [['user', text.quick.mine]]
  if (character) options.unshift(['character', character.name])
  if (isStoryteller && campaignId) options.push(['campaign', text.quick.ofCampaign])
  return (
    <FormDialog title={text.quick.save} of={form} onClose={onClose}>
      <TextField label={text.quick.name} {...form.input('name')} required maxlength={100} autofocus />
      {options.length > 1 && <Select label={text.quick.owner} options={options} {...form.select('owner')} />}
    </FormDialog>
  )
}
