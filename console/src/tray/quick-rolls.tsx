import type { QuickRoll } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { useLiveList } from '../data/live-list.ts'
import type { Loaded } from '../data/load.ts'
import { text as shared } from '../text.ts'
import { useAction } from '../ui/action.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { text } from './text.ts'

export interface QuickRollsOf {
  campaignId: string | undefined
  characterId: string | undefined
}

const byName = (a: QuickRoll, b: QuickRoll) => a.name.localeCompare(b.name)

/** The quick rolls at hand: the user's, those of the character who rolls, and those of the campaign. */
export function useQuickRolls({ campaignId, characterId }: QuickRollsOf): QuickRoll[] {
  const { api, user } = useActing()
  const campaign = campaignId ? api.campaign(campaignId) : undefined
  const own = useLiveList<QuickRoll>(
    {
      load: (signal) => api.quickRolls.list({}, { signal }).all(),
      type: 'quick_roll',
      accepts: (quick) => quick.user_id === user.id,
      compare: byName,
    },
    [user.id],
  )
  const ofCharacter = useLiveList<QuickRoll>(
    {
      load: async (signal) => (campaign && characterId ? campaign.character(characterId).quickRolls.list({}, { signal }).all() : []),
      type: 'quick_roll',
      accepts: (quick) => quick.character_id !== null && quick.character_id === characterId,
      compare: byName,
    },
    [user.id, campaignId, characterId],
  )
  const ofCampaign = useLiveList<QuickRoll>(
    {
      load: async (signal) => (campaign ? campaign.quickRolls.list({}, { signal }).all() : []),
      type: 'quick_roll',
      accepts: (quick) => quick.character_id === null && quick.campaign_id !== null && quick.campaign_id === campaignId,
      compare: byName,
    },
    [user.id, campaignId],
  )
  // A list that cannot be read, such as that of a hidden sheet, counts as empty: dice can still be rolled.
  const itemsOf = ({ data = [] }: Loaded<QuickRoll[]>) => data
  return [ofCharacter, own, ofCampaign].flatMap(itemsOf)
}

/** Returns a function from a quick roll to the operations of its owner: the user, the character or the campaign. */
function useOwnerOf(): (quick: Pick<QuickRoll, 'campaign_id' | 'character_id'>) => {
  delete: (id: string) => Promise<void>
} {
  const { api } = useActing()
  return ({ campaign_id, character_id }) => {
    if (!campaign_id) return api.quickRolls
    const campaign = api.campaign(campaign_id)
    return character_id ? campaign.character(character_id).quickRolls : campaign.quickRolls
  }
}

interface QuickRollsProps {
  quickRolls: readonly QuickRoll[]
  busy: boolean
  onRoll: (quick: QuickRoll) => void
  /** Saves the dice in the tray. Undefined while the tray is empty. */
  onSave: (() => void) | undefined
}

/** The quick rolls as chips that roll at once. */
export function QuickRolls({ quickRolls, busy, onRoll, onSave }: QuickRollsProps) {
  const [isManaging, setManaging] = useState(false)
  if (!quickRolls.length && !onSave) return null
  return (
    <div class="quick-rolls">
      {quickRolls.length > 0 && (
        <ul class="chips" aria-label={text.quick.title}>
          {quickRolls.map((quick) => (
            <li key={quick.id}>
              <button
                type="button"
                class="chip"
                aria-busy={busy || undefined}
                aria-label={text.quick.roll(quick.name)}
                title={describe(quick)}
                onClick={() => onRoll(quick)}
              >
                {quick.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {onSave && (
        <Button look="quiet" icon="plus" aria-label={text.quick.save} onClick={onSave}>
          {text.quick.saveShort}
        </Button>
      )}
      {quickRolls.length > 0 && <IconButton label={text.quick.manage} icon="edit" onClick={() => setManaging(true)} />}
      {isManaging && <Manage quickRolls={quickRolls} onClose={() => setManaging(false)} />}
    </div>
  )
}

/** A quick roll in short: its dice. */
function describe({ notation, pool, rolls }: QuickRoll): string {
  if (notation) return notation
  if (rolls) return text.quick.rolls(rolls.length)
  return pool?.traits ? pool.traits.join(' + ') : `${pool?.dice ?? 0}d${pool?.sides ?? 10}`
}

function Manage({ quickRolls, onClose }: { quickRolls: readonly QuickRoll[]; onClose: () => void }) {
  const ownerOf = useOwnerOf()
  const { run, busy } = useAction((quick: QuickRoll) => ownerOf(quick).delete(quick.id))
  return (
    <Dialog title={text.quick.title} onClose={onClose}>
      <div class="dialog-body">
        {quickRolls.length ? (
          <ul class="rows">
            {quickRolls.map((quick) => (
              <li key={quick.id} class="row">
                <strong>{quick.name}</strong>
                <span class="quiet">{describe(quick)}</span>
                <span class="end">
                  <IconButton label={text.quick.remove(quick.name)} icon="archive" busy={busy} onClick={() => run(quick)} />
                </span>
              </li>
            ))}
          </ul>
        ) : (
          <p class="quiet">{text.quick.none}</p>
        )}
      </div>
      <footer>
        <Button onClick={onClose}>{shared.close}</Button>
      </footer>
    </Dialog>
  )
}
