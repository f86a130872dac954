import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { hrefOf } from '../../router.ts'
import { type PlayedRuleset, useRuleset } from '../../rules/use-ruleset.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Fact } from '../../ui/fact.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { ChooseRuleset } from './choose.tsx'
import { text } from './text.ts'

/** The ruleset that the campaign is played by. Storytellers choose it; everybody reads who wrote it. */
export default function Rules() {
  const { campaign, path, isStoryteller } = useCampaign()
  const ruleset = useRuleset()
  const [open, setOpen] = useState<'choose' | 'remove'>()
  const close = () => setOpen(undefined)
  const actions = isStoryteller && ruleset.data && (
    <>
      <Button icon="edit" onClick={() => setOpen('choose')}>
        {text.change}
      </Button>
      <Button icon="trash" onClick={() => setOpen('remove')}>
        {text.remove}
      </Button>
    </>
  )
  return (
    <Page title={text.title} above={<a href={hrefOf(path)}>{campaign.name}</a>} actions={actions}>
      <Show of={ruleset}>
        {(played) =>
          played ? (
            <Played of={played} />
          ) : (
            <Empty
              title={text.none}
              action={
                isStoryteller && (
                  <Button look="primary" onClick={() => setOpen('choose')}>
                    {text.choose}
                  </Button>
                )
              }
              call={isStoryteller && curl('PUT', `${path}/ruleset`, { version_id: '…', mode: 'STRICT' })}
            >
              {isStoryteller ? text.noneTeller : text.noneReader}
            </Empty>
          )
        }
      </Show>
      {open === 'choose' && <ChooseRuleset played={ruleset.data ?? undefined} onClose={close} />}
      {open === 'remove' && <RemoveRuleset onClose={close} />}
    </Page>
  )
}

function Played({ of: { version } }: { of: PlayedRuleset }) {
  const { path } = useActing()
  const { campaign } = useCampaign()
  const { game, number, status, license, attribution, source_url, source_changes, ruleset_id } = version
  const [, mode, meaning] = text.modes.find(([value]) => value === campaign.ruleset_mode) ?? text.modes[0]
  return (
    <section class="card played" aria-label={game ?? text.title}>
      <header>
        <h2>{game}</h2>
        <Badge tone="good">{text.version(number)}</Badge>
        {status === 'RETIRED' && <Badge>{text.retired}</Badge>}
        <Badge tone="accent">{mode}</Badge>
      </header>
      <p>{meaning}</p>
      {attribution && <p class="quiet">{attribution}</p>}
      <dl class="played-facts">
        {license && <Fact label={text.license}>{license}</Fact>}
        {source_url && (
          <Fact label={text.source}>
            {/^https?:/.test(source_url) ? (
              <a href={source_url} target="_blank" rel="noopener">
                {source_url}
              </a>
            ) : (
              source_url
            )}
          </Fact>
        )}
        {source_changes && <Fact label={text.changes}>{source_changes}</Fact>}
      </dl>
      <p>
        <a href={hrefOf(`${path}/company/rulesets/${ruleset_id}`)}>{text.open}</a>
      </p>
    </section>
  )
}

function RemoveRuleset({ onClose }: { onClose: () => void }) {
  const { api, reload } = useCampaign()
  const { run, busy } = useAction(async () => {
    await api.rulesets.delete()
    tell(text.removal.done)
    onClose()
    await reload()
  })
  return (
    <Confirm title={text.removal.title} action={text.remove} busy={busy} onConfirm={() => void run()} onClose={onClose}>
      <p>{text.removal.text}</p>
    </Confirm>
  )
}
