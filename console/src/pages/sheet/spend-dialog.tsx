import type { ExperienceSpend } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { labelOf, nameOf } from '../../play/character-words.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = text.experience
const NEW = '+new'

interface SpendDialogProps {
  sheet: SheetScope
  available: number
  onClose: () => void
}

/** Spends experience on a character, and raises a trait with it in the same step. */
export function SpendDialog({ sheet: { character, rights }, available, onClose }: SpendDialogProps) {
  const { api, campaign } = useCampaign()
  const traits = character.traits ?? {}
  // Where a ruleset has prices, players raise traits at these. Storytellers may ask for any amount.
  const mayRaise = rights.mayRaiseTraits && (rights.isStoryteller || campaign.ruleset_version_id === null)
  const form = useForm({ amount: '', reason: '', trait: '', newName: '', to: '' }, async ({ values }) => {
    const { amount, reason, trait, newName, to } = values
    await api.experience.spend({
      amount: Number(amount) || amount,
      reason,
      character_id: character.id,
      // A storyteller spends the experience of the player.
      ...(campaign.experience_per === 'USER' && !rights.isOwn && character.user_id && { user_id: character.user_id }),
      ...(trait && { trait: { name: trait === NEW ? nameOf(newName) : trait, to: Number(to) } }),
    } as ExperienceSpend)
    tell(words.spentDone)
    onClose()
  })
  const { trait } = form.values
  const choose = (name: string) => {
    form.set('trait')(name)
    form.set('to')(name ? String((traits[name] ?? 0) + 1) : '')
  }
  const names = Object.keys(traits).sort()
  const nameError = form.errorOf('trait.name')
  return (
    <FormDialog title={words.spendTitle} action={words.spend} of={form} onClose={onClose}>
      <TextField label={words.amount} hint={words.amountHint(available)} {...form.input('amount')} inputmode="numeric" autofocus />
      <TextField label={words.reason} hint={words.reasonHint} {...form.input('reason')} maxlength={500} />
      {mayRaise && (
        <div class="form-row">
          <Select
            label={words.trait}
            value={trait}
            options={[
              ['', words.noTrait],
              ...names.map((name) => [name, `${labelOf(name)} (${traits[name]})`] as const),
              [NEW, words.newTrait],
            ]}
            onChange={choose}
            error={trait === NEW ? undefined : nameError}
          />
          {trait === NEW && <TextField label={words.newName} {...form.input('newName')} error={nameError} />}
          {trait && (
            <TextField
              label={words.to}
              hint={trait === NEW ? undefined : words.toHint(traits[trait] ?? 0)}
              {...form.input('to')}
              error={form.errorOf('trait.to')}
              inputmode="numeric"
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}
