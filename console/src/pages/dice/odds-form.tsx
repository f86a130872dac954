import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { OddsDraft } from './odds-request.ts'
import type { People } from './people.ts'
import { text } from './text.ts'

interface OddsFormProps {
  draft: OddsDraft
  onChange: (change: Partial<OddsDraft>) => void
  faults: Record<string, string>
  people: People
}

const MODES = Object.entries(text.odds.modes) as [OddsDraft['mode'], string][]
const COMPARES = Object.entries(text.odds.compares) as [OddsDraft['compare'], string][]

/** The roll whose odds are computed: notation, or a pool of dice. */
export function OddsForm({ draft, onChange, faults, people }: OddsFormProps) {
  const words = text.odds
  return (
    <Tabs label={words.modeLabel} tabs={MODES} value={draft.mode} onChange={(mode) => onChange({ mode })}>
      <div class="odds-form">
        {draft.mode === 'notation' ? (
          <NotationFields draft={draft} onChange={onChange} faults={faults} />
        ) : (
          <PoolFields draft={draft} onChange={onChange} faults={faults} />
        )}
        {people.characters.length > 0 && (
          <Select
            label={words.character}
            value={draft.characterId}
            options={[['', words.noCharacter], ...people.characters]}
            onChange={(characterId) => onChange({ characterId })}
            error={faults.character_id}
          />
        )}
        {draft.mode === 'notation' && draft.target !== '' && (
          <div class="whole">
            <Checkbox label={words.naturals} checked={draft.naturals} onChange={(naturals) => onChange({ naturals })} />
            {faults.naturals && <p class="error">{faults.naturals}</p>}
          </div>
        )}
      </div>
    </Tabs>
  )
}

type FieldsProps = Omit<OddsFormProps, 'people'>

function NotationFields({ draft, onChange, faults }: FieldsProps) {
  const words = text.odds
  return (
    <>
      <div class="whole">
        <TextField
          label={words.notation}
          hint={words.notationHint}
          value={draft.notation}
          error={faults.notation}
          spellcheck={false}
          maxlength={1024}
          onInput={(notation) => onChange({ notation })}
        />
      </div>
      <TextField
        label={words.target}
        value={draft.target}
        placeholder={words.optional}
        inputmode="numeric"
        error={faults.target}
        onInput={(target) => onChange({ target })}
      />
      {draft.target !== '' && (
        <Select label={words.compare} value={draft.compare} options={COMPARES} onChange={(compare) => onChange({ compare })} />
      )}
    </>
  )
}

/** The numbers of a pool: the field of the draft, and its name in the request. */
const POOL_NUMBERS = [
  ['sides', 'pool.sides'],
  ['difficulty', 'pool.difficulty'],
  ['needed', 'pool.needed'],
  ['modifier', 'pool.modifier'],
  ['desperation', 'pool.desperation_dice'],
] as const

function PoolFields({ draft, onChange, faults }: FieldsProps) {
  const words = text.odds
  return (
    <>
      <div class="whole">
        <TextField
          label={words.dice}
          hint={words.diceHint}
          value={draft.dice}
          error={faults['pool.dice'] ?? faults['pool.traits'] ?? faults['pool.traits.0'] ?? faults.pool}
          spellcheck={false}
          onInput={(dice) => onChange({ dice })}
        />
      </div>
      {POOL_NUMBERS.map(([name, path]) => (
        <TextField
          key={name}
          label={words[name]}
          value={draft[name]}
          placeholder={words.optional}
          inputmode="numeric"
          error={faults[path]}
          onInput={(value) => onChange({ [name]: value })}
        />
      ))}
    </>
  )
}
