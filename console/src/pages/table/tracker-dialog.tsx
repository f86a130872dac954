import type { Tracker } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { trackerWords } from '../../play/tracker-words.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { text } from './text.ts'

const words = { ...trackerWords, ...text.clocks }

/** A tracker of the campaign belongs to no player. */
const MOVERS = optionsOf(words.movers).filter(([mover]) => mover !== 'PLAYER')

/** The key of a new tracker: its name in snake_case. A name without letters gets a key that nothing else has. */
function keyOf(label: string): string {
  const key = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 40)
  return key || `tracker_${Date.now().toString(36)}`
}

interface TrackerDialogProps {
  /** The tracker to change. Without it, a new one is made. */
  tracker?: Tracker
  onClose: () => void
  onSaved: () => void
  onReset?: () => void
  onRemove?: () => void
}

/** Makes a tracker of the campaign, or changes one. */
export function TrackerDialog({ tracker, onClose, onSaved, onReset, onRemove }: TrackerDialogProps) {
  const { api } = useCampaign()
  // The tracker as it was when the dialog opened: it may move while somebody writes.
  const [before] = useState({
    label: tracker?.label ?? '',
    value: String(tracker?.value ?? 0),
    maximum: tracker ? String(tracker.maximum ?? '') : '6',
    start: String(tracker?.start ?? 0),
    style: tracker?.style ?? 'CLOCK',
    visibility: tracker?.visibility ?? 'OPEN',
    movable_by: tracker?.movable_by ?? 'STORYTELLER',
  })
  const form = useForm(before, async ({ values }) => {
    const body = {
      ...values,
      value: Number(values.value),
      maximum: values.maximum.trim() ? Number(values.maximum) : null,
      start: Number(values.start),
      movable_by: values.visibility === 'OPEN' ? values.movable_by : 'STORYTELLER',
    }
    if (tracker) await api.trackers.update(tracker.key, body, { ifMatch: tracker })
    else await api.trackers.set(await freeKey(values.label, api), body)
    onSaved()
    onClose()
  })
  const extra = (
    <>
      {onRemove && (
        <Button look="danger" onClick={onRemove}>
          {words.removeAction}
        </Button>
      )}
      {onReset && <Button onClick={onReset}>{words.reset}</Button>}
    </>
  )
  return (
    <FormDialog title={tracker ? words.change(tracker.label) : words.add} of={form} onClose={onClose} extra={extra}>
      <TextField label={words.label} {...form.input('label')} required maxlength={100} autofocus />
      <div class="form-row">
        <TextField label={words.value} type="number" {...form.input('value')} />
        <TextField label={words.maximum} type="number" hint={words.maximumHint} {...form.input('maximum')} />
        <TextField label={words.start} type="number" {...form.input('start')} />
      </div>
      <Select label={words.style} options={optionsOf(words.styles)} {...form.select('style')} />
      <Select label={words.visibility} options={optionsOf(words.visibilities)} {...form.select('visibility')} />
      {form.values.visibility === 'OPEN' && <Select label={words.mover} options={MOVERS} {...form.select('movable_by')} />}
    </FormDialog>
  )
}

/** A key that no tracker of the campaign has, so that a second Doom does not replace the first. */
async function freeKey(label: string, api: ReturnType<typeof useCampaign>['api']): Promise<string> {
  const taken = new Set((await api.trackers.list().all()).map(({ key }) => key))
  const key = keyOf(label)
  for (let number = 2; ; number++) {
    const next = taken.has(key) ? `${key}_${number}` : key
    if (!taken.has(next)) return next
  }
}
