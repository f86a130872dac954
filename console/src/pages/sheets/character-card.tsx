import type { SheetListItem } from '@guildhall/client'
import { statusWords } from '../../play/character-words.ts'
import { hrefOf } from '../../router.ts'
import { Badge, Initials, Secret } from '../../ui/marks.tsx'
import { text } from './text.ts'

/** The fields of a character that the list shows. */
export type CharacterSummary = Pick<
  SheetListItem,
  'id' | 'campaign_id' | 'name' | 'concept' | 'type' | 'status' | 'visibility' | 'user_id' | 'traits' | 'version'
>

interface CharacterCardProps {
  character: CharacterSummary
  path: string
  isOwn: boolean
  player: string | undefined
}

/** A character of the list, which leads to its sheet. */
export function CharacterCard({ character: { name, concept, status, visibility, traits }, path, isOwn, player }: CharacterCardProps) {
  const isMarked = isOwn || status !== 'ACTIVE' || visibility === 'STORYTELLER' || traits === null
  return (
    <a class={status === 'ACTIVE' ? 'card character-card' : 'card character-card past'} href={hrefOf(path)}>
      <Initials name={name} />
      <span class="character-words">
        <strong>{name}</strong>
        {concept && <span class="quiet concept">{concept}</span>}
        {player && !isOwn && <span class="quiet small">{text.playedBy(player)}</span>}
        {isMarked && (
          <span class="marks">
            {isOwn && <Badge tone="accent">{text.yours}</Badge>}
            {status !== 'ACTIVE' && <Badge tone={status === 'DEAD' ? 'bad' : 'plain'}>{statusWords[status]}</Badge>}
            {visibility === 'STORYTELLER' && <Secret />}
            {traits === null && <Badge>{text.hiddenSheet}</Badge>}
          </span>
        )}
      </span>
    </a>
  )
}
