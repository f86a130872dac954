import type { Role, UserListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { SendLink } from '../../access/send-link.tsx'
import { text as accessText } from '../../access/text.ts'
import { useActing } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLivePages } from '../../data/pages.ts'
import { hrefOf } from '../../router.ts'
import { text as shared } from '../../text.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Empty } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { AddUser } from './add-user.tsx'
import { useRights } from './rights.ts'
import { text as all } from './text.ts'

const text = all.users
const ROLES = [['', text.anyRole], ...Object.entries(shared.roles)] as [Role | '', string][]

/** The users of the company. Players see names and roles. */
export function Users() {
  const { companyApi, me } = useActing()
  const { options, knowsIdentities, sendsLinks } = useRights()
  const [q, setQ] = useState('')
  const [role, setRole] = useState<Role | ''>('')
  const [isAdding, setAdding] = useState(false)
  const [linked, setLinked] = useState<UserListItem>()
  const users = useLivePages<UserListItem>(
    (after, signal) =>
      companyApi.users.list(
        { limit: 50, sort: 'name', after, ...(q.trim() && { q: q.trim() }), ...(role && { role }) },
        { ...options, signal },
      ),
    ['user'],
    [companyApi, q.trim(), role, options.onBehalfOf],
  )
  const add = knowsIdentities && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <>
      <div class="toolbar">
        <TextField label={text.search} type="search" value={q} onInput={setQ} />
        <Select label={text.role} value={role} options={ROLES} onChange={setRole} />
        {add}
      </div>
      <PagedList
        of={users}
        count={text.count}
        row={(user) => <UserRow key={user.id} user={user} onLink={sendsLinks ? () => setLinked(user) : undefined} />}
        empty={<NoUsers isFiltered={Boolean(q.trim() || role)} add={add} />}
      />
      {isAdding && <AddUser onClose={() => setAdding(false)} onAdded={users.reload} />}
      {linked && (
        <SendLink api={companyApi.as(linked.id)} name={linked.name} publicUrl={me.public_url} onClose={() => setLinked(undefined)} />
      )}
    </>
  )
}

function NoUsers({ isFiltered, add }: { isFiltered: boolean; add: preact.ComponentChildren }) {
  const { company } = useActing()
  if (isFiltered) return <Empty title={text.none}>{text.noneText}</Empty>
  const call = curl('POST', `/companies/${company.id}/users`, { name: 'Mina Harker', role: 'PLAYER' })
  return (
    <Empty title={text.empty} action={add} call={call}>
      {text.emptyText}
    </Empty>
  )
}

function UserRow({ user, onLink }: { user: UserListItem; onLink: (() => void) | undefined }) {
  const { path, user: acting } = useActing()
  const { knowsIdentities, sendsLinks } = useRights()
  const isSelf = user.id === acting.id
  return (
    <li class="row">
      <Initials name={user.name} />
      <div class="row-main">
        <span class="row-title">
          {knowsIdentities || sendsLinks || isSelf ? (
            <a href={hrefOf(`${path}/company/users/${user.id}`)}>{user.name}</a>
          ) : (
            <strong>{user.name}</strong>
          )}
          <Badge tone={user.role === 'PLAYER' ? 'plain' : 'accent'}>{shared.roles[user.role]}</Badge>
          {isSelf && <Badge>{text.you}</Badge>}
        </span>
        {user.email && <span class="quiet">{user.email}</span>}
      </div>
      {onLink && (
        <div class="end">
          <Button icon="link" aria-label={accessText.link.actionFor(user.name)} onClick={onLink}>
            {accessText.link.action}
          </Button>
        </div>
      )}
    </li>
  )
}
