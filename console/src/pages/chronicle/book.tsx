import { ApiError, type BookWithChapters } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { Archived } from '../../notes/archived.tsx'
import { hrefOf } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Empty, Section } from '../../ui/page.tsx'
import { Chapters } from './contents.tsx'
import { Gone } from './gone.tsx'
import { StoryPage } from './story-page.tsx'
import { SummaryDialog } from './summary-dialog.tsx'
import { text } from './text.ts'

interface BookProps {
  book: BookWithChapters
  reload: () => Promise<void>
}

/** One book: its summary, its chapters and its notes. */
export default function BookPage({ params }: PageProps) {
  const id = params.book as string
  const { api } = useCampaign()
  const book = useLiveLoad(
    async (signal) => {
      const [read, chapters] = await Promise.all([api.books.get(id, {}, { signal }), api.book(id).chapters.list({}, { signal }).all()])
      return { ...read, chapters }
    },
    ['book', 'chapter'],
    [id],
  )
  if (ApiError.is(book.error, 'not_found')) return <Gone title={text.book.gone} />
  return (
    <LoadedPage title={text.title} of={book}>
      {(loaded) => <Book key={id} book={loaded} reload={book.reload} />}
    </LoadedPage>
  )
}

function Book({ book, reload }: BookProps) {
  const { api, path } = useCampaign()
  const chronicle = `${path}/chronicle`
  return (
    <StoryPage
      of={book}
      words={text.book}
      above={
        <>
          <a href={hrefOf(chronicle)}>{text.title}</a> · {text.book.numbered(book.number)}
        </>
      }
      path={`${chronicle}/books/${book.id}`}
      parentPath={chronicle}
      notes={api.book(book.id).notes}
      archive={() => api.books.delete(book.id)}
      save={async (body, ifMatch) => {
        await api.books.update(book.id, body, { ifMatch })
        await reload()
      }}
      read={() => api.books.get(book.id)}
    >
      <ChaptersOfBook book={book} reload={reload} />
    </StoryPage>
  )
}

function ChaptersOfBook({ book, reload }: BookProps) {
  const { api, isStoryteller, path } = useCampaign()
  const [isAdding, setAdding] = useState(false)
  const { chapters } = api.book(book.id)
  const add = isStoryteller && (
    <Button icon="plus" onClick={() => setAdding(true)}>
      {text.chapter.add}
    </Button>
  )
  return (
    <Section title={text.chapter.title} actions={book.chapters?.length ? add : undefined}>
      {book.chapters?.length ? (
        <Chapters book={book} chapters={book.chapters} reload={reload} />
      ) : (
        <Empty
          title={text.chapter.empty}
          action={add}
          call={isStoryteller && curl('POST', `${path}/books/${book.id}/chapters`, { name: 'The first stroke' })}
        >
          {isStoryteller && text.chapter.emptyText}
        </Empty>
      )}
      {isStoryteller && (
        <Archived
          of={book.id}
          type="chapter"
          load={async (signal) => (await chapters.list({ archived: true, limit: 100 }, { signal })).items}
          onRestore={async (id) => {
            await chapters.restore(id)
            await reload()
          }}
        />
      )}
      {isAdding && (
        <SummaryDialog
          title={text.chapter.new}
          save={async (body) => {
            await chapters.create(body)
            await reload()
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Section>
  )
}
