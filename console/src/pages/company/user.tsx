import type { User } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { OpenLinks } from '../../access/open-links.tsx'
import { SendLink } from '../../access/send-link.tsx'
import { text as accessText } from '../../access/text.ts'
import { Tokens } from '../../access/tokens.tsx'
import { useActing } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf, navigate } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'
import { UserForm } from './user-form.tsx'

const text = all.user

/** One user: who they are, how they get in, and what they are signed in with. */
export function UserDetails({ id, notice }: { id: string; notice: ComponentChildren }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const user = useLiveLoad((signal) => companyApi.users.get(id, { ...options, signal }), ['user'], [companyApi, id, options.onBehalfOf])
  const above = (
    <a href={hrefOf(`${path}/company/users`)}>
      {all.title} · {text.back}
    </a>
  )
  return (
    <LoadedPage title={all.title} above={above} of={user}>
      {(loaded) => <LoadedUser user={loaded} above={above} notice={notice} onSaved={user.set} />}
    </LoadedPage>
  )
}

interface LoadedUserProps {
  user: User
  above: ComponentChildren
  notice: ComponentChildren
  onSaved: (user: User) => void
}

function LoadedUser({ user, above, notice, onSaved }: LoadedUserProps) {
  const { companyApi, me, user: acting } = useActing()
  const { administers, sendsLinks } = useRights()
  const [dialog, setDialog] = useState<'link' | 'archive'>()
  const [linksMade, setLinksMade] = useState(0)
  const close = () => setDialog(undefined)
  const api = companyApi.as(user.id)
  const actions = (
    <>
      <Badge tone={user.role === 'PLAYER' ? 'plain' : 'accent'}>{shared.roles[user.role]}</Badge>
      {sendsLinks && (
        <Button look="primary" icon="link" onClick={() => setDialog('link')}>
          {accessText.link.action}
        </Button>
      )}
      {administers && (
        <Button look="danger" icon="archive" onClick={() => setDialog('archive')}>
          {text.archive}
        </Button>
      )}
    </>
  )
  return (
    <Page title={user.name} above={above} actions={actions}>
      {notice}
      <Section title={text.details}>
        <UserForm user={user} onSaved={onSaved} />
      </Section>
      {sendsLinks && <OpenLinks api={api} userId={user.id} made={linksMade} />}
      {(sendsLinks || acting.id === user.id) && <Tokens api={api} userId={user.id} name={user.name} currentId={me.token_id} />}
      {dialog === 'link' && (
        <SendLink
          api={api}
          name={user.name}
          publicUrl={me.public_url}
          onClose={() => {
            close()
            setLinksMade(linksMade + 1)
          }}
        />
      )}
      {dialog === 'archive' && <ArchiveUser user={user} onClose={close} />}
    </Page>
  )
}

function ArchiveUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    await companyApi.users.delete(user.id, options)
    tell(text.archived(user.name))
    navigate(`${path}/company/users`)
  })
  return (
    <Confirm
      title={text.archiveTitle(user.name)}
      action={text.archive}
      busy={busy}
      onConfirm={async () => {
        if (!(await run())) onClose()
      }}
      onClose={onClose}
    >
      <p>{text.archiveText(user.name)}</p>
    </Confirm>
  )
}
