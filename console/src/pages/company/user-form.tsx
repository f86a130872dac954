import type { User, UserPatch } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { text as shared } from '../../text.ts'
import { Choice } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { Origin } from '../../ui/origin.tsx'
import { tell } from '../../ui/toast.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.user

/** The fields of a user. Users change their own name and e-mail; everything else is for administrators. */
export function UserForm({ user, onSaved }: { user: User; onSaved: (user: User) => void }) {
  const { companyApi, user: acting } = useActing()
  const { options, administers, knowsIdentities, isOwn } = useRights()
  const isSelf = user.id === acting.id && !isOwn
  const { name, role, email, external_id } = user
  const form = useForm({ name, role, email: email ?? '', external_id: external_id ?? '' }, async ({ changes, reset }) => {
    const { email, external_id, ...rest } = changes
    const patch: UserPatch = {
      ...rest,
      ...(email !== undefined && { email: email || null }),
      ...(external_id !== undefined && { external_id: external_id || null }),
    }
    onSaved(await companyApi.users.update(user.id, patch, options))
    reset()
    tell(shared.saved)
  })
  if (!administers && !isSelf)
    return (
      <div class="card">
        <p class="quiet">{text.readOnly}</p>
        <Origin of={user} words={text}>
          {user.email && <span>{user.email}</span>}
        </Origin>
      </div>
    )
  return (
    <FormCard of={form} facts={<Origin of={user} words={text} />}>
      <div class="form-row">
        <TextField label={text.name} {...form.input('name')} />
        <TextField label={text.email} hint={text.emailHint} {...form.input('email')} />
      </div>
      {administers && knowsIdentities && <TextField label={text.externalId} hint={text.externalIdHint} {...form.input('external_id')} />}
      {administers && <Choice label={text.role} value={form.values.role} options={text.roles} onChange={form.set('role')} />}
    </FormCard>
  )
}
