import { useState } from 'preact/hooks'
import { curl } from '../../data/curl.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { labelOf } from '../../play/character-words.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Section } from '../../ui/page.tsx'
import { EditDialog } from './edit-dialog.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'
import { ValuesDialog } from './values-dialog.tsx'

interface PartProps {
  sheet: SheetScope
  onChanged: () => Promise<void>
}

/** The story of the character, in Markdown. */
export function Biography({ sheet, onChanged }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  const { biography } = sheet.character
  if (!biography && !sheet.rights.mayEdit) return null
  return (
    <Section title={text.biography.title}>
      {biography ? (
        <Markdown source={biography} />
      ) : (
        <p class="quiet">
          {text.biography.empty}{' '}
          <Button look="quiet" onClick={() => setOpen(true)}>
            {text.biography.write}
          </Button>
        </p>
      )}
      {isOpen && <EditDialog sheet={sheet} onChanged={onChanged} onClose={() => setOpen(false)} />}
    </Section>
  )
}

/** The texts of the sheet by name. */
export function Details({ sheet, onChanged }: PartProps) {
  const [isOpen, setOpen] = useState(false)
  const { details } = sheet.character
  if (!details) return null
  const names = Object.keys(details).sort()
  if (!names.length && !sheet.rights.mayEditSheet) return null
  const edit = names.length > 0 && sheet.rights.mayEditSheet && (
    <Button look="quiet" icon="edit" onClick={() => setOpen(true)}>
      {text.details.edit}
    </Button>
  )
  return (
    <Section title={text.details.title} actions={edit}>
      {names.length ? (
        <dl class="details">
          {names.map((name) => (
            <div key={name}>
              <dt>{labelOf(name)}</dt>
              <dd>{details[name]}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <Empty
          title={text.details.empty}
          action={<Button onClick={() => setOpen(true)}>{text.details.addFirst}</Button>}
          call={curl('PATCH', sheet.path, { details: { eyes: 'Gray' } })}
        >
          {text.details.emptyText}
        </Empty>
      )}
      {isOpen && (
        <ValuesDialog
          title={text.details.dialog}
          field="details"
          values={details}
          characterId={sheet.character.id}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  )
}
