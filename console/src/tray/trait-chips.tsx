import { type Draft, namesIn } from './request.ts'
import { text, traitLabel } from './text.ts'
import type { TrayCharacter } from './tray.tsx'

interface TraitChipsProps {
  character: TrayCharacter
  draft: Draft
  onPress: (name: string) => void
}

/** The traits of the character as chips that go into the field. */
export function TraitChips({ character: { name, traits }, draft, onPress }: TraitChipsProps) {
  const names = Object.keys(traits ?? {}).sort()
  if (!traits || !names.length) return null
  const isPool = draft.mode === 'pool'
  const pressed = new Set(isPool ? namesIn(draft.pool) : [])
  return (
    <ul class="chips trait-chips" aria-label={text.traits(name)}>
      {names.map((each) => (
        <li key={each}>
          <button
            type="button"
            class="chip"
            {...(isPool && { 'aria-pressed': pressed.has(each) })}
            aria-label={text.trait(traitLabel(each), traits[each] ?? 0)}
            onClick={() => onPress(each)}
          >
            {traitLabel(each)} <b>{traits[each]}</b>
          </button>
        </li>
      ))}
    </ul>
  )
}
