import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The date in the game world. */
export function GameDate() {
  const { campaign, isStoryteller } = useCampaign()
  const [isOpen, setOpen] = useState(false)
  if (!campaign.in_game_date && !isStoryteller) return null
  return (
    <Section
      title={text.date.title}
      class="table-part"
      actions={isStoryteller && <IconButton label={text.date.change} icon="edit" onClick={() => setOpen(true)} />}
    >
      <p class={campaign.in_game_date ? 'game-date' : 'quiet'}>{campaign.in_game_date ?? text.date.none}</p>
      {isOpen && <DateDialog onClose={() => setOpen(false)} />}
    </Section>
  )
}

function DateDialog({ onClose }: { onClose: () => void }) {
  const { api } = useActing()
  const { campaign, reload } = useCampaign()
  const form = useForm({ in_game_date: campaign.in_game_date ?? '' }, async ({ values }) => {
    await api.campaigns.update(campaign.id, { in_game_date: values.in_game_date.trim() || null })
    await reload()
    onClose()
  })
  return (
    <FormDialog title={text.date.change} of={form} onClose={onClose}>
      <TextField label={text.date.title} hint={text.date.hint} {...form.input('in_game_date')} autofocus />
    </FormDialog>
  )
}
