import { ApiError } from '@guildhall/client'
import { useActing } from '../../data/acting.ts'
import { navigate } from '../../router.ts'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { dropInvite } from '../sign-in/invite.ts'
import { text } from './text.ts'

const words = text.invite

/** Statuses after which the same invite may still be accepted: the session ended, or there were too many requests. */
const PASSING = [401, 429]

/** Asks whether the user accepts the invite whose link was opened, and goes to the table. */
export function AcceptInvite({ code, onClose }: { code: string; onClose: () => void }) {
  const { api, path, user } = useActing()
  const form = useForm({}, async () => {
    try {
      const { campaign_id } = await api.invites.accept({ code })
      dropInvite()
      navigate(`${path}/campaigns/${campaign_id}`)
    } catch (error) {
      if (ApiError.is(error) && error.status < 500 && !PASSING.includes(error.status)) dropInvite()
      throw error
    }
  })
  const decline = () => {
    dropInvite()
    onClose()
  }
  return (
    <FormDialog title={words.linkTitle} action={words.submit} of={form} onClose={decline}>
      <p>{words.linkText(user.name)}</p>
    </FormDialog>
  )
}
