import type { ApiKey, Me } from '@guildhall/client'
import { useAction } from '../ui/action.ts'
import { Confirm } from '../ui/dialog.tsx'
import { tell } from '../ui/toast.tsx'
import { nameOfKey } from './key-list.tsx'
import { text as all } from './text.ts'

const text = all.keys

interface RevokeKeyProps {
  apiKey: ApiKey
  me: Me
  revoke: () => Promise<void>
  onRevoked: () => Promise<void>
  onClose: () => void
}

/** Asks before a key ends, and says if the present session ends with it. */
export function RevokeKey({ apiKey, me, revoke, onRevoked, onClose }: RevokeKeyProps) {
  const { run, busy } = useAction(async () => {
    await revoke()
    tell(text.revoked)
    await onRevoked()
  })
  return (
    <Confirm title={text.revokeTitle} action={text.revoke} busy={busy} onConfirm={() => void run().then(onClose)} onClose={onClose}>
      <p>
        <code>{nameOfKey(apiKey)}</code>
      </p>
      <p>{text.revokeText}</p>
      {apiKey.id === me.key_id && <p class="notice">{text.revokeSelf}</p>}
    </Confirm>
  )
}
