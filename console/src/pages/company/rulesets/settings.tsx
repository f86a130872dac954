import type { Ruleset } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { text as shared } from '../../../text.ts'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormCard } from '../../../ui/form-card.tsx'
import { Origin } from '../../../ui/origin.tsx'
import { Section } from '../../../ui/page.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text as all } from './text.ts'

const text = all.settings

/** The name and the description of a ruleset, which can be changed. */
export function RulesetSettings({ ruleset, onSaved }: { ruleset: Ruleset; onSaved: (ruleset: Ruleset) => void }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { name, description } = ruleset
  const form = useForm({ name, description: description ?? '' }, async ({ changes, reset }) => {
    const patch = { ...changes, ...(changes.description === '' && { description: null }) }
    onSaved(await companyApi.rulesets.update(ruleset.id, patch, options))
    reset()
    tell(shared.saved)
  })
  return (
    <Section title={text.title}>
      <FormCard of={form} facts={<Origin of={ruleset} words={text} />}>
        <TextField label={text.name} maxlength={100} {...form.input('name')} />
        <TextArea label={text.description} rows={3} maxlength={2000} {...form.input('description')} />
      </FormCard>
    </Section>
  )
}
