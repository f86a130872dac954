import type { Role } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { Choice } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.user

/** Adds a user to the company. Without the permission ADMIN, only players can be added. */
export function AddUser({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<void> }) {
  const { companyApi } = useActing()
  const { options, administers } = useRights()
  const form = useForm({ name: '', email: '', external_id: '', role: 'PLAYER' as Role }, async ({ values }) => {
    const { name, email, external_id, role } = values
    const user = await companyApi.users.create({ name, role, ...(email && { email }), ...(external_id && { external_id }) }, options)
    tell(all.users.added(user.name))
    onClose()
    await onAdded()
  })
  return (
    <FormDialog title={all.users.add} action={all.users.add} of={form} onClose={onClose}>
      <TextField label={text.name} {...form.input('name')} autofocus />
      <TextField label={text.email} hint={text.emailHint} {...form.input('email')} />
      <TextField label={text.externalId} hint={text.externalIdHint} {...form.input('external_id')} />
      {administers && <Choice label={text.role} value={form.values.role} options={text.roles} onChange={form.set('role')} />}
    </FormDialog>
  )
}
