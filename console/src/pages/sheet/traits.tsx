import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { labelOf } from '../../play/character-words.ts'
import { hrefOf } from '../../router.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty, Section } from '../../ui/page.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'
import { groupTraits, isDrawn, type ShownTrait } from './trait-groups.ts'
import { ValuesDialog } from './values-dialog.tsx'

/** Larger groups continue in the next column, and so does the only one. */
const MAX_UNBROKEN = 10

/** The traits in groups. Pressed ones are rolled at the table. */
export function Traits({ sheet, onChanged }: { sheet: SheetScope; onChanged: () => Promise<void> }) {
  const { campaign } = useCampaign()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string[]>([])
  const { character, rights } = sheet
  const { traits } = character
  if (!traits) return null
  const groups = groupTraits(traits)
  const isEmpty = Object.keys(traits).length === 0
  const mayRoll = rights.isStoryteller || rights.isOwn
  const press = (name: string) => setChosen((now) => (now.includes(name) ? now.filter((each) => each !== name) : [...now, name]))
  const edit = rights.mayChangeTraits && !isEmpty && (
    <Button look="quiet" icon="edit" onClick={() => setOpen(true)}>
      {text.traits.edit}
    </Button>
  )
  const rule = rights.mayEditSheet && !rights.mayChangeTraits && (
    <p class="quiet">{campaign.trait_changes === 'EXPERIENCE' ? text.traits.byExperience : text.traits.byStoryteller}</p>
  )
  return (
    <Section title={text.traits.title} actions={edit} class="traits-section">
      {rule}
      {isEmpty ? (
        <Empty
          title={text.traits.empty}
          action={rights.mayChangeTraits && <Button onClick={() => setOpen(true)}>{text.traits.add}</Button>}
          call={rights.mayChangeTraits && curl('PATCH', sheet.path, { traits: { strength: 3 } })}
        >
          {text.traits.emptyText}
        </Empty>
      ) : (
        <>
          {mayRoll && <p class="hint">{text.traits.press}</p>}
          <div class="trait-groups">
            {groups.map(({ title, traits: members, hasDots }) => (
              <div
                key={title ?? ''}
                class={members.length > MAX_UNBROKEN || groups.length === 1 ? 'trait-group' : 'trait-group small-group'}
              >
                {title && <h3>{title}</h3>}
                <ul>
                  {members.map((trait) => (
                    <li key={trait.name}>
                      <Trait
                        trait={trait}
                        hasDots={hasDots}
                        isChosen={chosen.includes(trait.name)}
                        onPress={mayRoll ? () => press(trait.name) : undefined}
                      />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </>
      )}
      <Tray chosen={chosen.filter((name) => Object.hasOwn(traits, name))} characterId={character.id} onClear={() => setChosen([])} />
      {isOpen && (
        <ValuesDialog
          title={text.traits.dialog}
          field="traits"
          values={traits}
          characterId={character.id}
          onChanged={onChanged}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  )
}

interface TraitProps {
  trait: ShownTrait
  hasDots: boolean
  isChosen: boolean
  onPress: (() => void) | undefined
}

function Trait({ trait: { label, value }, hasDots, isChosen, onPress }: TraitProps) {
  const words = (
    <>
      <span class="trait-name">{label}</span> <TraitValue value={value} hasDots={hasDots} />
    </>
  )
  if (!onPress) return <div class="trait">{words}</div>
  return (
    <button type="button" class="trait" aria-pressed={isChosen} onClick={onPress}>
      {words}
    </button>
  )
}

/** Dots up to 5, and a number beyond. */
function TraitValue({ value, hasDots }: { value: number; hasDots: boolean }) {
  if (!hasDots || !isDrawn(value)) return <span class="trait-value">{value}</span>
  return (
    <span class="trait-value">
      <span class="visually-hidden">{value}</span>
      <span class="pips" aria-hidden="true">
        {Array.from({ length: 5 }, (_, index) => (
          <span key={index} class={index < value ? 'pip full' : 'pip'} />
        ))}
      </span>
    </span>
  )
}

/** The traits that are chosen, and the way to the table with them. */
function Tray({ chosen, characterId, onClear }: { chosen: string[]; characterId: string; onClear: () => void }) {
  const { path } = useCampaign()
  if (!chosen.length) return null
  return (
    <section class="trait-tray" aria-label={text.traits.tray}>
      <strong>{chosen.map(labelOf).join(' + ')}</strong>
      <Button look="quiet" onClick={onClear}>
        {text.traits.clear}
      </Button>
      <ButtonLink look="primary" icon="dice" href={hrefOf(`${path}?traits=${chosen.join(',')}&character=${characterId}`)}>
        {text.traits.roll}
      </ButtonLink>
    </section>
  )
}
