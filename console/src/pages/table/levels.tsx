import { useActing, useCampaign } from '../../data/acting.ts'
import { Gauge, MAX_TIDE } from '../../play/tide.tsx'
import { Step } from '../../play/tracker.tsx'
import { useAction } from '../../ui/action.ts'
import { text } from './text.ts'

/** Danger and desperation, which every storyteller of the company moves. A game that does not use them hides them. */
export function Levels() {
  const { campaign } = useCampaign()
  if (campaign.levels_display === 'HIDDEN') return null
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
    <Gauge
      label={label}
      value={value}
      isDespair={name === 'desperation'}
      less={isMovable && <Step label={text.lower(label)} icon="minus" busy={busy} disabled={value <= 0} onPress={() => run(-1)} />}
      more={isMovable && <Step label={text.raise(label)} icon="plus" busy={busy} disabled={value >= MAX_TIDE} onPress={() => run(1)} />}
    />
  )
}
