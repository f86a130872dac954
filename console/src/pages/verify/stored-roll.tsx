import type { DiceRoll } from '@guildhall/client'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { noteProved } from '../../play/proved.ts'
import { Roll } from '../../play/roll.tsx'
import { Show } from '../../ui/page.tsx'
import { usePeople } from '../dice/people.ts'
import { Reveal } from './reveal.tsx'
import { Verification } from './verification.tsx'

/** Verifies a roll that the service has. When its seed is revealed, here or elsewhere, the steps that waited are checked. */
export function StoredRoll({ id }: { id: string }) {
  const { api, user } = useActing()
  const { campaign } = useCampaign()
  const people = usePeople()
  const loaded = useLiveLoad(
    async (signal) => {
      const [roll, proof] = await Promise.all([api.diceRolls.get(id, { signal }), api.diceRolls.proof(id, { signal })])
      return { roll, proof }
    },
    ['dice_seed', 'dice_roll'],
    [id, user.id, campaign.id],
  )
  return (
    <Show of={loaded}>
      {({ roll, proof }) => (
        <div class="verify-columns">
          <div class="verified-roll">
            <Roll roll={asListItem(roll)} roller={people.nameOf(roll)} time="relative" />
          </div>
          <div>
            <Verification proof={proof} roll={roll} onHold={() => noteProved(id)}>
              {proof.server_seed === null && <Reveal seedId={proof.seed_id} onReveal={loaded.reload} />}
            </Verification>
          </div>
        </div>
      )}
    </Show>
  )
}

/** A single roll has all fields of an item of the list. */
const asListItem = (roll: DiceRoll) => ({ ...roll, truncated: false })
