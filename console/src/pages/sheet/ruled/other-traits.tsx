import { labelOf } from '../../../play/character-words.ts'
import type { SheetDocument } from '../../../rules/document.ts'
import { SheetValue } from '../../../rules/sheet-values.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { text } from '../text.ts'

const MAX_STORED = 1_000_000

interface OtherTraitsProps {
  /** All traits of the character. */
  traits: Record<string, number>
  document: SheetDocument
  /** The values that were entered and are not saved yet; undefined while nothing is edited. */
  draft: Record<string, number | null> | undefined
  onChange: (name: string, value: number | undefined) => void
}

/** The traits that are on the character and not in the ruleset. They stay until somebody removes them. */
export function OtherTraits({ traits, document, draft, onChange }: OtherTraitsProps) {
  const names = Object.keys(traits).filter((name) => !Object.hasOwn(document.traits, name))
  if (!names.length) return null
  return (
    <div class="ruleset-sheet other-traits">
      <section class="sheet-part">
        <h3>{text.traits.other}</h3>
        <p class="quiet small">{text.ruled.other}</p>
        <ul class="sheet-values">
          {names.map((name) => (
            <OtherTrait key={name} name={name} stored={traits[name] as number} draft={draft} onChange={onChange} />
          ))}
        </ul>
      </section>
    </div>
  )
}

interface OtherTraitProps extends Pick<OtherTraitsProps, 'draft' | 'onChange'> {
  name: string
  stored: number
}

function OtherTrait({ name, stored, draft, onChange }: OtherTraitProps) {
  const label = labelOf(name)
  const value = draft && Object.hasOwn(draft, name) ? draft[name] : stored
  if (value === null || value === undefined)
    return (
      <li class="sheet-value">
        <s class="quiet">{label}</s>
        <Button look="quiet" onClick={() => onChange(name, stored)}>
          {text.traits.keep}
        </Button>
      </li>
    )
  return (
    <SheetValue
      label={label}
      range=""
      of={{ value, min: -MAX_STORED, max: MAX_STORED }}
      after={draft && <IconButton label={text.traits.remove(label)} icon="trash" onClick={() => onChange(name, undefined)} />}
      onChange={draft && ((next) => onChange(name, next))}
    />
  )
}
