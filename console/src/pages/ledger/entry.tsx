import type { ExperienceEntryListItem } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { mayUndo } from '../../play/may-undo.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Time } from '../../ui/time.tsx'
import { text } from './text.ts'

const TONES = { AWARD: 'good', SPEND: 'accent', GAIN: 'good', REVERSAL: 'plain' } as const

interface EntryProps {
  entry: ExperienceEntryListItem
  names: (id: string) => string
  characterName: (id: string) => string
  isOwnCharacter: boolean
  onUndo: () => void
}

/** One entry: how much, why, for whom, by whom and when. */
export function Entry({ entry, names, characterName, isOwnCharacter, onUndo }: EntryProps) {
  const { user } = useActing()
  const { campaign, isStoryteller } = useCampaign()
  const { kind, delta, reason, user_id, awarded_by, character_id, trait, reversed_by, date_created } = entry
  const isOwner = campaign.experience_per === 'USER' ? user_id === user.id : isOwnCharacter
  const mayRaiseTraits = campaign.trait_changes !== 'STORYTELLER'
  return (
    <li class={reversed_by ? 'entry reversed' : 'entry'} data-entry={entry.id}>
      <span class={`entry-delta ${delta > 0 ? 'gain' : 'loss'}`}>{text.delta(delta)}</span>
      <div class="entry-main">
        <p class="entry-reason">
          <span>{reason}</span>
          <Badge tone={TONES[kind]}>{text.kinds[kind]}</Badge>
          {trait && <Badge>{text.trait(trait.name, trait.from, trait.to)}</Badge>}
          {reversed_by && <Badge tone="bad">{text.wasReversed}</Badge>}
        </p>
        <p class="quiet entry-who">
          <span>{text.forWhom(character_id ? characterName(character_id) : names(user_id))}</span>
          {character_id && <span>({names(user_id)})</span>}
          <span>{text.by(names(awarded_by))}</span>
          <Time at={date_created} />
        </p>
      </div>
      {mayUndo({ isStoryteller, isOwner, mayRaiseTraits }, entry) && (
        <Button look="quiet" icon="undo" aria-label={text.undoLabel(reason)} onClick={onUndo}>
          {text.undo}
        </Button>
      )}
    </li>
  )
}
