import type { Tracker as TrackerData } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { Tracker } from '../../play/tracker.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { Screen } from './screen.tsx'
import { text } from './text.ts'
import { TrackerDialog } from './tracker-dialog.tsx'
import type { TableCharacter } from './use-characters.ts'
import { useTrackers } from './use-trackers.ts'

type Open = { what: 'add' | 'reset' } | { what: 'change' | 'remove'; tracker: TrackerData } | undefined

const SAMPLE_CLOCK = { label: 'Doom', value: 0, maximum: 6, style: 'CLOCK' }

/** The clocks and other trackers of the campaign. Storytellers add, change and delete them, and have some behind their screen. */
export function Clocks({ characters = [] }: { characters: readonly TableCharacter[] | undefined }) {
  const { api, isStoryteller, campaign, path } = useCampaign()
  const trackers = useTrackers()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const remove = useAction(async (key: string) => {
    await api.trackers.delete(key)
    close()
  })
  const reset = useAction(async (keys?: string[]) => {
    for (const tracker of (await api.trackers.reset(keys ? { keys } : {})).items) trackers.replace(tracker)
    close()
  })
  const add = (
    <Button icon="plus" onClick={() => setOpen({ what: 'add' })}>
      {text.clocks.add}
    </Button>
  )
  const isHidden = ({ visibility }: { visibility: string }) => visibility === 'STORYTELLER'
  const unseen = isStoryteller ? characters.filter((each) => isHidden(each) && each.status === 'ACTIVE') : []
  const listOf = (items: readonly TrackerData[], isMarked: boolean) => (
    <ul class="clocks">
      {items.map((tracker) => (
        <li key={tracker.id} class={tracker.style === 'CLOCK' ? undefined : 'is-line'}>
          <Tracker
            tracker={tracker}
            isMarked={isMarked}
            onMove={trackers.mayMove(tracker) ? (change) => trackers.move(tracker, change) : undefined}
          />
          {isStoryteller && (
            <IconButton label={text.clocks.change(tracker.label)} icon="edit" onClick={() => setOpen({ what: 'change', tracker })} />
          )}
        </li>
      ))}
    </ul>
  )
  const secret = trackers.data?.filter(isHidden) ?? []
  return (
    <>
      <Section
        title={text.clocks.title}
        class="table-part"
        actions={
          isStoryteller && trackers.data && trackers.data.length > 0 ? (
            <span class="part-actions">
              <IconButton label={text.clocks.resetAll} icon="undo" onClick={() => setOpen({ what: 'reset' })} />
              <IconButton label={text.clocks.add} icon="plus" onClick={() => setOpen({ what: 'add' })} />
            </span>
          ) : undefined
        }
      >
        <Show of={trackers}>
          {(items) =>
            items.length ? (
              listOf(
                items.filter((item) => !isHidden(item)),
                false,
              )
            ) : (
              <Empty
                title={text.clocks.empty}
                action={isStoryteller && add}
                call={isStoryteller ? curl('PUT', `${path}/trackers/doom`, SAMPLE_CLOCK) : undefined}
              >
                {text.clocks.emptyText}
              </Empty>
            )
          }
        </Show>
      </Section>
      {secret.length + unseen.length > 0 && <Screen characters={unseen}>{secret.length > 0 && listOf(secret, true)}</Screen>}
      {open?.what === 'add' && <TrackerDialog key={campaign.id} onClose={close} onSaved={trackers.reload} />}
      {open?.what === 'change' && (
        <TrackerDialog
          tracker={open.tracker}
          onClose={close}
          onSaved={trackers.reload}
          onReset={() => reset.run([open.tracker.key])}
          onRemove={() => setOpen({ what: 'remove', tracker: open.tracker })}
        />
      )}
      {open?.what === 'remove' && (
        <Confirm
          title={text.clocks.removeTitle}
          action={text.clocks.removeAction}
          busy={remove.busy}
          onConfirm={() => remove.run(open.tracker.key)}
          onClose={close}
        >
          <p>{text.clocks.removeText(open.tracker.label)}</p>
        </Confirm>
      )}
      {open?.what === 'reset' && (
        <Confirm title={text.clocks.resetAll} action={text.clocks.reset} busy={reset.busy} onConfirm={() => reset.run()} onClose={close}>
          <p>{text.clocks.resetText}</p>
        </Confirm>
      )}
    </>
  )
}
