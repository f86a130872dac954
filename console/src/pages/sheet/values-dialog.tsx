import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { labelOf, nameOf } from '../../play/character-words.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'
import { groupTraits } from './trait-groups.ts'

interface ValuesDialogProps {
  title: string
  /** The map that is changed: traits are numbers, details are texts. */
  field: 'traits' | 'details'
  values: NonNullable<SheetScope['character']['traits' | 'details']>
  characterId: string
  onChanged: () => Promise<void>
  onClose: () => void
}

/** The values as they are written, by name. Null is a value that is removed. */
type Draft = Record<string, string | null>

/** Adds, changes and removes the traits or the details of a character, all in one request. Only changed values are sent. */
export function ValuesDialog({ title, field, values, characterId, onChanged, onClose }: ValuesDialogProps) {
  const { api } = useCampaign()
  const [before] = useState<Draft>(() => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])))
  const isNumber = field === 'traits'
  const isWrong = (value: string | null) => isNumber && value !== null && !/^-?\d+$/.test(value.trim())
  const form = useForm(before, async ({ values: draft }) => {
    const changed = Object.entries(draft).filter(([name, value]) => value !== (before[name] ?? null))
    if (changed.some(([, value]) => isWrong(value))) return
    const wanted = changed.map(([name, value]) => [name, isNumber && value !== null ? Number(value) : value])
    if (wanted.length) await api.characters.update(characterId, { [field]: Object.fromEntries(wanted) })
    await onChanged()
    onClose()
  })
  const { values: draft, set, errorOf } = form
  const names = Object.keys(draft).filter((name) => draft[name] !== null || Object.hasOwn(before, name))
  // In the groups of the sheet, which follow from the names alone.
  const groups = isNumber
    ? groupTraits(Object.fromEntries(names.map((name) => [name, 0]))).map((group) => ({
        ...group,
        names: group.traits.map((trait) => trait.name),
      }))
    : [{ title: undefined, names }]
  return (
    <FormDialog title={title} of={form} onClose={onClose} isWide>
      {groups.map(({ title: group, names: members }) => (
        <div key={group ?? ''}>
          {group && <h3 class="list-title">{group}</h3>}
          <ul class={isNumber ? 'values numbers' : 'values'}>
            {members.map((name) => (
              <li key={name}>
                <Value
                  name={name}
                  value={draft[name] ?? null}
                  isNumber={isNumber}
                  error={isWrong(draft[name] ?? null) ? text.traits.notNumber : errorOf(`${field}.${name}`)}
                  onInput={set(name)}
                  onKeep={() => set(name)(before[name] ?? null)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
      <AddValue
        isNumber={isNumber}
        isTaken={(name) => draft[name] !== null && draft[name] !== undefined}
        onAdd={(name) => set(name)(isNumber ? '1' : '')}
      />
    </FormDialog>
  )
}

interface ValueProps {
  name: string
  value: string | null
  isNumber: boolean
  error: string | undefined
  onInput: (value: string | null) => void
  onKeep: () => void
}

function Value({ name, value, isNumber, error, onInput, onKeep }: ValueProps) {
  const label = labelOf(name)
  if (value === null)
    return (
      <p class="quiet value-removed">
        <s>{label}</s>
        <Button look="quiet" onClick={onKeep}>
          {text.traits.keep}
        </Button>
      </p>
    )
  return (
    <>
      {isNumber ? (
        <TextField label={label} value={value} inputmode="numeric" error={error} onInput={onInput} />
      ) : (
        <TextArea label={label} value={value} error={error} onInput={onInput} rows={2} />
      )}
      <IconButton label={text.traits.remove(label)} icon="trash" onClick={() => onInput(null)} />
    </>
  )
}

interface AddValueProps {
  isNumber: boolean
  isTaken: (name: string) => boolean
  onAdd: (name: string) => void
}

/** A name for one more value. Enter adds it, and does not send the form. */
function AddValue({ isNumber, isTaken, onAdd }: AddValueProps) {
  const [label, setLabel] = useState('')
  const [error, setError] = useState<string>()
  const add = () => {
    const name = nameOf(label)
    if (!/[a-z]/.test(name)) return setError(text.traits.nameless)
    if (isTaken(name)) return setError(text.traits.taken)
    setError(undefined)
    setLabel('')
    onAdd(name)
  }
  return (
    <div class="value-add">
      <TextField
        label={isNumber ? text.traits.newName : text.details.add}
        value={label}
        error={error}
        onInput={setLabel}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !label.trim()) return
          event.preventDefault()
          add()
        }}
      />
      <Button icon="plus" onClick={add}>
        {text.traits.addOne}
      </Button>
    </div>
  )
}
