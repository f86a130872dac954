import type { CharacterStatus, CharacterType } from '@guildhall/client'
import { statusWords, typeWords } from '../../play/character-words.ts'
import { navigate, usePath, useQuery } from '../../router.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { optionsOf } from '../../ui/options.ts'
import type { CharacterSummary } from './character-card.tsx'
import { text } from './text.ts'

/** Case and accents do not matter in a search. */
const folded = (value: string) => value.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** The filter in the address, so that a filtered list can be shared. */
export function useFilter() {
  const path = usePath().split('?')[0] as string
  const [name, setName] = useQuery('name')
  const [type, setType] = useQuery('type')
  const [status, setStatus] = useQuery('status')
  const accepts = (character: CharacterSummary) =>
    (!name || folded(`${character.name} ${character.concept ?? ''}`).includes(folded(name))) &&
    (!type || character.type === type) &&
    (!status || character.status === status)
  return { name, setName, type, setType, status, setStatus, accepts, clear: () => navigate(path, { replace: true }) }
}

const ALL = ['', text.filter.all] as const

/** The controls of the filter. */
export function Filters({ filter }: { filter: ReturnType<typeof useFilter> }) {
  const { name, setName, type, setType, status, setStatus } = filter
  return (
    <search class="filters" aria-label={text.filter.label}>
      <TextField type="search" label={text.filter.name} value={name ?? ''} onInput={(value) => setName(value || null)} />
      <Select<CharacterType | ''>
        label={text.filter.type}
        value={(type ?? '') as CharacterType | ''}
        options={[ALL, ...optionsOf(typeWords)]}
        onChange={(value) => setType(value || null)}
      />
      <Select<CharacterStatus | ''>
        label={text.filter.status}
        value={(status ?? '') as CharacterStatus | ''}
        options={[ALL, ...optionsOf(statusWords)]}
        onChange={(value) => setStatus(value || null)}
      />
    </search>
  )
}
