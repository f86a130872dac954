import type { ListedCreation } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { useUserNames } from '../../data/names.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { Abandon } from '../creation/abandon.tsx'
import { text as all } from './text.ts'

const text = all.creations

const MAX_SHOWN = 50

/** The characters that are being created, if there are any: one's own, and for storytellers those of everybody. */
export function OpenCreations() {
  const { api, campaign, path } = useCampaign()
  const { user } = useActing()
  // Creations have no events of their own. One that is finished is a new character.
  const open = useLiveLoad(
    (signal) => api.creations.list({ status: 'OPEN', sort: '-date_modified' }, { signal }).all(MAX_SHOWN),
    ['character'],
    [path, campaign.ruleset_version_id],
  )
  const nameOf = useUserNames((open.data ?? []).map(({ user_id }) => user_id))
  if (!open.data?.length) return null
  const wordsOf = ({ type, user_id }: ListedCreation) => {
    if (user_id === user.id) return type === 'NPC' ? text.ownNpc : text.own
    return type === 'NPC' ? text.npcBy(nameOf(user_id)) : text.by(nameOf(user_id))
  }
  return (
    <Section title={text.title} class="creations">
      <p class="quiet">{text.hint}</p>
      <ul class="rows">
        {open.data.map((creation) => {
          const { id, version_id, date_created } = creation
          const words = wordsOf(creation)
          const isStale = version_id !== campaign.ruleset_version_id
          return (
            <li key={id} class="row">
              <span class="row-words">
                <strong>{words}</strong>
                <span class="quiet">
                  {isStale ? (
                    text.changed
                  ) : (
                    <>
                      {text.started} <Time at={date_created} />
                    </>
                  )}
                </span>
              </span>
              <span class="end">
                <Abandon id={id} label={text.abandonOf(words)} onAbandoned={open.reload} />
                {!isStale && (
                  <ButtonLink href={hrefOf(`${path}/characters/creations/${id}`)}>
                    {text.continue}
                    <span class="visually-hidden">: {words}</span>
                  </ButtonLink>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
