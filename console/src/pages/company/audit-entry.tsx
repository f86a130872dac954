import type { AuditLog as Entry } from '@guildhall/client'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import type { Names } from './audit-names.ts'
import { text } from './audit-text.ts'
import { changesOf, headlineOf, isNothing, nameIn, shown } from './audit-words.ts'

/** One change, with its values behind a line that can be opened. */
export function AuditEntry({ entry, names, onOnly }: { entry: Entry; names: Names; onOnly: (() => void) | undefined }) {
  const { resource_type, resource_id, user_id, developer_id, reason, truncated, request_id } = entry
  const fields = changesOf(entry)
  const name = names.resource(resource_type, resource_id) ?? nameIn(entry)
  const developer = developer_id ? text.by(names.developer(developer_id)) : text.commandLine
  return (
    <li class="audit-entry">
      <div class="audit-head">
        <p>
          <strong>{headlineOf(entry)}</strong>
          {name && <> · {name}</>}
        </p>
        <span class="quiet">
          <Time at={entry.date_created} look="full" />
        </span>
      </div>
      <p class="quiet">{user_id ? `${names.user(user_id)}, ${developer}` : developer}</p>
      {reason && (
        <p>
          {text.reason}: “{reason}”
        </p>
      )}
      {fields.length > 0 && fields.length <= MAX_OPEN && <Values fields={fields} />}
      {fields.length > MAX_OPEN && (
        <details>
          <summary>{text.details(fields.length)}</summary>
          <Values fields={fields} />
        </details>
      )}
      <div class="audit-foot quiet">
        {truncated && <span>{text.truncated}</span>}
        {request_id && <code>{request_id}</code>}
        {onOnly && (
          <Button look="quiet" aria-label={text.onlyOne(name ?? headlineOf(entry))} onClick={onOnly}>
            {text.onlyThis}
          </Button>
        )}
      </div>
    </li>
  )
}

/** Entries with more values than this are folded. */
const MAX_OPEN = 3

function Values({ fields }: { fields: ReturnType<typeof changesOf> }) {
  return (
    <dl class="changes">
      {fields.map(({ field, old, new: value }) => (
        <div key={field}>
          <dt>{field}</dt>
          <dd>
            {!isNothing(old) && (
              <>
                <span class="visually-hidden">{text.before}: </span>
                <del>{shown(old)}</del>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <span class="visually-hidden">{text.after}: </span>
            <ins>{shown(value)}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
