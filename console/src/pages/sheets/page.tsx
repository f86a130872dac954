import type { SheetListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveList } from '../../data/live-list.ts'
import { useUserNames } from '../../data/names.ts'
import { hrefOf } from '../../router.ts'
import { useRuleset } from '../../rules/use-ruleset.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Empty, Page, Section, Show } from '../../ui/page.tsx'
import { hasCreation } from '../creation/document.ts'
import { Archived } from './archived.tsx'
import { CharacterCard, type CharacterSummary } from './character-card.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { Filters, useFilter } from './filter.tsx'
import { OpenCreations } from './open-creations.tsx'
import { text } from './text.ts'

/** The most characters that are read. A campaign with more has a search for that. */
const MAX_READ = 1000

const NAMES = new Intl.Collator(undefined, { numeric: true })
const byName = (a: CharacterSummary, b: CharacterSummary) => NAMES.compare(a.name, b.name) || a.id.localeCompare(b.id)

/** The part of the page that a character belongs to. */
const partOf = ({ type, status }: CharacterSummary) => (status !== 'ACTIVE' ? 'past' : type === 'PLAYER' ? 'party' : 'npcs')

/** The characters of a campaign that the acting user sees. */
export default function Sheets() {
  const { api, campaign, path, isStoryteller } = useCampaign()
  const { user } = useActing()
  const [isCreating, setCreating] = useState(false)
  const characters = useLiveList<CharacterSummary>(
    {
      load: (signal) => api.characters.list({}, { signal }).all(MAX_READ) as Promise<SheetListItem[]>,
      type: 'character',
      accepts: ({ campaign_id }) => campaign_id === campaign.id,
      compare: byName,
    },
    [path],
  )
  const filter = useFilter()
  const nameOf = useUserNames((characters.data ?? []).map(({ user_id }) => user_id))
  const document = useRuleset().data?.document
  // Players fill in no sheets where only storytellers change traits.
  const isGuided = hasCreation(document) && (isStoryteller || campaign.trait_changes !== 'STORYTELLER')
  const create = (
    <>
      {isGuided && isStoryteller && (
        <ButtonLink href={hrefOf(`${path}/characters/generate`)} icon="dice">
          {text.generate}
        </ButtonLink>
      )}
      <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
        {text.create}
      </Button>
    </>
  )
  const call = curl('POST', `${path}/characters`, { name: 'Jonathan Crane' })
  return (
    <Page title={text.title} above={campaign.name} actions={create}>
      {campaign.ruleset_version_id !== null && <OpenCreations />}
      <Show of={characters}>
        {(all) => {
          if (!all.length)
            return (
              <Empty title={text.empty.title} call={call} action={<Button onClick={() => setCreating(true)}>{text.empty.action}</Button>}>
                {text.empty.text}
              </Empty>
            )
          const found = all.filter(filter.accepts)
          return (
            <>
              <Filters filter={filter} />
              {all.length >= MAX_READ && <p class="quiet">{text.cut(MAX_READ)}</p>}
              {found.length === 0 && (
                <Empty title={text.filter.none} action={<Button onClick={filter.clear}>{text.filter.clear}</Button>}>
                  {text.filter.noneHint}
                </Empty>
              )}
              {(['party', 'npcs', 'past'] as const).map((part) => {
                const members = found.filter((character) => partOf(character) === part)
                return (
                  members.length > 0 && (
                    <Section key={part} title={text.parts[part]}>
                      <ul class="cards">
                        {members.map((character) => (
                          <li key={character.id}>
                            <CharacterCard
                              character={character}
                              path={`${path}/characters/${character.id}`}
                              isOwn={character.user_id === user.id}
                              player={character.user_id ? nameOf(character.user_id) : undefined}
                            />
                          </li>
                        ))}
                      </ul>
                    </Section>
                  )
                )
              })}
            </>
          )
        }}
      </Show>
      <Archived />
      {isCreating && <CreateDialog game={isGuided ? (document.name ?? '') : undefined} onClose={() => setCreating(false)} />}
    </Page>
  )
}
