import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { AwardDialog } from '../../play/award-dialog.tsx'
import { hrefOf } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Page, Section, Show } from '../../ui/page.tsx'
import { Balances } from './balances.tsx'
import { Entries } from './entries.tsx'
import { useLedger } from './owners.ts'
import { SpendDialog } from './spend-dialog.tsx'
import { text } from './text.ts'

/** The experience of a campaign: balances, and the entries that they are the sum of. */
export default function Ledger() {
  const { campaign, isStoryteller, path } = useCampaign()
  const [dialog, setDialog] = useState<'award' | 'spend'>()
  const { loaded, data, characterName } = useLedger()
  const maySpend = data?.owners.some(({ isOwn, available }) => available > 0 && (isOwn || isStoryteller))
  const award = isStoryteller && (
    <Button icon="plus" look="primary" onClick={() => setDialog('award')}>
      {text.award}
    </Button>
  )
  return (
    <Page
      title={text.title}
      above={<a href={hrefOf(path)}>{campaign.name}</a>}
      actions={
        <>
          {maySpend && (
            <Button icon="minus" onClick={() => setDialog('spend')}>
              {text.spend}
            </Button>
          )}
          {award}
        </>
      }
    >
      <Show of={loaded}>
        {() =>
          data && (
            <>
              <Section title={text.balances}>
                <Balances owners={data.owners} isPerUser={campaign.experience_per === 'USER'} />
              </Section>
              <Entries owners={data.owners} characters={data.characters} characterName={characterName} award={award} />
            </>
          )
        }
      </Show>
      {dialog === 'award' && <AwardDialog onClose={() => setDialog(undefined)} />}
      {dialog === 'spend' && data && <SpendDialog data={data} onClose={() => setDialog(undefined)} />}
    </Page>
  )
}
