import type { Member, MemberRole, Role } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Select } from '../../ui/field.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Section } from '../../ui/page.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { text } from './text.ts'

const ROLES: readonly (readonly [MemberRole, string])[] = [
  ['PLAYER', shared.roles.PLAYER],
  ['STORYTELLER', shared.roles.STORYTELLER],
]

/** The members of the campaign. Storytellers change their roles and invite others. */
export function Members() {
  const { members, isStoryteller, api, reload } = useCampaign()
  const roles = useCompanyRoles()
  // Nobody is offered a role that the service would refuse, also while the roles in the company are loading, or if they cannot be read.
  const mayLead = ({ user_id }: Member) => (roles?.get(user_id) ?? 'PLAYER') !== 'PLAYER'
  const [isInviting, setInviting] = useState(false)
  const [removed, setRemoved] = useState<Member>()
  const remove = useAction(async (member: Member) => {
    await api.members.delete(member.user_id)
    setRemoved(undefined)
    await reload()
  })
  return (
    <Section
      title={text.members.title}
      class="table-part"
      actions={
        isStoryteller && (
          <Button look="quiet" onClick={() => setInviting(true)}>
            {text.members.invite}
          </Button>
        )
      }
    >
      <ul class="members">
        {members.map((member) => (
          <MemberRow key={member.user_id} member={member} mayLead={mayLead(member)} onRemove={setRemoved} />
        ))}
      </ul>
      {isStoryteller && members.some(({ user_id }) => roles?.get(user_id) === 'PLAYER') && <p class="hint">{text.members.onlyPlayers}</p>}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {removed && (
        <Confirm
          title={text.members.removeTitle}
          action={text.members.removeAction}
          busy={remove.busy}
          onConfirm={() => remove.run(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{text.members.removeText(removed.name)}</p>
        </Confirm>
      )}
    </Section>
  )
}

/** The maximum number of ids in one request. */
const MAX_IDS = 100

/** The roles of the members in the company, for storytellers. Undefined until they are known. */
function useCompanyRoles(): ReadonlyMap<string, Role> | undefined {
  const { companyApi, user } = useActing()
  const { members, isStoryteller } = useCampaign()
  const ids = isStoryteller ? members.map(({ user_id }) => user_id) : []
  const users = useLiveLoad(
    async (signal) => {
      const read = (part: string[]) => companyApi.users.list({ ids: part, limit: MAX_IDS }, { signal, onBehalfOf: user.id })
      const parts = Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, i) => ids.slice(i * MAX_IDS, (i + 1) * MAX_IDS))
      return (await Promise.all(parts.map(read))).flatMap(({ items }) => items)
    },
    ['user'],
    [companyApi, user.id, ids.join()],
  )
  return users.data && new Map(users.data.map(({ id, role }) => [id, role]))
}

interface MemberRowProps {
  member: Member
  /** The member's role in the company lets them become a storyteller of the campaign. Users with the role PLAYER cannot. */
  mayLead: boolean
  onRemove: (member: Member) => void
}

function MemberRow({ member, mayLead, onRemove }: MemberRowProps) {
  const { user } = useActing()
  const { campaign, isStoryteller, api, reload } = useCampaign()
  const { user_id, name, role } = member
  const { run, busy } = useAction(async (next: MemberRole) => {
    try {
      await api.members.set(user_id, { role: next })
    } finally {
      await reload()
    }
  })
  const isOwner = campaign.user_id === user_id
  return (
    <li class="member" aria-busy={busy || undefined}>
      <Initials name={name} />
      <div class="member-name">
        <span>
          {name}
          {user_id === user.id && <span class="quiet"> ({text.members.you})</span>}
        </span>
        {isStoryteller && !isOwner && (mayLead || role !== 'PLAYER') ? (
          <Select label={text.members.role(name)} isLabelHidden value={role} options={ROLES} onChange={run} disabled={busy} />
        ) : (
          <Badge tone={role === 'STORYTELLER' ? 'accent' : 'plain'}>{shared.roles[role]}</Badge>
        )}
      </div>
      {isStoryteller && !isOwner && <IconButton label={text.members.remove(name)} icon="close" onClick={() => onRemove(member)} />}
    </li>
  )
}
