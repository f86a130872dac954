import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { navigate } from '../../router.ts'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { sentenceOf } from '../../ui/problem.tsx'
import { text } from './text.ts'

const words = text.invite

/** Becomes a member by the code of an invite, which the user enters, and goes to the table. */
export function UseInvite({ onClose }: { onClose: () => void }) {
  const { api, path } = useActing()
  // A problem is shown next to the code: it is the only thing that can be wrong.
  const [problem, setProblem] = useState<string>()
  const form = useForm({ code: '' }, async ({ values }) => {
    setProblem(undefined)
    const member = await api.invites.accept({ code: values.code.trim() }).catch((error) => setProblem(sentenceOf(error)))
    if (member) navigate(`${path}/campaigns/${member.campaign_id}`)
  })
  return (
    <FormDialog title={words.title} action={words.submit} of={form} onClose={onClose}>
      <TextField label={words.code} name="code" hint={words.hint} {...form.input('code')} error={problem} required spellcheck={false} />
    </FormDialog>
  )
}
