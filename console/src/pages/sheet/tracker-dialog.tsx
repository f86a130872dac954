import type { Tracker, TrackerMover, TrackerPatch, TrackerSet, TrackerVisibility } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { nameOf } from '../../play/character-words.ts'
import { trackerWords } from '../../play/tracker-words.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { numberOf } from './number.ts'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = { ...trackerWords, ...text.trackers }

interface TrackerDialogProps {
  sheet: SheetScope
  /** The tracker to change. Without it, a new one is made. */
  tracker?: Tracker
  /** The keys of the other trackers: to set one of them again would replace it. */
  takenKeys?: readonly string[]
  /** Asks whether to delete the tracker. */
  onDelete?: () => void
  onClose: () => void
}

/** Makes or changes a tracker. */
export function TrackerDialog({ sheet: { character, api, rights }, tracker, takenKeys = [], onDelete, onClose }: TrackerDialogProps) {
  // The tracker as it was when the dialog opened: it may move while somebody writes.
  const [before] = useState({
    label: tracker?.label ?? '',
    style: tracker?.style ?? 'NUMBER',
    value: String(tracker?.value ?? ''),
    minimum: String(tracker?.minimum ?? 0),
    maximum: String(tracker?.maximum ?? ''),
    start: String(tracker?.start ?? ''),
    visibility: tracker?.visibility ?? 'OPEN',
    movable_by: tracker?.movable_by ?? (character.type === 'PLAYER' ? 'PLAYER' : 'STORYTELLER'),
  })
  const [isTaken, setTaken] = useState(false)
  const form = useForm(before, async ({ values, changes }) => {
    const wanted = {
      ...values,
      value: numberOf(values.value) ?? numberOf(values.start) ?? numberOf(values.maximum) ?? 0,
      minimum: numberOf(values.minimum) ?? 0,
      maximum: numberOf(values.maximum) ?? null,
      start: numberOf(values.start),
      // A hidden tracker is moved by storytellers only.
      movable_by: values.visibility === 'OPEN' ? values.movable_by : 'STORYTELLER',
    }
    if (!tracker) {
      const key = nameOf(values.label)
      setTaken(takenKeys.includes(key))
      if (takenKeys.includes(key)) return
      await api.trackers.set(key || '_', wanted as TrackerSet)
    } else {
      const isSent = (field: string) => field in changes || (field === 'movable_by' && 'visibility' in changes)
      const patch = Object.entries(wanted).filter(([field]) => isSent(field))
      if (patch.length) await api.trackers.update(tracker.key, Object.fromEntries(patch) as TrackerPatch)
    }
    onClose()
  })
  const visibilities = optionsOf<TrackerVisibility>(words.visibilities).filter(
    ([value]) => value !== 'STORYTELLER' || character.type === 'NPC',
  )
  const movers = optionsOf<TrackerMover>(words.movers).filter(([value]) =>
    value === 'PLAYER' ? character.type === 'PLAYER' : value === 'MEMBERS' || rights.isStoryteller,
  )
  const label = form.input('label')
  return (
    <FormDialog
      title={tracker ? words.dialogEdit(tracker.label) : words.dialogNew}
      of={form}
      onClose={onClose}
      extra={
        onDelete && (
          <Button look="danger" icon="trash" onClick={onDelete}>
            {words.deleteAction}
          </Button>
        )
      }
    >
      <div class="form-row">
        <TextField label={words.label} {...label} error={isTaken ? words.taken : label.error} maxlength={100} autofocus />
        <Select label={words.style} options={optionsOf(words.styles)} {...form.select('style')} />
      </div>
      <div class="form-row four">
        <TextField label={words.value} {...form.input('value')} inputmode="numeric" />
        <TextField label={words.minimum} {...form.input('minimum')} inputmode="numeric" />
        <TextField label={words.maximum} hint={words.maximumHint} {...form.input('maximum')} inputmode="numeric" />
        <TextField label={words.start} hint={words.startHint} {...form.input('start')} inputmode="numeric" />
      </div>
      <div class="form-row">
        {rights.isStoryteller && <Select label={words.visibility} options={visibilities} {...form.select('visibility')} />}
        {form.values.visibility === 'OPEN' && <Select label={words.mover} options={movers} {...form.select('movable_by')} />}
      </div>
    </FormDialog>
  )
}
