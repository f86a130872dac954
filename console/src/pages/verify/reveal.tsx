import { useActing, useCampaign } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toast.tsx'
import type { SeedApi } from '../dice/seeds.tsx'
import { text } from './text.ts'

/** Offers to reveal the seed of a roll to those who may, and says to others whom to ask. */
export function Reveal({ seedId, onReveal }: { seedId: string; onReveal: () => Promise<void> }) {
  const { api: user } = useActing()
  const { api: campaign, isStoryteller } = useCampaign()
  const seed = useLoad<SeedApi | undefined>(
    async (signal) => {
      const seeds: SeedApi[] = [user.diceSeeds, ...(isStoryteller ? [campaign.diceSeeds, campaign.secretDiceSeeds] : [])]
      const ids = await Promise.all(seeds.map(async (each) => (await each.get({ signal })).id))
      return seeds[ids.indexOf(seedId)]
    },
    [seedId, isStoryteller],
  )
  const { run, busy } = useAction(async () => {
    await seed.data?.rotate()
    tell(text.reveal.done)
    await onReveal()
  })
  if (seed.isLoading) return null
  return (
    <div class="reveal">
      {seed.data ? (
        <>
          <p>{text.reveal.text}</p>
          <Button look="primary" icon="seal" busy={busy} onClick={() => run()}>
            {text.reveal.action}
          </Button>
        </>
      ) : (
        <p>{text.reveal.ask}</p>
      )}
    </div>
  )
}
