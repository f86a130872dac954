import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { Markdown } from '../../markdown/markdown.tsx'
import { Notes } from '../../notes/notes.tsx'
import type { NotesApi } from '../../notes/place.ts'
import { navigate } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ArchiveButton } from './archive-button.tsx'
import { type Summarized, SummaryDialog, type SummaryDialogProps } from './summary-dialog.tsx'
import { text } from './text.ts'

interface StoryPageProps {
  /** The book or chapter. */
  of: Summarized
  words: { edit: string; archiveText: string; noText: string }
  above: ComponentChildren
  path: string
  /** The path of the page that it is part of, which is shown after it was archived. */
  parentPath: string
  notes: NotesApi
  archive: () => Promise<unknown>
  save: SummaryDialogProps['save']
  read: () => Promise<Summarized>
  /** The part below the summary. */
  children: ComponentChildren
}

/** A book or a chapter with its summary and its notes. Storytellers edit and archive it. */
export function StoryPage({ of, words, above, path, parentPath, notes, archive, save, read, children }: StoryPageProps) {
  const { isStoryteller } = useCampaign()
  const [isEditing, setEditing] = useState(false)
  const actions = isStoryteller && (
    <>
      <ArchiveButton
        name={of.name}
        question={words.archiveText}
        onArchive={async () => {
          await archive()
          navigate(parentPath)
        }}
      />
      <Button icon="edit" onClick={() => setEditing(true)}>
        {text.edit}
      </Button>
    </>
  )
  return (
    <Page title={of.name} above={above} actions={actions} isWide>
      <div class="chronicle">
        <div>
          <section class="summary" aria-label={text.summary}>
            <h2 class="visually-hidden">{text.summary}</h2>
            {of.description ? <Markdown source={of.description} /> : <p class="quiet">{words.noText}</p>}
          </section>
          {children}
        </div>
        <Section title={text.notes} class="chronicle-notes">
          <Notes place={{ api: notes, path, isNotebook: false, isStoryteller }} />
        </Section>
      </div>
      {isEditing && <SummaryDialog title={words.edit} of={of} save={save} read={read} onClose={() => setEditing(false)} />}
    </Page>
  )
}
