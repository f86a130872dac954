import type { Settlement } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../../data/acting.ts'
import { Roll } from '../../../play/roll.tsx'
import { useAction } from '../../../ui/action.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { text } from '../text.ts'
import type { FeedRoll } from './entry.ts'

interface RollEntryProps {
  roll: FeedRoll
  roller: string
  isNew: boolean
  /** Shows the roll as the service answered after a change. */
  onChanged: (roll: FeedRoll) => void
}

/** A roll in the feed: with its price to choose, and for storytellers the way to void it. */
export function RollEntry({ roll, roller, isNew, onChanged }: RollEntryProps) {
  const { isStoryteller, path } = useCampaign()
  const [isVoiding, setVoiding] = useState(false)
  // The dice land once, and not again when the feed comes back into view.
  const [isLanding, setLanding] = useState(isNew)
  return (
    <div class="feed-roll" onAnimationEnd={({ animationName }) => animationName === 'appear' && setLanding(false)}>
      <Roll
        roll={{ ...roll, truncated: false }}
        roller={roller}
        isLanding={isLanding}
        // Only storytellers get the proof of a secret roll.
        {...((isStoryteller || roll.visibility === 'PUBLIC') && { verifyPath: `${path}/dice/verify/${roll.id}` })}
        actions={isStoryteller && !roll.date_voided && <IconButton label={text.feed.void} icon="close" onClick={() => setVoiding(true)} />}
      />
      {roll.void_reason && <p class="quiet">{text.feed.voidReason(roll.void_reason)}</p>}
      {roll.strained && !roll.settlement && !roll.date_voided && <Price roll={roll} onChanged={onChanged} />}
      {isVoiding && <VoidDialog roll={roll} onChanged={onChanged} onClose={() => setVoiding(false)} />}
    </div>
  )
}

/** A desperation die shows 1: the roller, or a storyteller for them, chooses what it costs. */
function Price({ roll, onChanged }: Omit<RollEntryProps, 'roller' | 'isNew'>) {
  const { api, user } = useActing()
  const { isStoryteller } = useCampaign()
  const { run, busy } = useAction(async (choice: Settlement) => onChanged(await api.diceRolls.settle(roll.id, { choice })))
  if (roll.user_id !== user.id && !isStoryteller) return <p class="price quiet">{text.feed.waitsForPrice}</p>
  return (
    <fieldset class="price">
      <legend>{text.feed.price}</legend>
      <Button busy={busy} onClick={() => run('OVERREACH')}>
        {text.feed.overreach}
      </Button>
      <Button busy={busy} onClick={() => run('DESPAIR')}>
        {text.feed.despair}
      </Button>
    </fieldset>
  )
}

function VoidDialog({ roll, onChanged, onClose }: Omit<RollEntryProps, 'roller' | 'isNew'> & { onClose: () => void }) {
  const { api } = useActing()
  const form = useForm({ reason: '' }, async ({ values }) => {
    onChanged(await api.diceRolls.void(roll.id, values))
    onClose()
  })
  return (
    <FormDialog title={text.feed.void} action={text.feed.void} look="danger" of={form} onClose={onClose}>
      <p class="quiet">{text.feed.voidText}</p>
      <TextField label={text.feed.reason} {...form.input('reason')} maxlength={500} required autofocus />
    </FormDialog>
  )
}
