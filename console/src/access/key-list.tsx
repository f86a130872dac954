import type { ApiKey } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { Badge } from '../ui/marks.tsx'
import { Time } from '../ui/time.tsx'
import { text } from './text.ts'

/** A key as people recognize it: its beginning and its end. */
export const nameOfKey = ({ prefix, last_four }: ApiKey): string => `${prefix}…${last_four}`

/** The keys of a developer, with what can be done with each. */
export function KeyList({
  keys,
  currentId,
  actions,
}: {
  keys: ApiKey[]
  currentId: string | undefined
  actions: (key: ApiKey) => ComponentChildren
}) {
  return (
    <ul class="rows">
      {keys.map((key) => (
        <li key={key.id} class="row">
          <div class="row-main">
            <span class="row-title">
              <code>{nameOfKey(key)}</code>
              {key.id === currentId && <Badge tone="accent">{text.keys.thisSession}</Badge>}
              {key.date_expires && <Badge tone="bad">{text.keys.rotated}</Badge>}
            </span>
            <span class="quiet facts">
              <span>
                {text.keys.created} <Time at={key.date_created} />
              </span>
              <span>
                {text.keys.lastUsed} {key.date_last_used ? <Time at={key.date_last_used} /> : text.keys.unused}
              </span>
              {key.date_expires && (
                <span>
                  {text.keys.expires} <Time at={key.date_expires} look="full" />
                </span>
              )}
            </span>
          </div>
          <div class="end row-actions">{actions(key)}</div>
        </li>
      ))}
    </ul>
  )
}
