import type { Creation } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { hrefOf, navigate } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { useRuleset } from '../../rules/use-ruleset.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { Unavailable } from '../../ui/unavailable.tsx'
import { Abandon } from './abandon.tsx'
import { hasCreation } from './document.ts'
import { text } from './text.ts'
import { Wizard } from './wizard.tsx'

/** A character that is being created, unless it is finished or cannot go on. */
export default function CreationPage({ params }: PageProps) {
  const { api, campaign, path } = useCampaign()
  const id = params.creation as string
  const ruleset = useRuleset()
  const creation = useLoad<Creation>((signal) => api.creations.get(id, { signal }), [path, id])
  const href = hrefOf(`${path}/characters`)
  if (!creation.data) return <Unavailable of={creation} words={text.gone} href={href} />
  const { status, character_id, type, version_id } = creation.data
  if (status === 'FINISHED')
    return (
      <Page title={text.title[type]} above={campaign.name}>
        <Empty
          title={text.finished.title}
          action={
            <ButtonLink href={hrefOf(`${path}/characters/${character_id}`)} look="primary">
              {text.finished.action}
            </ButtonLink>
          }
        />
      </Page>
    )
  if (status === 'ABANDONED')
    return (
      <Page title={text.gone.title} above={campaign.name}>
        <Empty title={text.gone.text} action={<ButtonLink href={href}>{text.gone.action}</ButtonLink>} />
      </Page>
    )
  if (version_id !== campaign.ruleset_version_id)
    return (
      <Page title={text.title[type]} above={campaign.name}>
        <Empty title={text.changed.title} action={<Abandon id={id} onAbandoned={() => navigate(`${path}/characters`)} />}>
          {text.changed.text}
        </Empty>
      </Page>
    )
  const document = ruleset.data?.document
  if (!hasCreation(document)) return <Unavailable of={ruleset} words={text.gone} href={href} />
  return <Wizard document={document} creation={creation.data} onChange={creation.set} />
}
