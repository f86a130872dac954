import type { MemberRole } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { text as access } from '../../access/text.ts'
import { useActing, useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { PublicUrlHelp } from '../../ui/public-url-help.tsx'
import { Qr } from '../../ui/qr.tsx'
import { text } from './text.ts'

const words = text.invite
const { PLAYER, STORYTELLER } = shared.roles
const DAY_S = 86_400
const LASTING = { day: DAY_S, week: 7 * DAY_S, always: null } as const

interface Values {
  role: MemberRole
  uses: 'one' | 'any'
  lasting: keyof typeof LASTING
}

/** Creates an invite, and shows its link once. The code is in the fragment, which is never sent to a server. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const { me } = useActing()
  const { api } = useCampaign()
  const [link, setLink] = useState<string>()
  const form = useForm<Values>({ role: 'PLAYER', uses: 'any', lasting: 'week' }, async ({ values: { role, uses, lasting } }) => {
    const { code } = await api.invites.create({ role, max_uses: uses === 'one' ? 1 : null, expires_in: LASTING[lasting] })
    setLink(`${me.public_url ?? location.origin}${hrefOf('/')}#invite=${encodeURIComponent(code)}`)
  })
  if (link) return <InviteLink link={link} onClose={onClose} />
  return (
    <FormDialog title={words.title} action={words.create} of={form} onClose={onClose}>
      <p class="quiet">{words.text}</p>
      <Select label={words.role} options={optionsOf({ PLAYER, STORYTELLER })} {...form.select('role')} />
      <Select label={words.uses} options={optionsOf(words.usesOf)} {...form.select('uses')} />
      <Select label={words.expires} options={optionsOf(words.lasting)} {...form.select('lasting')} />
    </FormDialog>
  )
}

function InviteLink({ link, onClose }: { link: string; onClose: () => void }) {
  const { me } = useActing()
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="dialog-body form">
        <p class="quiet">{words.once}</p>
        <CopyField label={words.link} value={link} />
        {!me.public_url && (
          <p class="notice">
            {access.link.localOnly} <PublicUrlHelp />
          </p>
        )}
        <Qr of={link} label={words.qr} hint={shared.qr.scan} />
      </div>
      <footer>
        <Button onClick={onClose}>{shared.close}</Button>
      </footer>
    </Dialog>
  )
}
