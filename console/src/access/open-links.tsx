import type { UserHandle } from '@guildhall/client'
import { useReturn } from '../data/focus.ts'
import { useLoad } from '../data/load.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Section } from '../ui/page.tsx'
import { fullTime } from '../ui/time.tsx'
import { tell } from '../ui/toast.tsx'
import { text as all } from './text.ts'

const text = all.link

/** The links of a user that nobody has opened yet. Without any, nothing is shown. */
export function OpenLinks({ api, userId, made }: { api: UserHandle; userId: string; made: number }) {
  const links = useLoad((signal) => api.signInLinks.list({ limit: 100 }, { signal }), [userId, made])
  useReturn(links.reload)
  if (!links.data?.items.length) return null
  return (
    <Section title={text.open}>
      <ul class="rows">
        {links.data.items.map(({ id, date_expires }) => (
          <OpenLink key={id} time={fullTime(date_expires)} revoke={() => api.signInLinks.delete(id)} onRevoked={links.reload} />
        ))}
      </ul>
    </Section>
  )
}

function OpenLink({ time, revoke, onRevoked }: { time: string; revoke: () => Promise<void>; onRevoked: () => Promise<void> }) {
  const { run, busy } = useAction(async () => {
    await revoke()
    tell(text.revoked)
    await onRevoked()
  })
  return (
    <li class="row">
      <span>{text.openText(time)}</span>
      <div class="end">
        <Button busy={busy} aria-label={text.revokeOne(time)} onClick={() => void run()}>
          {text.revoke}
        </Button>
      </div>
    </li>
  )
}
