import { useCampaign } from '../../data/acting.ts'
import { hrefOf, navigate, useQuery } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { ChooseRoll } from './choose-roll.tsx'
import { Pasted } from './pasted.tsx'
import { StoredRoll } from './stored-roll.tsx'
import { text } from './text.ts'

type Way = keyof typeof text.ways
const WAYS = Object.entries(text.ways) as [Way, string][]

/** Checks in the browser that a roll was fair, step by step. */
export default function Verify({ params: { roll } }: PageProps) {
  const { campaign, path } = useCampaign()
  const [pasted, setPasted] = useQuery('paste')
  const way: Way = pasted === null ? 'roll' : 'paste'
  const base = `${path}/dice/verify`
  const change = (next: Way) => (roll ? navigate(next === 'paste' ? `${base}?paste=` : base) : setPasted(next === 'paste' ? '' : null))
  return (
    <Page
      title={text.title}
      above={campaign.name}
      actions={
        roll && (
          <ButtonLink href={hrefOf(base)} icon="dice">
            {text.other}
          </ButtonLink>
        )
      }
    >
      <p class="verify-about">
        {text.about}{' '}
        <a href="/docs/fairness" target="_blank" rel="noopener">
          {text.docs}
        </a>
      </p>
      <Tabs label={text.waysLabel} tabs={WAYS} value={way} onChange={change}>
        {way === 'paste' ? <Pasted /> : roll ? <StoredRoll key={roll} id={roll} /> : <ChooseRoll />}
      </Tabs>
    </Page>
  )
}
