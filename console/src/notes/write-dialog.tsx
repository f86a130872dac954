import { ApiError, type NoteVisibility } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { Markdown } from '../markdown/markdown.tsx'
import { text as shared } from '../text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Select, TextArea, TextField } from '../ui/field.tsx'
import { useForm } from '../ui/form.ts'
import { FormProblem, submit } from '../ui/form-problem.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { tell } from '../ui/toast.tsx'
import { Conflict } from './conflict.tsx'
import { text } from './text.ts'

/** A text with a name: a note, or the description of a book or a chapter. */
export interface Draft {
  name: string
  body: string
  /** Undefined where a text has no visibility of its own. */
  visibility?: NoteVisibility | undefined
}

/** A draft as the service has it. */
export interface Saved extends Draft {
  version: number
}

interface WriteDialogProps {
  title: string
  /** The labels of the name and the text. */
  labels: { name: string; body: string }
  /** The names of the fields in faults of the service. */
  fields: { name: string; body: string }
  initial: Draft | Saved
  save: (draft: Draft, ifMatch: { version: number } | undefined) => Promise<unknown>
  /** Reads the saved version, after somebody else changed it. */
  read?: () => Promise<Saved>
  onClose: () => void
}

type View = (typeof text.views)[number][0]

/** A dialog in which a text is written. If somebody else saved another version in the meantime, it keeps the draft and shows their version next to it. */
export function WriteDialog({ title, labels, fields, initial, save, read, onClose }: WriteDialogProps) {
  const [base, setBase] = useState('version' in initial ? initial : undefined)
  const [theirs, setTheirs] = useState<Saved>()
  const [view, setView] = useState<View>('write')
  const [isLeaving, setLeaving] = useState(false)
  const { name, body, visibility } = base ?? initial
  const form = useForm<Draft>({ name, body, visibility }, async ({ values }) => {
    const onto = theirs ?? base
    try {
      await save(values, onto && { version: onto.version })
    } catch (error) {
      setView('write')
      const present = ApiError.is(error, 'precondition_failed') ? await read?.().catch(() => undefined) : undefined
      if (present) return setTheirs(present)
      throw onto && ApiError.is(error, 'not_found') ? new Error(text.conflict.gone) : error
    }
    tell(text.saved)
    onClose()
  })
  const { values: draft, set, errorOf } = form
  const takeTheirs = (saved: Saved) => {
    form.reset()
    setBase(saved)
    setTheirs(undefined)
  }
  const leave = () => (form.isChanged ? setLeaving(true) : onClose())
  return (
    <Dialog title={title} onClose={() => (isLeaving ? onClose() : leave())} isWide>
      <form
        class="form write"
        onSubmit={submit(form)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.run()
        }}
      >
        {isLeaving && (
          <div class="problem" role="alert">
            <p>{text.discardTitle}</p>
            <div class="page-actions">
              <Button autofocus onClick={() => setLeaving(false)}>
                {text.keepWriting}
              </Button>
              <Button look="danger" onClick={onClose}>
                {text.discard}
              </Button>
            </div>
          </div>
        )}
        {theirs && <Conflict theirs={theirs} onTake={() => takeTheirs(theirs)} />}
        <TextField label={labels.name} value={draft.name} onInput={set('name')} error={errorOf(fields.name)} required autofocus />
        <div>
          <Tabs label={text.viewsLabel} tabs={text.views} value={view} onChange={setView}>
            {view === 'write' ? (
              <TextArea
                label={labels.body}
                isLabelHidden
                rows={10}
                value={draft.body}
                onInput={set('body')}
                error={errorOf(fields.body)}
                hint={text.markdownHint}
              />
            ) : (
              <div class="write-preview">
                {draft.body.trim() ? <Markdown source={draft.body} /> : <p class="quiet">{text.nothingToPreview}</p>}
              </div>
            )}
          </Tabs>
        </div>
        {draft.visibility && (
          <Select
            label={text.whoReads}
            value={draft.visibility}
            options={text.visibilityChoices}
            onChange={set('visibility')}
            error={errorOf('visibility')}
          />
        )}
        <FormProblem of={form} />
        <footer>
          <Button onClick={leave}>{shared.cancel}</Button>
          <Button type="submit" look="primary" busy={form.busy}>
            {theirs ? text.conflict.keepMine : shared.save}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
