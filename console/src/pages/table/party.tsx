import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import type { Loaded } from '../../data/load.ts'
import { Tracker } from '../../play/tracker.tsx'
import { hrefOf } from '../../router.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Initials, Secret } from '../../ui/marks.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { text } from './text.ts'
import type { TableCharacter } from './use-characters.ts'
import { useTrackers } from './use-trackers.ts'

/** With more characters than this, trackers are shown on request. */
const MAX_WITH_TRACKERS = 12

/** The characters at the table, with the numbers that move during play. */
export function Party({ characters }: { characters: Loaded<TableCharacter[]> }) {
  const { path } = useCampaign()
  return (
    <Section title={text.party.title} class="table-part party-part">
      <Show of={characters}>
        {(all) => {
          const living = all.filter(({ status }) => status === 'ACTIVE')
          const players = living.filter(({ type }) => type === 'PLAYER')
          const npcs = living.filter(({ type }) => type === 'NPC')
          return (
            <>
              {players.length ? (
                <CharacterList characters={players} />
              ) : (
                <Empty
                  title={text.party.empty}
                  action={<ButtonLink href={hrefOf(`${path}/characters`)}>{text.party.create}</ButtonLink>}
                  call={curl('POST', `${path}/characters`, { name: 'Jonathan Crane' })}
                />
              )}
              {npcs.length > 0 && <Npcs characters={npcs} />}
            </>
          )
        }}
      </Show>
    </Section>
  )
}

/** The characters of the storytellers. Their trackers are read when the list is opened. */
function Npcs({ characters }: { characters: TableCharacter[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="npcs" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{text.party.npcs(characters.length)}</summary>
      {isOpen && <CharacterList characters={characters} />}
    </details>
  )
}

function CharacterList({ characters }: { characters: TableCharacter[] }) {
  return (
    <ul class="party">
      {characters.map((character, index) => (
        <CharacterCard key={character.id} character={character} isOpen={index < MAX_WITH_TRACKERS} />
      ))}
    </ul>
  )
}

function CharacterCard({ character, isOpen }: { character: TableCharacter; isOpen: boolean }) {
  const { user } = useActing()
  const { path, members, isStoryteller } = useCampaign()
  const [isShown, setShown] = useState(isOpen)
  const { id, name, concept, visibility, user_id } = character
  const isOwn = user_id === user.id
  const player = members.find((member) => member.user_id === user_id)?.name
  const about = [concept, character.type === 'PLAYER' && player].filter(Boolean).join(' · ')
  return (
    <li class={isOwn && !isStoryteller ? 'party-card own' : 'party-card'}>
      <a class="party-name" href={hrefOf(`${path}/characters/${id}`)} title={isOwn ? text.party.played : undefined}>
        <Initials name={name} />
        <span>
          <strong>{name}</strong>
          {about && <span class="quiet">{about}</span>}
        </span>
      </a>
      {visibility === 'STORYTELLER' && <Secret />}
      {isShown ? (
        <CharacterTrackers character={character} />
      ) : (
        <Button look="quiet" onClick={() => setShown(true)}>
          {text.party.showTrackers}
        </Button>
      )}
    </li>
  )
}

function CharacterTrackers({ character }: { character: TableCharacter }) {
  const trackers = useTrackers(character)
  return (
    <>
      {trackers.data?.map((tracker) => (
        <Tracker
          key={tracker.id}
          tracker={tracker}
          onMove={trackers.mayMove(tracker) ? (change) => trackers.move(tracker, change) : undefined}
        />
      ))}
    </>
  )
}
