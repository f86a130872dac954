import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Odds } from './odds.tsx'
import { usePeople } from './people.ts'
import { Rolls } from './rolls.tsx'
import { Seeds } from './seeds.tsx'
import { text } from './text.ts'

/** Everything about dice: the odds of a roll, the rolls of the campaign, and the seeds that they follow from. */
export default function Dice() {
  const { campaign, path } = useCampaign()
  const people = usePeople()
  return (
    <Page
      title={text.title}
      above={campaign.name}
      isWide
      actions={
        <ButtonLink href={hrefOf(`${path}/dice/verify`)} icon="seal">
          {text.verify}
        </ButtonLink>
      }
    >
      <Odds people={people} />
      <Rolls people={people} />
      <Seeds />
    </Page>
  )
}
