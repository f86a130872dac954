import { useActing, useCampaign } from '../../data/acting.ts'
import { useAction } from '../../ui/action.ts'
import { IconButton } from '../../ui/button.tsx'
import { Pips } from '../../ui/marks.tsx'
import { text } from './text.ts'

const MAX_LEVEL = 5

/** Danger and desperation, which every storyteller of the company moves. */
export function Levels() {
  const { campaign } = useCampaign()
  return (
    <>
      <Level name="danger" label={text.danger} value={campaign.danger} />
      <Level name="desperation" label={text.desperation} value={campaign.desperation} />
    </>
  )
}

function Level({ name, label, value }: { name: 'danger' | 'desperation'; label: string; value: number }) {
  const { api, user } = useActing()
  const { campaign, reload } = useCampaign()
  const { run, busy } = useAction(async (by: number) => {
    await api.campaigns.adjust(campaign.id, { [name]: by })
    await reload()
  })
  const isMovable = user.role !== 'PLAYER'
  return (
    <div class="level">
      <span class="level-name">{label}</span>
      {isMovable && <IconButton label={text.lower(label)} icon="minus" busy={busy} disabled={value <= 0} onClick={() => run(-1)} />}
      <Pips label={label} value={value} max={MAX_LEVEL} />
      {isMovable && <IconButton label={text.raise(label)} icon="plus" busy={busy} disabled={value >= MAX_LEVEL} onClick={() => run(1)} />}
    </div>
  )
}
