import type { CampaignAccess, CampaignJoining, ExperiencePer, LevelsDisplay, TraitChanges } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { navigate } from '../../router.ts'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { text } from './text.ts'

const words = text.form

interface Values {
  name: string
  description: string
  in_game_date: string
  access: CampaignAccess
  joining: CampaignJoining
  experience_per: ExperiencePer
  trait_changes: TraitChanges
  levels_display: LevelsDisplay
}

const EMPTY: Values = {
  name: '',
  description: '',
  in_game_date: '',
  access: 'COMPANY',
  joining: 'OPEN',
  experience_per: 'USER',
  trait_changes: 'ANYONE',
  levels_display: 'SHOWN',
}

/** Creates a campaign, and goes to its table. */
export function NewCampaign({ onClose }: { onClose: () => void }) {
  const { api, path, user } = useActing()
  const form = useForm(EMPTY, async ({ values: { description, in_game_date, ...rest } }) => {
    const { id } = await api.campaigns.create({ ...rest, description: description || null, in_game_date: in_game_date || null })
    navigate(`${path}/campaigns/${id}`)
  })
  return (
    <FormDialog title={words.title} action={words.submit} of={form} onClose={onClose}>
      {user.role === 'PLAYER' && <p class="hint">{words.playerHint}</p>}
      <TextField label={words.name} name="name" {...form.input('name')} required />
      <TextArea label={words.description} name="description" {...form.input('description')} rows={3} />
      <TextField label={words.date} name="in_game_date" hint={words.dateHint} {...form.input('in_game_date')} />
      <details class="more-choices">
        <summary>{words.more}</summary>
        <div class="form">
          <Select label={words.access} options={words.accesses} {...form.select('access')} />
          <Select label={words.joining} options={words.joinings} {...form.select('joining')} />
          <Select label={words.experience} options={words.experiences} {...form.select('experience_per')} />
          <Select label={words.traits} options={words.traitChanges} {...form.select('trait_changes')} />
          <Select label={words.levels} options={words.levelDisplays} {...form.select('levels_display')} />
        </div>
      </details>
    </FormDialog>
  )
}
