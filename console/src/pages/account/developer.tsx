import type { Me } from '@guildhall/client'
import { gh } from '../../data/client.ts'
import { findSession } from '../../data/session.ts'
import { text as shared } from '../../text.ts'
import { CopyField } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { Section } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { OwnKeys } from './keys.tsx'
import { text } from './text.ts'

/** The account of a developer: their name, their id, and their keys. */
export function DeveloperAccount({ me }: { me: Me }) {
  const { id, name } = me.developer as NonNullable<Me['developer']>
  const form = useForm({ name }, async ({ changes, reset }) => {
    await gh.account.update(changes)
    await findSession()
    reset()
    tell(shared.saved)
  })
  return (
    <>
      <Section title={text.you}>
        <FormCard of={form}>
          <TextField label={text.name} {...form.input('name')} />
          <CopyField label={text.id} value={id} hint={text.idHint} />
        </FormCard>
      </Section>
      <OwnKeys me={me} />
    </>
  )
}
