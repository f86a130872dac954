import type { UserHandle, UserToken } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useReturn } from '../data/focus.ts'
import { usePages } from '../data/pages.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Badge } from '../ui/marks.tsx'
import { Section } from '../ui/page.tsx'
import { PagedList } from '../ui/paged-list.tsx'
import { Time } from '../ui/time.tsx'
import { tell } from '../ui/toast.tsx'
import { text as all } from './text.ts'

const text = all.tokens

interface TokensProps {
  api: UserHandle
  userId: string
  name: string
  /** The token of the present session, if it is one of these. */
  currentId: string | null
  /** The user's own account, which has a way of its own to end all of them. */
  isOwn?: boolean
}

/** The tokens and sessions of a user, which can be ended one by one or all at once. */
export function Tokens({ api, userId, name, currentId, isOwn = false }: TokensProps) {
  const [isAsking, setAsking] = useState(false)
  const tokens = usePages<UserToken>((after, signal) => api.tokens.list({ limit: 50, after, sort: '-date_created' }, { signal }), [userId])
  useReturn(tokens.reload)
  const revokeAll = useAction(async () => {
    const { revoked } = await api.tokens.revoke()
    setAsking(false)
    tell(text.revokedAll(revoked))
    await tokens.reload()
  })
  return (
    <Section
      title={isOwn ? text.titleOfOwn : text.title}
      actions={!isOwn && Boolean(tokens.data?.items.length) && <Button onClick={() => setAsking(true)}>{text.revokeAll}</Button>}
    >
      <PagedList
        of={tokens}
        row={(token) => <TokenRow key={token.id} token={token} isCurrent={token.id === currentId} api={api} onRevoked={tokens.reload} />}
        empty={<p class="quiet">{text.none}</p>}
      />
      {isAsking && (
        <Confirm
          title={text.revokeAllTitle}
          action={text.revokeAll}
          busy={revokeAll.busy}
          onConfirm={() => void revokeAll.run()}
          onClose={() => setAsking(false)}
        >
          <p>{text.revokeAllText(name)}</p>
        </Confirm>
      )}
    </Section>
  )
}

interface TokenRowProps {
  token: UserToken
  isCurrent: boolean
  api: UserHandle
  onRevoked: () => Promise<void>
}

function TokenRow({ token, isCurrent, api, onRevoked }: TokenRowProps) {
  const name = token.label ?? text.unnamed[token.kind]
  const { run, busy } = useAction(async () => {
    await api.tokens.delete(token.id)
    tell(text.revoked)
    await onRevoked()
  })
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <strong>{name}</strong>
          <Badge>{text.kinds[token.kind]}</Badge>
          {isCurrent && <Badge tone="accent">{text.current}</Badge>}
        </span>
        <span class="quiet facts">
          <span>{text.scopes[token.scope]}</span>
          <span>
            {text.lastUsed} {token.date_last_used ? <Time at={token.date_last_used} /> : all.keys.unused}
          </span>
          <span>
            {text.until} <Time at={token.date_expires} look="full" />
          </span>
        </span>
      </div>
      <div class="end row-actions">
        <Button busy={busy} aria-label={text.revokeOne(name)} onClick={() => void run()}>
          {text.revoke}
        </Button>
      </div>
    </li>
  )
}
