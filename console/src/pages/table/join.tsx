import { useActing, useCampaign } from '../../data/acting.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormProblem, submit } from '../../ui/form-problem.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

/** Lets a user who is not a member yet join the campaign. */
export function Join() {
  const { api: userApi } = useActing()
  const { campaign, api, reload } = useCampaign()
  const isOpen = campaign.joining === 'OPEN'
  const form = useForm({ code: '' }, async ({ values }) => {
    if (isOpen) await api.members.join()
    else await userApi.invites.accept({ code: values.code.trim() })
    tell(text.join.joined(campaign.name))
    await reload()
  })
  return (
    <form class="card join" onSubmit={submit(form)}>
      <h2>{text.join.title}</h2>
      <p>{isOpen ? text.join.text : text.join.byInvite}</p>
      {!isOpen && <TextField label={text.join.code} {...form.input('code')} required spellcheck={false} />}
      <FormProblem of={form} />
      <Button type="submit" look="primary" busy={form.busy}>
        {text.join.action}
      </Button>
    </form>
  )
}
