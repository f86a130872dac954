import type { ApiKey, IssuedKey, Me } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { KeyList, nameOfKey } from '../../access/key-list.tsx'
import { RevokeKey } from '../../access/revoke-key.tsx'
import { ShownOnce } from '../../access/shown-once.tsx'
import { text as access } from '../../access/text.ts'
import { gh } from '../../data/client.ts'
import { curl } from '../../data/curl.ts'
import { useReturn } from '../../data/focus.ts'
import { usePages } from '../../data/pages.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { More } from '../../ui/more.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { text as all } from './text.ts'

const text = all.developer

/** The keys of a developer. A new one is shown once. */
export function DeveloperKeys({ id, me }: { id: string; me: Me }) {
  const api = gh.developer(id).adminKeys
  const [issued, setIssued] = useState<IssuedKey>()
  const [leaving, setLeaving] = useState<ApiKey>()
  const keys = usePages<ApiKey>((after, signal) => api.list({ limit: 50, sort: '-date_created', after }, { signal }), [id])
  useReturn(keys.reload)
  const { run, busy } = useAction(async () => {
    setIssued(await api.create())
    await keys.reload()
  })
  const issue = (
    <Button icon="key" busy={busy} onClick={() => void run()}>
      {text.issue}
    </Button>
  )
  const hasKeys = Boolean(keys.data?.items.length)
  return (
    <Section title={text.keys} actions={hasKeys && issue}>
      <Show of={keys}>
        {({ items }) =>
          items.length ? (
            <KeyList
              keys={items}
              currentId={me.key_id}
              actions={(key) => (
                <Button aria-label={access.keys.revokeOne(nameOfKey(key))} onClick={() => setLeaving(key)}>
                  {access.keys.revoke}
                </Button>
              )}
            />
          ) : (
            <Empty title={text.noKeys} action={issue} call={curl('POST', `/admin/developers/${id}/keys`)}>
              {text.noKeysText}
            </Empty>
          )
        }
      </Show>
      <More of={keys} />
      {issued && (
        <ShownOnce title={access.keys.shown} label={access.keys.label} secret={issued.key} onClose={() => setIssued(undefined)}>
          <p>{access.keys.shownText}</p>
        </ShownOnce>
      )}
      {leaving && (
        <RevokeKey
          apiKey={leaving}
          me={me}
          revoke={() => api.delete(leaving.id)}
          onRevoked={keys.reload}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  )
}
