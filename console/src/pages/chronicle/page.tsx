import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { Archived } from '../../notes/archived.tsx'
import { Notes } from '../../notes/notes.tsx'
import { hrefOf, useQuery } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Page, Section, Show } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Contents } from './contents.tsx'
import { SummaryDialog } from './summary-dialog.tsx'
import { text } from './text.ts'

/** The story of a campaign: its books and chapters as a table of contents, and its notes. */
export default function Chronicle() {
  const { campaign, api, isStoryteller, path } = useCampaign()
  const [isAdding, setAdding] = useState(false)
  const books = useLiveLoad((signal) => api.books.list({ include: ['chapters'] }, { signal }).all(), ['book', 'chapter'], [path])
  const add = isStoryteller && (
    <Button icon="plus" look="primary" onClick={() => setAdding(true)}>
      {text.book.add}
    </Button>
  )
  return (
    <Page title={text.title} above={<a href={hrefOf(path)}>{campaign.name}</a>} actions={books.data?.length ? add : undefined} isWide>
      <div class="chronicle">
        <Section title={text.contents} class="contents">
          <Show of={books}>
            {(items) =>
              items.length ? (
                <Contents books={items} reload={books.reload} />
              ) : (
                <Empty
                  title={text.book.empty}
                  action={add}
                  call={isStoryteller ? curl('POST', `${path}/books`, { name: 'The drowned bell' }) : undefined}
                >
                  {isStoryteller ? text.book.emptyText : text.book.emptyPlayer}
                </Empty>
              )
            }
          </Show>
          {isStoryteller && (
            <Archived
              of={path}
              type="book"
              load={async (signal) => (await api.books.list({ archived: true, limit: 100 }, { signal })).items}
              onRestore={async (id) => {
                await api.books.restore(id)
                await books.reload()
              }}
            />
          )}
        </Section>
        <NotesOfCampaign />
      </div>
      {isAdding && (
        <SummaryDialog
          title={text.book.new}
          save={async (body) => {
            await api.books.create(body)
            await books.reload()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  )
}

/** The notes of the campaign, or those of the user's own notebook. */
function NotesOfCampaign() {
  const { api: userApi } = useActing()
  const { api, isStoryteller, path } = useCampaign()
  const [chosen, choose] = useQuery('notes')
  const isNotebook = chosen === 'mine'
  const own = `${path}/chronicle`
  const place = isNotebook
    ? { api: userApi.notes, path: `${own}?notes=mine`, isNotebook, isStoryteller }
    : { api: api.notes, path: own, isNotebook, isStoryteller }
  return (
    <Section title={text.notes} class="chronicle-notes">
      <Tabs
        label={text.notes}
        tabs={text.noteTabs}
        value={isNotebook ? 'mine' : 'campaign'}
        onChange={(tab) => choose(tab === 'mine' ? tab : null)}
      >
        <Notes key={String(isNotebook)} place={place} />
      </Tabs>
    </Section>
  )
}
