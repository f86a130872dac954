import { gh } from '../../data/client.ts'
import { navigate } from '../../router.ts'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { text } from './text.ts'

const words = text.form

/** Makes an empty company, and goes to it. */
export function NewCompany({ onClose }: { onClose: () => void }) {
  const form = useForm({ name: '', description: '' }, async ({ values: { name, description } }) => {
    const { id } = await gh.companies.create({ name, ...(description && { description }) })
    navigate(`/c/${id}`)
  })
  return (
    <FormDialog title={words.title} action={words.submit} of={form} onClose={onClose}>
      <p class="quiet">{words.text}</p>
      <TextField label={words.name} name="name" {...form.input('name')} required />
      <TextArea label={words.description} name="description" {...form.input('description')} rows={2} />
    </FormDialog>
  )
}
