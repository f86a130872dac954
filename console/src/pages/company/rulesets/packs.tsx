import type { Pack } from '@guildhall/client'
import { useId } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { useLoad } from '../../../data/load.ts'
import { Show } from '../../../ui/page.tsx'
import { useRights } from '../rights.ts'
import { Attribution, License } from './license.tsx'
import { text } from './text.ts'

interface PacksProps {
  value: string
  error: string | undefined
  onChange: (pack: string) => void
}

/** The games that the service brings, of which one is chosen. */
export function Packs({ value, error, onChange }: PacksProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const id = useId()
  const packs = useLoad((signal) => companyApi.packs.list({}, { ...options, signal }).all(), [companyApi, options.onBehalfOf])
  return (
    <fieldset class="packs" aria-describedby={error && `${id}-error`}>
      <legend>{text.create.packs}</legend>
      <Show of={packs}>
        {(items) => (
          <div class="pack-cards">
            {items.map((pack) => (
              <PackCard key={pack.id} pack={pack} group={id} isChosen={pack.id === value} onChoose={() => onChange(pack.id)} />
            ))}
          </div>
        )}
      </Show>
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface PackCardProps {
  pack: Pack
  group: string
  isChosen: boolean
  onChoose: () => void
}

function PackCard({ pack: { id, name, description, license, attribution }, group, isChosen, onChoose }: PackCardProps) {
  const fieldId = `${group}-${id}`
  return (
    <div class="card pack">
      <input id={fieldId} type="radio" name={group} checked={isChosen} aria-describedby={`${fieldId}-about`} onChange={onChoose} />
      <label for={fieldId}>{name}</label>
      <div id={`${fieldId}-about`} class="pack-about">
        {description && <p>{description}</p>}
        <License of={license} />
        <Attribution of={attribution} />
      </div>
    </div>
  )
}
