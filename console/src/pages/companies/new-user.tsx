import type { Role } from '@guildhall/client'
import { gh } from '../../data/client.ts'
import { navigate } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { text } from './text.ts'

const words = text.user.form

/** Adds a user to a company, and acts as this user. */
export function NewUser({ companyId, onClose }: { companyId: string; onClose: () => void }) {
  const form = useForm({ name: '', role: 'STORYTELLER' as Role }, async ({ values }) => {
    const { id } = await gh.company(companyId).users.create(values)
    navigate(`/c/${companyId}/as/${id}`)
  })
  return (
    <FormDialog title={words.title} action={words.submit} of={form} onClose={onClose}>
      <TextField label={words.name} name="name" {...form.input('name')} required />
      <Select label={words.role} options={optionsOf(shared.roles)} hint={words.hints[form.values.role]} {...form.select('role')} />
    </FormDialog>
  )
}
