import type { DeveloperListItem, Me } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { gh } from '../../data/client.ts'
import { useReturn } from '../../data/focus.ts'
import { usePages } from '../../data/pages.ts'
import { hrefOf, navigate } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Empty } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Time } from '../../ui/time.tsx'
import { tell } from '../../ui/toast.tsx'
import { text as all } from './text.ts'

const text = all.developers
const words = all.developer

/** All developers of the service. */
export function Developers({ me }: { me: Me }) {
  const [q, setQ] = useState('')
  const [isAdding, setAdding] = useState(false)
  const developers = usePages<DeveloperListItem>(
    (after, signal) => gh.adminDevelopers.list({ limit: 50, sort: 'name', after, ...(q.trim() && { q: q.trim() }) }, { signal }),
    [q.trim()],
  )
  useReturn(developers.reload)
  return (
    <>
      <div class="toolbar">
        <TextField label={text.search} type="search" value={q} onInput={setQ} />
        <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
          {text.add}
        </Button>
      </div>
      <PagedList
        of={developers}
        count={text.count}
        row={(developer) => <DeveloperRow key={developer.id} developer={developer} isSelf={developer.id === me.developer?.id} />}
        empty={<Empty title={text.none}>{text.noneText}</Empty>}
      />
      {isAdding && <AddDeveloper onClose={() => setAdding(false)} />}
    </>
  )
}

function DeveloperRow({ developer, isSelf }: { developer: DeveloperListItem; isSelf: boolean }) {
  const { id, name, is_global_admin, companies_total, date_created } = developer
  return (
    <li class="row">
      <Initials name={name} />
      <div class="row-main">
        <span class="row-title">
          <a href={hrefOf(`/operators/developers/${id}`)}>{name}</a>
          {is_global_admin && <Badge tone="accent">{text.globalAdmin}</Badge>}
          {isSelf && <Badge>{text.you}</Badge>}
        </span>
        <span class="quiet facts">
          <span>{text.companies(companies_total)}</span>
          <span>
            {text.since} <Time at={date_created} />
          </span>
        </span>
      </div>
    </li>
  )
}

function AddDeveloper({ onClose }: { onClose: () => void }) {
  const form = useForm({ name: '', is_global_admin: false }, async ({ values }) => {
    const developer = await gh.adminDevelopers.create(values)
    tell(text.added(developer.name))
    navigate(`/operators/developers/${developer.id}`)
  })
  return (
    <FormDialog title={text.add} action={text.add} of={form} onClose={onClose}>
      <TextField label={words.name} {...form.input('name')} autofocus />
      <Checkbox
        label={words.globalAdmin}
        hint={words.globalAdminHint}
        checked={form.values.is_global_admin}
        onChange={form.set('is_global_admin')}
      />
    </FormDialog>
  )
}
