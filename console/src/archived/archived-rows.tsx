import { Time } from '../ui/time.tsx'
import { RestoreButton } from './restore-button.tsx'

/** The fields of an archived resource that a list shows. */
export interface ArchivedItem {
  id: string
  name: string
  date_archived: string | null
}

interface ArchivedRowsProps {
  items: readonly ArchivedItem[]
  /** Restores one, and reads the lists that change with it. */
  restore: (id: string) => Promise<unknown>
}

/** The archived resources of a list, each with the button that restores it. */
export function ArchivedRows({ items, restore }: ArchivedRowsProps) {
  return (
    <ul class="rows">
      {items.map(({ id, name, date_archived }) => (
        <li key={id} class="row">
          <strong class="row-name">{name}</strong>
          {date_archived && (
            <span class="quiet">
              <Time at={date_archived} />
            </span>
          )}
          <RestoreButton name={name} restore={() => restore(id)} />
        </li>
      ))}
    </ul>
  )
}

interface ArchivedDetailsProps extends Omit<ArchivedRowsProps, 'items'> {
  title: string
  hint?: string
  /** Undefined until they are loaded. */
  items: readonly ArchivedItem[] | undefined
}

/** The archived resources that a user may restore, folded up. Without any, there is nothing to show. */
export function ArchivedDetails({ title, hint, items, restore }: ArchivedDetailsProps) {
  if (!items?.length) return null
  return (
    <details class="archived">
      <summary>{title}</summary>
      {hint && <p class="hint">{hint}</p>}
      <ArchivedRows items={items} restore={restore} />
    </details>
  )
}
