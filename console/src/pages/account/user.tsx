import type { Me, User, UserPatch } from '@guildhall/client'
import { Tokens } from '../../access/tokens.tsx'
import { gh } from '../../data/client.ts'
import { useReturn } from '../../data/focus.ts'
import { useLoad } from '../../data/load.ts'
import { findSession } from '../../data/session.ts'
import { text as shared } from '../../text.ts'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { Section, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

/** The account of a user: their name, and what they are signed in with. */
export function UserAccount({ me, companyId, userId }: { me: Me; companyId: string; userId: string }) {
  const company = gh.company(companyId)
  const user = useLoad((signal) => company.users.get(userId, { signal }), [companyId, userId])
  useReturn(user.reload)
  return (
    <>
      <Section title={text.you}>
        <Show of={user}>
          {(data) => <OwnForm user={data} save={async (patch) => user.set(await company.users.update(userId, patch))} />}
        </Show>
      </Section>
      <Tokens api={company.as(userId)} userId={userId} name={me.user?.name ?? ''} currentId={me.token_id} isOwn />
    </>
  )
}

function OwnForm({ user, save }: { user: User; save: (patch: UserPatch) => Promise<void> }) {
  const form = useForm({ name: user.name, email: user.email ?? '' }, async ({ changes: { name, email }, reset }) => {
    await save({ ...(name !== undefined && { name }), ...(email !== undefined && { email: email || null }) })
    await findSession()
    reset()
    tell(shared.saved)
  })
  return (
    <FormCard of={form}>
      <div class="form-row">
        <TextField label={text.name} {...form.input('name')} />
        <TextField label={text.email} hint={text.emailHint} {...form.input('email')} />
      </div>
    </FormCard>
  )
}
