import type { Me } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { signOut } from '../../data/session.ts'
import { useStore } from '../../data/store.ts'
import type { PageProps } from '../../routes.tsx'
import { text as shared } from '../../text.ts'
import { type Theme, theme } from '../../theme.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { fullTime, relativeTime } from '../../ui/time.tsx'
import { DeveloperAccount } from './developer.tsx'
import { text } from './text.ts'
import { UserAccount } from './user.tsx'

/** The account page: the person who is signed in, the end of the session, and the keys. */
export default function Account({ me }: PageProps) {
  const badges = (
    <>
      <Badge>{text.kinds[me.kind]}</Badge>
      {me.developer?.is_global_admin && <Badge tone="accent">{text.globalAdmin}</Badge>}
      {me.user && <Badge tone="accent">{shared.roles[me.user.role]}</Badge>}
    </>
  )
  return (
    <Page title={me.developer?.name ?? me.user?.name ?? text.title} above={me.company?.name ?? text.title} actions={badges}>
      {me.developer && <DeveloperAccount me={me} />}
      {me.user && me.company && <UserAccount me={me} userId={me.user.id} companyId={me.company.id} />}
      <SessionPart me={me} />
      <Colors />
    </Page>
  )
}

function SessionPart({ me: { date_expires, developer, company, user } }: { me: Me }) {
  const { run, busy } = useAction(signOut)
  const [isAsking, setAsking] = useState(false)
  const everywhere = useAction(async () => {
    if (company && user) await gh.company(company.id).as(user.id).tokens.revoke()
    await signOut()
  })
  return (
    <Section title={text.session}>
      <div class="card">
        <p>{date_expires ? text.ends(relativeTime(date_expires), fullTime(date_expires)) : text.noEnd}</p>
        <p class="quiet">{developer ? text.endsWithKey : text.endsWithLink}</p>
        <div class="page-actions">
          <Button icon="out" busy={busy} onClick={() => void run()}>
            {text.signOut}
          </Button>
          {user && <Button onClick={() => setAsking(true)}>{text.everywhere.action}</Button>}
        </div>
      </div>
      {isAsking && (
        <Confirm
          title={text.everywhere.title}
          action={text.everywhere.action}
          busy={everywhere.busy}
          onConfirm={() => void everywhere.run()}
          onClose={() => setAsking(false)}
        >
          <p>{text.everywhere.text}</p>
        </Confirm>
      )}
    </Section>
  )
}

const THEMES: [Theme, string][] = [
  ['auto', shared.theme.auto],
  ['light', shared.theme.light],
  ['dark', shared.theme.dark],
]

function Colors() {
  const value = useStore(theme)
  return (
    <Section title={text.colors}>
      <div class="card">
        <Choice label={text.colorsLabel} value={value} options={THEMES} onChange={(next) => theme.set(next)} />
      </div>
    </Section>
  )
}
