import { Choice } from '../../../ui/choice.tsx'
import { Checkbox } from '../../../ui/field.tsx'
import type { Form } from '../../../ui/form.ts'
import { text as all } from './text.ts'
import { joined, KINDS, type KindValues, listOf } from './values.ts'

const text = all.form
const OF_WEBHOOKS = 'webhook.*'

/** A form that has a choice of kinds among its values. */
interface KindForm extends Pick<Form<KindValues>, 'values' | 'errorOf'> {
  set: ((name: 'scope') => (value: KindValues['scope']) => void) & ((name: 'types') => (value: KindValues['types']) => void)
}

interface KindsProps {
  of: KindForm
  label?: string
  scopes?: readonly (readonly [value: KindValues['scope'], label: string, hint?: string])[]
  /** The kinds and types that can be chosen. */
  offered?: readonly string[]
  /** Offers the changes of webhooks, which everything does not include. */
  offersWebhooks?: boolean
}

/** The kinds of changes that are sent: everything, or chosen ones. Single types, which only the API sets, are listed so that they can be removed. */
export function Kinds({ of: form, label = text.kinds, scopes = text.scopes, offered = KINDS, offersWebhooks = true }: KindsProps) {
  const { scope, types } = form.values
  const chosen = listOf(types)
  const listed = [...offered, ...chosen.filter((type) => !offered.includes(type))]
  const error = form.errorOf('types')
  const set = (type: string) => (isChosen: boolean) =>
    form.set('types')(joined(isChosen ? [...chosen, type] : chosen.filter((each) => each !== type)))
  return (
    <>
      <Choice label={label} value={scope} options={scopes} onChange={form.set('scope')} />
      {scope === 'CHOSEN' && (
        <fieldset class="kinds">
          <legend>{text.chosen}</legend>
          {listed.map((type) => (
            <Checkbox key={type} label={text.labels[type] ?? <code>{type}</code>} checked={chosen.includes(type)} onChange={set(type)} />
          ))}
        </fieldset>
      )}
      {scope === 'ALL' && offersWebhooks && (
        <Checkbox label={text.alsoWebhooks} checked={chosen.includes(OF_WEBHOOKS)} onChange={set(OF_WEBHOOKS)} />
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}
