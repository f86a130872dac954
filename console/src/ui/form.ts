import { useState } from 'preact/hooks'
import { type Action, useAction } from './action.ts'
import { faultsOf } from './problem.tsx'

/** The names of the values of a type. */
type NamesOf<T, V> = { [K in keyof T]: T[K] extends V ? K : never }[keyof T] & string

/** The values of a form. */
export interface Draft<T> {
  /** The values that were entered, and for the rest the present ones, which may change while the form is open. */
  values: T
  /** The values that differ from the present ones. */
  changes: Partial<T>
  /** Drops the values that were entered. */
  reset: () => void
}

/** A form: its values, the action that sends them, and the attributes that bind its fields to both. */
export interface Form<T extends object> extends Draft<T>, Pick<Action<[]>, 'run' | 'busy'> {
  isChanged: boolean
  /** Returns a function that enters a value. */
  set: <K extends keyof T>(name: K) => (value: T[K]) => void
  /** Returns the fault of a field, which then shows it. */
  errorOf: (name: string) => string | undefined
  /** Binds a text field to a value, which has the name of the field in faults. */
  input: (name: NamesOf<T, string>) => { value: string; onInput: (value: string) => void; error: string | undefined }
  /** Binds a choice from a list. */
  select: <K extends NamesOf<T, string>>(name: K) => { value: T[K]; onChange: (value: T[K]) => void; error: string | undefined }
  /** Returns the problem of the last attempt, unless fields show all of it. It is for components that render after the fields. */
  unshownProblem: () => unknown
}

/**
 * Keeps the values of a form, and sends them:
 *
 *     const form = useForm({ name: '' }, async ({ values }) => …)
 *     <FormDialog title="New book" of={form} onClose={onClose}>
 *       <TextField label="Name" {...form.input('name')} />
 *     </FormDialog>
 */
export function useForm<T extends object>(present: T, send: (draft: Draft<T>) => Promise<unknown>): Form<T> {
  const [entered, setEntered] = useState<Partial<T>>({})
  const values: T = { ...present, ...entered }
  const changes = Object.fromEntries(Object.entries(entered).filter(([name, value]) => value !== present[name as keyof T])) as Partial<T>
  const draft = { values, changes, reset: () => setEntered({}) }
  const { run, busy, error } = useAction(() => send(draft), { isShownByForm: true })
  const faults = faultsOf(error)
  const set =
    <K extends keyof T>(name: K) =>
    (value: T[K]) =>
      setEntered((before) => ({ ...before, [name]: value }))

  // Fields that are left out of a rendering show no faults, so every rendering notes its own.
  const shown = new Set<string>()
  const errorOf = (name: string) => {
    shown.add(name)
    return faults[name]
  }
  return {
    ...draft,
    isChanged: Object.keys(changes).length > 0,
    run,
    busy,
    set,
    errorOf,
    input: (name) => ({ value: values[name] as string, onInput: set(name) as (value: string) => void, error: errorOf(name) }),
    select: (name) => ({ value: values[name], onChange: set(name), error: errorOf(name) }),
    unshownProblem: () => {
      const names = Object.keys(faults)
      return names.length > 0 && names.every((name) => shown.has(name)) ? undefined : error
    },
  }
}
