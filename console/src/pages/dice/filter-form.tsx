import { text as play } from '../../play/text.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { type Filters, isFiltering, NO_FILTERS } from './filters.ts'
import type { People } from './people.ts'
import { text } from './text.ts'

interface FilterFormProps {
  filters: Filters
  onChange: (filters: Filters) => void
  people: People
}

const OUTCOMES = Object.entries(play.outcomes) as [Filters['outcome'], string][]
const VOIDS = Object.entries(text.rolls.voids) as [Filters['voided'], string][]

/** The filters of the list of rolls. */
export function FilterForm({ filters, onChange, people }: FilterFormProps) {
  const words = text.rolls
  const set = (change: Partial<Filters>) => onChange({ ...filters, ...change })
  return (
    <search class="filters" aria-label={words.filters}>
      <Select
        label={words.roller}
        value={filters.roller}
        options={[['', words.everyone], ...people.users]}
        onChange={(roller) => set({ roller })}
      />
      <Select
        label={words.character}
        value={filters.character}
        options={[['', words.anyCharacter], ...people.characters]}
        onChange={(character) => set({ character })}
      />
      <Select
        label={words.outcome}
        value={filters.outcome}
        options={[['', words.anyOutcome], ...OUTCOMES]}
        onChange={(outcome) => set({ outcome })}
      />
      <Select label={words.voided} value={filters.voided} options={VOIDS} onChange={(voided) => set({ voided })} />
      <TextField label={words.from} type="date" value={filters.from} onInput={(from) => set({ from })} />
      <TextField label={words.to} type="date" value={filters.to} onInput={(to) => set({ to })} />
      {isFiltering(filters) && (
        <Button look="quiet" icon="close" onClick={() => onChange(NO_FILTERS)}>
          {words.clear}
        </Button>
      )}
    </search>
  )
}
