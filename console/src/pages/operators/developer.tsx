import type { Developer, Me } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { useReturn } from '../../data/focus.ts'
import { useLoad } from '../../data/load.ts'
import { hrefOf, navigate } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormCard } from '../../ui/form-card.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Origin } from '../../ui/origin.tsx'
import { Page, Section, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { DeveloperKeys } from './keys.tsx'
import { text as all } from './text.ts'

const text = all.developer

/** One developer: name, rights, keys, and the companies that they reach. */
export function DeveloperDetails({ id, me }: { id: string; me: Me }) {
  const developer = useLoad((signal) => gh.adminDevelopers.get(id, { signal }), [id])
  useReturn(developer.reload)
  const above = (
    <a href={hrefOf('/operators/developers')}>
      {all.title} · {text.back}
    </a>
  )
  return (
    <LoadedPage title={all.title} above={above} of={developer}>
      {(loaded) => <LoadedDeveloper developer={loaded} above={above} me={me} onSaved={developer.set} />}
    </LoadedPage>
  )
}

interface LoadedDeveloperProps {
  developer: Developer
  above: ComponentChildren
  me: Me
  onSaved: (developer: Developer) => void
}

function LoadedDeveloper({ developer, above, me, onSaved }: LoadedDeveloperProps) {
  const [isRemoving, setRemoving] = useState(false)
  const actions = (
    <>
      {developer.is_global_admin && <Badge tone="accent">{all.developers.globalAdmin}</Badge>}
      <Button look="danger" icon="trash" onClick={() => setRemoving(true)}>
        {text.remove}
      </Button>
    </>
  )
  return (
    <Page title={developer.name} above={above} actions={actions}>
      <Section title={text.details}>
        <DeveloperForm developer={developer} onSaved={onSaved} />
      </Section>
      <DeveloperKeys id={developer.id} me={me} />
      <Section title={text.companies}>
        <Grants developer={developer} />
      </Section>
      {isRemoving && <RemoveDeveloper developer={developer} onClose={() => setRemoving(false)} />}
    </Page>
  )
}

function DeveloperForm({ developer, onSaved }: { developer: Developer; onSaved: (developer: Developer) => void }) {
  const { name, is_global_admin } = developer
  const form = useForm({ name, is_global_admin }, async ({ changes, reset }) => {
    onSaved(await gh.adminDevelopers.update(developer.id, changes))
    reset()
    tell(shared.saved)
  })
  return (
    <FormCard of={form} facts={<Origin of={developer} words={text} />}>
      <TextField label={text.name} {...form.input('name')} />
      <Checkbox
        label={text.globalAdmin}
        hint={text.globalAdminHint}
        checked={form.values.is_global_admin}
        onChange={form.set('is_global_admin')}
      />
    </FormCard>
  )
}

const MAX_IDS = 100

function Grants({ developer: { companies } }: { developer: Developer }) {
  const ids = companies.slice(0, MAX_IDS).map(({ company_id }) => company_id)
  const names = useLoad(
    async (signal) => (ids.length ? (await gh.companies.list({ ids, limit: MAX_IDS }, { signal })).items : []),
    [ids.join()],
  )
  if (!companies.length) return <p class="quiet">{text.noCompanies}</p>
  return (
    <Show of={names}>
      {(found) => (
        <ul class="rows">
          {companies.slice(0, MAX_IDS).map(({ company_id, permission }) => {
            const company = found.find(({ id }) => id === company_id)
            return (
              <li key={company_id} class="row">
                <div class="row-main">
                  <span class="row-title">
                    {company ? <a href={hrefOf(`/c/${company_id}`)}>{company.name}</a> : <span>{text.unknownCompany}</span>}
                    <Badge>{shared.permissions[permission]}</Badge>
                  </span>
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </Show>
  )
}

function RemoveDeveloper({ developer, onClose }: { developer: Developer; onClose: () => void }) {
  const { run, busy } = useAction(async () => {
    await gh.adminDevelopers.delete(developer.id)
    tell(text.removed(developer.name))
    navigate('/operators/developers')
  })
  return (
    <ConfirmName
      title={text.removeTitle(developer.name)}
      name={developer.name}
      label={text.removeLabel}
      action={text.remove}
      busy={busy}
      onConfirm={async () => {
        if (!(await run())) onClose()
      }}
      onClose={onClose}
    >
      <p>{text.removeText}</p>
    </ConfirmName>
  )
}
