import { ApiError, type Cost } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../../data/acting.ts'
import { TextField } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import type { SheetScope } from '../rights.ts'
import { text } from '../text.ts'

const words = text.costs

interface BuyDialogProps {
  sheet: SheetScope
  step: Cost
  available: number
  onClose: () => void
}

/** Raises a trait at the price that is shown. If it is no longer the price, nothing is spent, and the new one is shown. */
export function BuyDialog({ sheet: { character, api: characterApi, rights }, step: first, available, onClose }: BuyDialogProps) {
  const { api, campaign } = useCampaign()
  const [step, setStep] = useState(first)
  const { trait, label, from, to, cost } = step
  const form = useForm({ reason: words.reasonOf(label, to) }, async ({ values }) => {
    try {
      await api.experience.spend({
        ...(cost !== null && { amount: cost }),
        reason: values.reason,
        character_id: character.id,
        trait: { name: trait, to },
        // A storyteller spends the experience of the player.
        ...(campaign.experience_per === 'USER' && !rights.isOwn && character.user_id && { user_id: character.user_id }),
      })
      tell(words.done(label, to))
      onClose()
    } catch (error) {
      if (!ApiError.is(error, 'price_changed', 'trait_not_raised')) throw error
      const [now] = (await characterApi.costs.get({ trait })).items
      if (!now) throw error
      setStep(now)
      form.set('reason')(words.reasonOf(label, now.to))
    }
  })
  const isChanged = step !== first
  return (
    <FormDialog title={words.dialog(label)} action={words.raise} of={form} isDisabled={cost === null} onClose={onClose}>
      {isChanged && (
        <p class="notice" role="alert">
          {cost === null ? step.refused : words.changed(cost)}
        </p>
      )}
      <dl class="figures">
        <div>
          <dt>{label}</dt>
          <dd>{words.step(from, to)}</dd>
        </div>
        {cost !== null && (
          <div>
            <dt>{cost < 0 ? words.gain : words.cost}</dt>
            <dd>{Math.abs(cost)}</dd>
          </div>
        )}
        <div>
          <dt>{text.experience.available}</dt>
          <dd>{available}</dd>
        </div>
      </dl>
      <TextField label={text.experience.reason} hint={text.experience.reasonHint} {...form.input('reason')} maxlength={500} />
    </FormDialog>
  )
}
