import type { Grant, Permission } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { useLivePages } from '../../data/pages.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Section } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Time } from '../../ui/time.tsx'
import { tell } from '../../ui/toast.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.grants
const PERMISSIONS = Object.entries(shared.permissions) as [Permission, string][]

/** The developers whose keys reach the company. */
export function Grants() {
  const { companyApi } = useActing()
  const { options, owns } = useRights()
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Grant>()
  const grants = useLivePages<Grant>(
    (after, signal) => companyApi.grants.list({ limit: 50, sort: 'name', after }, { ...options, signal }),
    ['grant'],
    [companyApi, options.onBehalfOf],
  )
  const add = owns && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <Section title={text.title} actions={add}>
      <p class="lead">
        {text.text} {!owns && text.onlyOwners}
      </p>
      <PagedList
        of={grants}
        row={(grant) => <GrantRow key={grant.id} grant={grant} onChanged={grants.reload} onRemove={() => setLeaving(grant)} />}
        empty={null}
      />
      {isAdding && <AddGrant onClose={() => setAdding(false)} onAdded={grants.reload} />}
      {leaving && <RemoveGrant grant={leaving} onClose={() => setLeaving(undefined)} onRemoved={grants.reload} />}
    </Section>
  )
}

function GrantRow({ grant, onChanged, onRemove }: { grant: Grant; onChanged: () => Promise<void>; onRemove: () => void }) {
  const { companyApi, me } = useActing()
  const { options, owns } = useRights()
  const { run, busy } = useAction(async (permission: Permission) => {
    try {
      await companyApi.grants.set(grant.id, { permission }, options)
      tell(text.changed(grant.name))
    } finally {
      // A refused change must not stay in the control.
      await onChanged()
    }
  })
  return (
    <li class="row">
      <Initials name={grant.name} />
      <div class="row-main">
        <span class="row-title">
          <strong>{grant.name}</strong>
          {grant.id === me.developer?.id && <Badge>{text.you}</Badge>}
        </span>
        <span class="quiet">
          {text.since} <Time at={grant.date_created} />
        </span>
      </div>
      <div class="end row-actions">
        {owns ? (
          <>
            <Select
              key={grant.version}
              label={text.permissionOf(grant.name)}
              isLabelHidden
              value={grant.permission}
              options={PERMISSIONS}
              disabled={busy}
              onChange={(permission) => void run(permission)}
            />
            <Button aria-label={text.removeOne(grant.name)} onClick={onRemove}>
              {text.remove}
            </Button>
          </>
        ) : (
          <Badge>{shared.permissions[grant.permission]}</Badge>
        )}
      </div>
    </li>
  )
}

function AddGrant({ onClose, onAdded }: { onClose: () => void; onAdded: () => Promise<void> }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const form = useForm({ id: '', permission: 'USER' as Permission }, async ({ values: { id, permission } }) => {
    const grant = await companyApi.grants.set(id.trim(), { permission }, options)
    tell(text.added(grant.name))
    onClose()
    await onAdded()
  })
  return (
    <FormDialog title={text.add} action={text.add} of={form} onClose={onClose}>
      <TextField label={text.id} hint={text.addText} {...form.input('id')} required spellcheck={false} autofocus />
      <Choice label={text.permission} value={form.values.permission} options={text.permissions} onChange={form.set('permission')} />
    </FormDialog>
  )
}

function RemoveGrant({ grant, onClose, onRemoved }: { grant: Grant; onClose: () => void; onRemoved: () => Promise<void> }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    await companyApi.grants.delete(grant.id, options)
    tell(text.removed(grant.name))
    await onRemoved()
  })
  return (
    <Confirm
      title={text.removeTitle(grant.name)}
      action={text.remove}
      busy={busy}
      onConfirm={() => void run().then(onClose)}
      onClose={onClose}
    >
      <p>{text.removeText}</p>
    </Confirm>
  )
}
