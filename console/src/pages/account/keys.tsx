import type { ApiKey, IssuedKey, Me } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { KeyList, nameOfKey } from '../../access/key-list.tsx'
import { RevokeKey } from '../../access/revoke-key.tsx'
import { ShownOnce } from '../../access/shown-once.tsx'
import { text as access } from '../../access/text.ts'
import { gh } from '../../data/client.ts'
import { useReturn } from '../../data/focus.ts'
import { usePages } from '../../data/pages.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { More } from '../../ui/more.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The keys of the developer who is signed in. */
export function OwnKeys({ me }: { me: Me }) {
  const [rotating, setRotating] = useState<ApiKey>()
  const [leaving, setLeaving] = useState<ApiKey>()
  const keys = usePages<ApiKey>((after, signal) => gh.keys.list({ limit: 50, sort: '-date_created', after }, { signal }), [])
  useReturn(keys.reload)
  const actions = (key: ApiKey) => (
    <>
      {!key.date_expires && (
        <Button aria-label={access.keys.rotateOne(nameOfKey(key))} onClick={() => setRotating(key)}>
          {access.keys.rotate}
        </Button>
      )}
      <Button aria-label={access.keys.revokeOne(nameOfKey(key))} onClick={() => setLeaving(key)}>
        {access.keys.revoke}
      </Button>
    </>
  )
  return (
    <Section title={text.keys}>
      <p class="lead">{text.keysText}</p>
      <Show of={keys}>
        {({ items }) =>
          items.length ? (
            <KeyList keys={items} currentId={me.key_id} actions={actions} />
          ) : (
            <Empty title={text.noKeys}>{text.noKeysText}</Empty>
          )
        }
      </Show>
      <More of={keys} />
      {rotating && <RotateKey apiKey={rotating} me={me} onRotated={keys.reload} onClose={() => setRotating(undefined)} />}
      {leaving && (
        <RevokeKey
          apiKey={leaving}
          me={me}
          revoke={() => gh.keys.delete(leaving.id)}
          onRevoked={keys.reload}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  )
}

interface RotateKeyProps {
  apiKey: ApiKey
  me: Me
  onRotated: () => Promise<void>
  onClose: () => void
}

type Overlap = (typeof access.keys.overlaps)[number][0]

function RotateKey({ apiKey, me, onRotated, onClose }: RotateKeyProps) {
  const [issued, setIssued] = useState<IssuedKey>()
  const form = useForm({ overlap_seconds: '86400' as Overlap }, async ({ values }) =>
    setIssued(await gh.keys.rotate(apiKey.id, { overlap_seconds: Number(values.overlap_seconds) })),
  )
  const close = () => {
    onClose()
    // The list is read only now: if the session ended with the old key, reading it would replace the page before the new key is stored.
    void onRotated()
  }
  if (issued)
    return (
      <ShownOnce title={access.keys.shown} label={access.keys.label} secret={issued.key} onClose={close}>
        <p>{access.keys.shownText}</p>
      </ShownOnce>
    )
  return (
    <FormDialog title={access.keys.rotateTitle} action={access.keys.rotate} of={form} onClose={onClose}>
      <p>
        <code>{nameOfKey(apiKey)}</code>
      </p>
      <p>{access.keys.rotateText}</p>
      <Select label={access.keys.overlap} options={access.keys.overlaps} {...form.select('overlap_seconds')} />
      {apiKey.id === me.key_id && <p class="notice">{access.keys.rotateEnds}</p>}
    </FormDialog>
  )
}
