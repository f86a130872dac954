import { RestoreButton } from '../../archived/restore-button.tsx'
import { useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { Initials, Secret } from '../../ui/marks.tsx'
import { Section } from '../../ui/page.tsx'
import { text } from './text.ts'

/** The archived characters that the acting user may restore, if there are any. */
export function Archived() {
  const { api, path } = useCampaign()
  const archived = useLiveLoad(
    (signal) => api.characters.list({ archived: true, sort: 'name' }, { signal }).all(100),
    ['character'],
    [path],
  )
  if (!archived.data?.length) return null
  return (
    <Section title={text.parts.archived}>
      <p class="quiet">{text.archivedHint}</p>
      <ul class="rows">
        {archived.data.map(({ id, name, concept, visibility }) => (
          <li key={id} class="row">
            <Initials name={name} />
            <span class="row-words">
              <strong>{name}</strong>
              {concept && <span class="quiet">{concept}</span>}
            </span>
            {visibility === 'STORYTELLER' && <Secret />}
            <RestoreButton
              name={name}
              restore={async () => {
                await api.characters.restore(id)
                await archived.reload()
              }}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
