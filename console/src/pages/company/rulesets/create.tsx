import { ApiError, type Ruleset, type RulesetCreate } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { Choice } from '../../../ui/choice.tsx'
import { Field, TextArea, TextField } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { Packs } from './packs.tsx'
import { readSource } from './source.ts'
import { starterDocument } from './starter.ts'
import { text as all } from './text.ts'

const text = all.create

type Way = (typeof text.ways)[number][0]

interface Values {
  way: Way
  name: string
  pack: string
  source: string
}

/** A fault that the page finds before the service does. */
class Unfinished extends Error {
  readonly field: 'pack' | 'document'
  constructor(field: 'pack' | 'document', message: string) {
    super(message)
    this.field = field
  }
}

function bodyOf({ way, name, pack, source }: Values): RulesetCreate {
  const named = name.trim() ? { name: name.trim() } : {}
  if (way === 'EMPTY') return { ...named, document: starterDocument(name.trim() || text.newName) }
  if (way === 'PACK') {
    if (!pack) throw new Unfinished('pack', text.noPack)
    return { ...named, pack }
  }
  const read = readSource(source)
  if ('fault' in read) {
    const { message, line, column } = read.fault
    throw new Unfinished('document', `${all.syntax.at(line, column)}: ${message}`)
  }
  return { ...named, document: read.document }
}

/** Adds a ruleset: from a pack, from a small document that works, or from a document that somebody has. */
export function CreateRuleset({ onClose, onCreated }: { onClose: () => void; onCreated: (ruleset: Ruleset) => void }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const [unfinished, setUnfinished] = useState<Unfinished>()
  const form = useForm<Values>({ way: 'PACK', name: '', pack: '', source: '' }, async ({ values }) => {
    setUnfinished(undefined)
    try {
      const created = await companyApi.rulesets.create(bodyOf(values), options)
      tell(text.added(created.name))
      onCreated(created)
    } catch (error) {
      if (!(error instanceof Unfinished) || ApiError.is(error)) throw error
      setUnfinished(error)
    }
  })
  const { way, pack, source } = form.values
  const errorOf = (field: 'pack' | 'document') => (unfinished?.field === field ? unfinished.message : form.errorOf(field))
  return (
    <FormDialog title={all.add} action={all.add} of={form} onClose={onClose} isWide>
      <Choice label={text.way} value={way} options={text.ways} onChange={form.set('way')} />
      {way === 'PACK' && <Packs value={pack} error={errorOf('pack')} onChange={form.set('pack')} />}
      {way === 'JSON' && (
        <>
          <FileField onRead={form.set('source')} />
          <div class="source">
            <TextArea
              label={text.document}
              hint={text.documentHint}
              rows={8}
              spellcheck={false}
              value={source}
              onInput={form.set('source')}
              error={errorOf('document')}
            />
          </div>
        </>
      )}
      <TextField label={text.name} hint={way === 'EMPTY' ? undefined : text.nameHint} maxlength={100} {...form.input('name')} />
    </FormDialog>
  )
}

function FileField({ onRead }: { onRead: (source: string) => void }) {
  return (
    <Field label={text.file}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          accept=".json,application/json"
          onChange={async ({ currentTarget }) => {
            const file = currentTarget.files?.[0]
            if (file) onRead(await file.text())
          }}
        />
      )}
    </Field>
  )
}
