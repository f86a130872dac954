import type { UserHandle } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { text as shared } from '../text.ts'
import { Select } from '../ui/field.tsx'
import { useForm } from '../ui/form.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { PublicUrlHelp } from '../ui/public-url-help.tsx'
import { Qr } from '../ui/qr.tsx'
import { fullTime } from '../ui/time.tsx'
import { ShownOnce } from './shown-once.tsx'
import { text as all } from './text.ts'

const text = all.link
type Length = (typeof text.lengths)[number][0]

interface SendLinkProps {
  api: UserHandle
  name: string
  /** The address at which people reach the service, if it is known. */
  publicUrl: string | null
  onClose: () => void
}

/** Creates a link with which a user signs in once, and shows it. */
export function SendLink({ api, name, publicUrl, onClose }: SendLinkProps) {
  const [link, setLink] = useState<{ url: string; date_expires: string }>()
  const form = useForm({ expires_in: '86400' as Length }, async ({ values }) =>
    setLink(await api.signInLinks.create({ expires_in: Number(values.expires_in) })),
  )
  if (link)
    return (
      <ShownOnce title={text.title(name)} label={text.label} secret={link.url} onClose={onClose}>
        <p>{text.until(fullTime(link.date_expires))}</p>
        {!publicUrl && (
          <p class="notice">
            {text.localOnly} <PublicUrlHelp />
          </p>
        )}
        <Qr of={link.url} label={text.qr(name)} hint={shared.qr.scan} />
      </ShownOnce>
    )
  return (
    <FormDialog title={text.title(name)} action={text.create} icon="link" of={form} onClose={onClose}>
      <p>{text.text(name)}</p>
      <Select label={text.expires} options={text.lengths} {...form.select('expires_in')} />
    </FormDialog>
  )
}
