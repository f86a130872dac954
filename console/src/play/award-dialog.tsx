import { useState } from 'preact/hooks'
import { type CampaignScope, useCampaign } from '../data/acting.ts'
import { useLoad } from '../data/load.ts'
import { text as shared } from '../text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { useForm } from '../ui/form.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { LoadedDialog } from '../ui/loaded-dialog.tsx'
import { tell } from '../ui/toast.tsx'
import { text } from './award-text.ts'

/** A user or a character who can get experience. */
interface Recipient {
  id: string
  name: string
  /** True for recipients who are ticked at first. */
  isUsual: boolean
  note?: string
}

/** The members of the campaign, or its active player characters, whichever owns the experience. */
async function recipientsOf({ campaign, members, api }: CampaignScope, signal: AbortSignal): Promise<Recipient[]> {
  if (campaign.experience_per === 'USER')
    return members.map(({ user_id, name, role }) => ({
      id: user_id,
      name,
      isUsual: role === 'PLAYER',
      ...(role === 'STORYTELLER' && { note: text.teller }),
    }))
  const characters = await api.characters.list({ type: 'PLAYER', status: 'ACTIVE', sort: 'name' }, { signal }).all(100)
  return characters.map(({ id, name }) => ({ id, name, isUsual: true }))
}

/** A storyteller awards experience: one reason, the people, and an amount for all or for each. */
export function AwardDialog({ onClose }: { onClose: () => void }) {
  const scope = useCampaign()
  const recipients = useLoad((signal) => recipientsOf(scope, signal), [scope.path])
  return (
    <LoadedDialog title={text.title} of={recipients} onClose={onClose}>
      {(list) => (list.length ? <AwardForm recipients={list} onClose={onClose} /> : <NobodyToAward onClose={onClose} />)}
    </LoadedDialog>
  )
}

function NobodyToAward({ onClose }: { onClose: () => void }) {
  const { campaign } = useCampaign()
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p class="dialog-body">{campaign.experience_per === 'USER' ? text.noPlayers : text.noCharacters}</p>
      <footer>
        <Button onClick={onClose}>{shared.close}</Button>
      </footer>
    </Dialog>
  )
}

function AwardForm({ recipients, onClose }: { recipients: Recipient[]; onClose: () => void }) {
  const { campaign, api } = useCampaign()
  const [own, setOwn] = useState<Record<string, string>>({})
  const [ticked, setTicked] = useState(new Set(recipients.filter(({ isUsual }) => isUsual).map(({ id }) => id)))
  const chosen = recipients.filter(({ id }) => ticked.has(id))
  const form = useForm({ reason: '', amount: '1' }, async ({ values: { reason, amount } }) => {
    await api.experience.award({
      reason,
      awards: chosen.map(({ id }) => {
        const each = Number(own[id] || amount)
        return campaign.experience_per === 'USER' ? { user_id: id, amount: each } : { character_id: id, amount: each }
      }),
    })
    tell(text.done(chosen.length))
    onClose()
  })
  const tick = (id: string, isTicked: boolean) => {
    const next = new Set(ticked)
    if (isTicked) next.add(id)
    else next.delete(id)
    setTicked(next)
  }
  const isAll = ticked.size === recipients.length
  return (
    <FormDialog
      title={text.title}
      action={text.submit(chosen.length)}
      of={form}
      isDisabled={!chosen.length}
      onClose={onClose}
      class="award"
    >
      <TextField label={text.reason} placeholder={text.reasonExample} {...form.input('reason')} required autofocus />
      <TextField label={text.amount} {...form.input('amount')} type="number" inputmode="numeric" min={1} required />
      <fieldset>
        <legend>{text.who}</legend>
        <Button look="quiet" onClick={() => setTicked(new Set(isAll ? [] : recipients.map(({ id }) => id)))}>
          {isAll ? text.nobody : text.everyone}
        </Button>
        <ul class="award-people">
          {recipients.map(({ id, name, note }) => (
            <li key={id}>
              <Checkbox
                label={
                  <span>
                    {name} {note && <span class="quiet">{note}</span>}
                  </span>
                }
                checked={ticked.has(id)}
                onChange={(isTicked) => tick(id, isTicked)}
              />
              {ticked.has(id) && (
                <TextField
                  label={text.own(name)}
                  isLabelHidden
                  type="number"
                  inputmode="numeric"
                  min={1}
                  placeholder={form.values.amount}
                  value={own[id] ?? ''}
                  onInput={(value) => setOwn({ ...own, [id]: value })}
                />
              )}
            </li>
          ))}
        </ul>
      </fieldset>
      {!chosen.length && <p class="hint">{text.choose}</p>}
    </FormDialog>
  )
}
