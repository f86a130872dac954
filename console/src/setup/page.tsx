import type { PageProps } from '../routes.tsx'
import { Page } from '../ui/page.tsx'
import { SetupPanel } from './panel.tsx'
import { text } from './text.ts'

/** The setup of the sample table, to go on with one that was begun, or to make new links for its players. */
export default function SetupPage({ me }: PageProps) {
  return (
    <Page title={text.pageTitle}>
      <SetupPanel me={me} />
    </Page>
  )
}
