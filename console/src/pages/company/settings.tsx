import type { CampaignCreation, CompanyPatch, DefaultUserRole } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { gh } from '../../data/client.ts'
import { navigate } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { type Form, useForm } from '../../ui/form.ts'
import { FormProblem, submit } from '../../ui/form-problem.tsx'
import { Section } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.settings

interface Values {
  name: string
  description: string
  email: string
  external_id: string
  campaign_creation: CampaignCreation
  default_user_role: DefaultUserRole
}

/** The company as one form. Texts that are emptied are removed. */
function patchOf({ name, campaign_creation, default_user_role, ...texts }: Partial<Values>): CompanyPatch {
  const settings = { ...(campaign_creation && { campaign_creation }), ...(default_user_role && { default_user_role }) }
  return {
    ...(name !== undefined && { name }),
    ...Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, value || null])),
    ...(Object.keys(settings).length > 0 && { settings }),
  }
}

/** The name and the settings of the company, and the button that archives it. */
export function Settings() {
  const { company, user } = useActing()
  const { options, owns, couldOwn } = useRights()
  const form = useForm<Values>(
    {
      name: company.name,
      description: company.description ?? '',
      email: company.email ?? '',
      external_id: company.external_id ?? '',
      ...company.settings,
    },
    async ({ changes }) => {
      await gh.companies.update(company.id, patchOf(changes), options)
      tell(shared.saved)
    },
  )
  return (
    <>
      {!owns && <p class="notice">{couldOwn ? text.locked(user.name) : text.readOnly}</p>}
      <form noValidate onSubmit={submit(form)}>
        <About form={form} />
        <Play form={form} />
        <FormProblem of={form} />
        {owns && (
          <div class="form-end section">
            <p class="quiet">
              {text.id} <code>{company.id}</code>
            </p>
            <Button type="submit" look="primary" busy={form.busy} disabled={!form.isChanged}>
              {shared.save}
            </Button>
          </div>
        )}
      </form>
      <Metadata />
      {owns && <ArchiveCompany />}
    </>
  )
}

function About({ form: { input } }: { form: Form<Values> }) {
  const { owns } = useRights()
  return (
    <Section title={text.about}>
      <div class="form card">
        <TextField label={text.name} {...input('name')} disabled={!owns} />
        <TextArea label={text.description} {...input('description')} rows={3} disabled={!owns} />
        <div class="form-row">
          <TextField label={text.email} {...input('email')} disabled={!owns} />
          <TextField label={text.externalId} hint={text.externalIdHint} {...input('external_id')} disabled={!owns} />
        </div>
      </div>
    </Section>
  )
}

function Play({ form: { values, set } }: { form: Form<Values> }) {
  const { owns } = useRights()
  return (
    <Section title={text.play}>
      <div class="form card">
        <Choice
          label={text.creation}
          value={values.campaign_creation}
          options={text.creations}
          onChange={set('campaign_creation')}
          disabled={!owns}
        />
        <Choice
          label={text.defaultRole}
          value={values.default_user_role}
          options={text.defaultRoles}
          onChange={set('default_user_role')}
          disabled={!owns}
        />
      </div>
    </Section>
  )
}

/** The keys of metadata that the console keeps for itself begin with this. */
const OWN_METADATA = 'guildhall_'

function Metadata() {
  const entries = Object.entries(useActing().company.metadata).filter(([key]) => !key.startsWith(OWN_METADATA))
  if (!entries.length) return null
  return (
    <Section title={text.metadata}>
      <dl class="card values">
        {entries.map(([key, value]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function ArchiveCompany() {
  const { company } = useActing()
  const { options } = useRights()
  const [isAsking, setAsking] = useState(false)
  const { run, busy } = useAction(async () => {
    await gh.companies.delete(company.id, options)
    tell(all.archive.done(company.name))
    navigate('/')
  })
  return (
    <Section title={all.archive.title}>
      <div class="card danger-zone">
        <p>{all.archive.text}</p>
        <Button look="danger" icon="archive" onClick={() => setAsking(true)}>
          {all.archive.action}
        </Button>
      </div>
      {isAsking && (
        <ConfirmName
          title={all.archive.confirmTitle(company.name)}
          name={company.name}
          label={all.archive.confirm}
          action={all.archive.action}
          busy={busy}
          onConfirm={() => void run()}
          onClose={() => setAsking(false)}
        >
          <p>{all.archive.text}</p>
        </ConfirmName>
      )}
    </Section>
  )
}
