import type { Webhook, WebhookDelivery, WebhookDeliveryStatus } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { useReturn } from '../../../data/focus.ts'
import { useEvents } from '../../../data/live-list.ts'
import { useLiveLoad } from '../../../data/live-load.ts'
import { type Loaded, useLoad } from '../../../data/load.ts'
import { usePages } from '../../../data/pages.ts'
import { hrefOf, useQuery } from '../../../router.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadedPage } from '../../../ui/loaded-page.tsx'
import { Page, Show } from '../../../ui/page.tsx'
import { useRights } from '../rights.ts'
import { text as company } from '../text.ts'
import { ArchiveWebhook, DisableWebhook, EnableWebhook } from './changes.tsx'
import { Deliveries } from './deliveries.tsx'
import { Ping } from './ping.tsx'
import { DisabledNotice, FailingNotice, Progress } from './progress.tsx'
import { ReplayWebhook } from './replay.tsx'
import { Secrets } from './secrets.tsx'
import { WebhookSettings } from './settings.tsx'
import { WebhookSummary } from './summary.tsx'
import { text } from './text.ts'

/** Deliveries have no events of their own, so they are read again at this interval. */
const CHECK_EVERY_MS = 3000
const LIMIT = 10

/** One webhook: how far it is, what it sent, its secret and its settings. */
export function WebhookDetails({ id, notice }: { id: string; notice: ComponentChildren }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const webhook = useLiveLoad(
    (signal) => companyApi.webhooks.get(id, { ...options, signal }),
    ['webhook'],
    [companyApi, id, options.onBehalfOf],
  )
  const above = (
    <a href={hrefOf(`${path}/company/webhooks`)}>
      {company.title} · {text.back}
    </a>
  )
  return (
    <LoadedPage title={text.title} above={above} of={webhook}>
      {(loaded) => <LoadedWebhook webhook={loaded} of={webhook} above={above} notice={notice} />}
    </LoadedPage>
  )
}

interface LoadedWebhookProps {
  webhook: Webhook
  of: Loaded<Webhook>
  above: ComponentChildren
  notice: ComponentChildren
}

type Asked = 'archive' | 'disable' | 'enable' | 'replay'

function LoadedWebhook({ webhook, of, above, notice }: LoadedWebhookProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [asked, setAsked] = useState<Asked>()
  const [status, setStatus] = useQuery('status')
  const { id } = webhook
  const progress = useLoad((signal) => companyApi.webhooks.getProgress(id, { ...options, signal }), [companyApi, id, options.onBehalfOf])
  const deliveries = usePages<WebhookDelivery>(
    (after, signal) =>
      companyApi
        .webhook(id)
        .deliveries.list(
          { limit: LIMIT, sort: '-date_created', after, ...(status && { status: status as WebhookDeliveryStatus }) },
          { ...options, signal },
        ),
    [companyApi, id, status, options.onBehalfOf],
  )
  const refresh = async () => void (await Promise.all([progress.reload(), deliveries.reload()]))
  useReturn(refresh, CHECK_EVERY_MS)
  useEvents(['webhook'], refresh)
  const close = () => setAsked(undefined)
  const changed = async (after?: Webhook) => {
    close()
    if (after) of.set(after)
    await refresh()
  }
  const isEnabled = webhook.status === 'ENABLED'
  const actions = (
    <>
      <Ping webhook={webhook} />
      <Button look="danger" icon="archive" onClick={() => setAsked('archive')}>
        {text.actions.archive}
      </Button>
    </>
  )
  const changes = isEnabled && (
    <div class="row-actions">
      <Button onClick={() => setAsked('replay')}>{text.actions.replay}</Button>
      <Button onClick={() => setAsked('disable')}>{text.actions.disable}</Button>
    </div>
  )
  return (
    <Page title={webhook.name} above={above} actions={actions}>
      <WebhookSummary of={webhook} />
      {notice}
      {isEnabled ? <FailingNotice of={progress.data} /> : <DisabledNotice of={webhook} onEnable={() => setAsked('enable')} />}
      <Progress webhook={webhook} of={progress} actions={changes} />
      <Deliveries webhook={webhook} of={deliveries} status={status} onStatus={setStatus} onChanged={refresh} />
      <Show of={progress}>{({ secrets }) => <Secrets webhook={webhook} secrets={secrets} onRotated={refresh} />}</Show>
      <WebhookSettings webhook={webhook} onSaved={of.set} />
      {asked === 'archive' && <ArchiveWebhook webhook={webhook} onClose={close} />}
      {asked === 'disable' && <DisableWebhook webhook={webhook} onClose={close} onChanged={changed} />}
      {asked === 'enable' && <EnableWebhook webhook={webhook} progress={progress.data} onClose={close} onChanged={changed} />}
      {asked === 'replay' && <ReplayWebhook webhook={webhook} onClose={close} onReplayed={changed} />}
    </Page>
  )
}
