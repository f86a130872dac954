import { useActing } from '../../data/acting.ts'
import { Notes } from '../../notes/notes.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { text } from '../chronicle/text.ts'

/** The notes that a user writes outside campaigns, for themselves. */
export default function Notebook() {
  const { api, path, company } = useActing()
  return (
    <Page title={text.notebook} above={company.name}>
      <p class="lead">{text.notebookLead}</p>
      <Section title={text.notes}>
        <Notes place={{ api: api.notes, path: `${path}/notebook`, isNotebook: true, isStoryteller: false }} />
      </Section>
    </Page>
  )
}
