import { useActing, useCampaign } from '../../data/acting.ts'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import type { LedgerData } from './owners.ts'
import { text } from './text.ts'

const words = text.spending
const EMPTY = { owner: '', character_id: '', amount: '1', reason: '', isRaising: false, trait: '', to: '' }
type Values = typeof EMPTY

const optionsOf = (items: readonly { id: string; name: string }[]) => items.map(({ id, name }) => [id, name] as const)

/** Spends experience, if wanted on raising a trait of a character. Storytellers also spend that of others. */
export function SpendDialog({ data: { owners, characters }, onClose }: { data: LedgerData; onClose: () => void }) {
  const { user } = useActing()
  const { campaign, api, isStoryteller } = useCampaign()
  const isPerUser = campaign.experience_per === 'USER'
  const mayRaise = isStoryteller || campaign.trait_changes !== 'STORYTELLER'
  const spenders = owners.filter(({ isOwn, available }) => available > 0 && (isOwn || isStoryteller))
  const first = spenders.find(({ isOwn }) => isOwn) ?? spenders[0]
  // Where experience belongs to users, it is spent on one of the characters of the user, or on none.
  const characterOf = ({ owner, character_id }: Values) => characters.find(({ id }) => id === (isPerUser ? character_id : owner))

  const form = useForm<Values>({ ...EMPTY, owner: first?.id ?? '' }, async ({ values }) => {
    const { owner, amount, reason, isRaising, trait, to } = values
    const character = characterOf(values)
    await api.experience.spend({
      amount: Number(amount),
      reason,
      ...(character && { character_id: character.id }),
      ...(isPerUser && owner !== user.id && { user_id: owner }),
      ...(character && mayRaise && isRaising && { trait: { name: trait, to: Number(to) } }),
    })
    tell(words.done)
    onClose()
  })
  const { values, set, input, errorOf } = form
  const owner = spenders.find(({ id }) => id === values.owner)
  const theirs = characters.filter(({ user_id, status }) => user_id === values.owner && status === 'ACTIVE')
  const raised = mayRaise ? characterOf(values) : undefined
  return (
    <FormDialog title={words.title} action={words.submit} of={form} onClose={onClose}>
      {spenders.length > 1 && (
        <Select
          label={words.who}
          value={values.owner}
          options={optionsOf(spenders)}
          onChange={(id) => {
            set('owner')(id)
            set('character_id')('')
          }}
        />
      )}
      <TextField
        label={words.amount}
        hint={owner && words.available(owner.available)}
        {...input('amount')}
        type="number"
        inputmode="numeric"
        min={1}
        required
        autofocus
      />
      <TextField label={words.reason} placeholder={words.reasonExample} {...input('reason')} required />
      {isPerUser && theirs.length > 0 && (
        <Select label={words.character} options={[['', words.noCharacter], ...optionsOf(theirs)]} {...form.select('character_id')} />
      )}
      {raised && <Checkbox label={words.raise} checked={values.isRaising} onChange={set('isRaising')} />}
      {raised && values.isRaising && (
        <div class="form-row">
          <TextField
            label={words.trait}
            list="spend-traits"
            hint={values.trait && words.now(raised.traits?.[values.trait])}
            {...input('trait')}
            error={errorOf('trait.name')}
            required
          />
          <TextField label={words.to} type="number" inputmode="numeric" {...input('to')} error={errorOf('trait.to')} required />
          <datalist id="spend-traits">
            {Object.keys(raised.traits ?? {}).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
      )}
    </FormDialog>
  )
}
