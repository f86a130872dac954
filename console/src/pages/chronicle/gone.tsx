import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Page } from '../../ui/page.tsx'
import { text } from './text.ts'

/** Shown in place of a book or a chapter that was archived or does not exist. */
export function Gone({ title }: { title: string }) {
  const { path } = useCampaign()
  return (
    <Page title={text.title}>
      <Empty title={title} action={<ButtonLink href={hrefOf(`${path}/chronicle`)}>{text.back}</ButtonLink>} />
    </Page>
  )
}
