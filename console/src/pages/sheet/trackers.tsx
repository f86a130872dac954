import type { Tracker as TrackerData } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { curl } from '../../data/curl.ts'
import { useLiveList } from '../../data/live-list.ts'
import { useMoves } from '../../play/moves.ts'
import { Tracker } from '../../play/tracker.tsx'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { mayDefine, mayMove, type SheetScope } from './rights.ts'
import { text } from './text.ts'
import { TrackerDialog } from './tracker-dialog.tsx'

const byCreation = (a: TrackerData, b: TrackerData) => a.id.localeCompare(b.id)

const SAMPLE = { label: 'Health', value: 3, maximum: 3, style: 'BOXES' }

/** The numbers of a character that move during play. */
export function Trackers({ sheet }: { sheet: SheetScope }) {
  const { character, api, path, rights } = sheet
  const [open, setOpen] = useState<'new' | 'reset'>()
  const close = () => setOpen(undefined)
  const trackers = useLiveList<TrackerData>(
    {
      load: (signal) => api.trackers.list({}, { signal }).all(),
      type: 'tracker',
      accepts: ({ character_id }) => character_id === character.id,
      compare: byCreation,
    },
    [character.id],
  )
  const reset = useAction(async () => {
    const { items } = await api.trackers.reset({})
    tell(text.trackers.resetDone(items.length))
    close()
  })
  const add = rights.mayEditSheet && (
    <Button icon="plus" onClick={() => setOpen('new')}>
      {text.trackers.add}
    </Button>
  )
  return (
    <Show of={trackers}>
      {(all) => (
        <Section
          title={text.tabs.trackers}
          class="tab-section"
          actions={
            all.length > 0 && (
              <span class="section-actions">
                {all.some((tracker) => mayMove(rights, tracker)) && (
                  <Button icon="undo" onClick={() => setOpen('reset')}>
                    {text.trackers.reset}
                  </Button>
                )}
                {add}
              </span>
            )
          }
        >
          {all.length ? (
            <ul class="tracker-rows">
              {all.map((tracker) => (
                <li key={tracker.id}>
                  <TrackerRow tracker={tracker} sheet={sheet} />
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={text.trackers.empty} action={add} call={rights.mayEditSheet && curl('PUT', `${path}/trackers/health`, SAMPLE)}>
              {text.trackers.emptyText}
            </Empty>
          )}
          {open === 'new' && <TrackerDialog sheet={sheet} takenKeys={all.map(({ key }) => key)} onClose={close} />}
          {open === 'reset' && (
            <Confirm
              title={text.trackers.resetTitle}
              action={text.trackers.reset}
              busy={reset.busy}
              onConfirm={() => reset.run()}
              onClose={close}
            >
              <p>{text.trackers.resetText}</p>
            </Confirm>
          )}
        </Section>
      )}
    </Show>
  )
}

/** From this range on, values move by more than one at a time. */
const MIN_LARGE_RANGE = 13

function TrackerRow({ tracker, sheet }: { tracker: TrackerData; sheet: SheetScope }) {
  const { api, rights } = sheet
  const { key, label, minimum, maximum } = tracker
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const [step, setStep] = useState('1')
  const close = () => setOpen(undefined)
  const { move, busy } = useMoves((change) => api.trackers.adjust(key, { ...change, clamp: true }))
  const remove = useAction(async () => {
    await api.trackers.delete(key)
    close()
  })
  const isMovable = mayMove(rights, tracker)
  const isLarge = isMovable && (maximum === null || maximum - minimum >= MIN_LARGE_RANGE)
  return (
    <div class="tracker-row">
      <Tracker
        tracker={tracker}
        busy={busy}
        step={stepOf(step)}
        onMove={isMovable ? move : undefined}
        between={
          isLarge && <TextField label={text.trackers.step(label)} isLabelHidden value={step} inputmode="numeric" onInput={setStep} />
        }
      />
      {mayDefine(rights, tracker) && <IconButton label={text.trackers.edit(label)} icon="edit" onClick={() => setOpen('edit')} />}
      {open === 'edit' && <TrackerDialog sheet={sheet} tracker={tracker} onDelete={() => setOpen('delete')} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={text.trackers.deleteTitle(label)}
          action={text.trackers.deleteAction}
          busy={remove.busy}
          onConfirm={() => remove.run()}
          onClose={close}
        >
          <p>{text.trackers.deleteText}</p>
        </Confirm>
      )}
    </div>
  )
}

/** The amount of one press. Anything but a positive whole number is 1. */
const stepOf = (written: string): number => (/^[1-9]\d{0,5}$/.test(written.trim()) ? Number(written) : 1)
