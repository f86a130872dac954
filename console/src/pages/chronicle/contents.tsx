import type { BookListItem, ChapterPreview } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { hrefOf } from '../../router.ts'
import { IconButton } from '../../ui/button.tsx'
import { OrderedList } from './ordered-list.tsx'
import { SummaryDialog } from './summary-dialog.tsx'
import { text } from './text.ts'

interface ContentsProps {
  books: readonly BookListItem[]
  reload: () => Promise<void>
}

/** The table of contents: books, and the chapters of each. */
export function Contents({ books, reload }: ContentsProps) {
  const { api, isStoryteller, path } = useCampaign()
  const [growing, setGrowing] = useState<BookListItem>()
  return (
    <>
      <OrderedList
        class="books"
        label={text.book.list}
        items={books}
        onMove={isStoryteller ? (id, number) => api.books.move(id, { number }) : undefined}
        reload={reload}
        line={(book, number) => (
          <h3>
            <span class="ordinal">{text.book.numbered(number)}</span>
            <a href={hrefOf(`${path}/chronicle/books/${book.id}`)}>{book.name}</a>
          </h3>
        )}
        end={(book) => isStoryteller && <IconButton label={text.chapter.addTo(book.name)} icon="plus" onClick={() => setGrowing(book)} />}
        below={(book) => <ChaptersOf book={book} reload={reload} />}
      />
      {growing && (
        <SummaryDialog
          title={text.chapter.addTo(growing.name)}
          save={async (body) => {
            await api.book(growing.id).chapters.create(body)
            await reload()
          }}
          onClose={() => setGrowing(undefined)}
        />
      )}
    </>
  )
}

function ChaptersOf({ book, reload }: { book: BookListItem; reload: () => Promise<void> }) {
  const { path } = useCampaign()
  const { chapters = [], chapters_total = 0 } = book
  if (!chapters.length) return null
  return (
    <>
      <Chapters book={book} chapters={chapters} reload={reload} />
      {chapters_total > chapters.length && (
        <p class="more-chapters">
          <a href={hrefOf(`${path}/chronicle/books/${book.id}`)}>{text.chapter.more(chapters_total - chapters.length)}</a>
        </p>
      )}
    </>
  )
}

interface ChaptersProps {
  book: { id: string; name: string }
  chapters: readonly ChapterPreview[]
  reload: () => Promise<void>
}

/** The chapters of a book, in their order. */
export function Chapters({ book, chapters, reload }: ChaptersProps) {
  const { api, isStoryteller, path } = useCampaign()
  return (
    <OrderedList
      class="chapters"
      label={text.chapter.list(book.name)}
      items={chapters}
      onMove={isStoryteller ? (id, number) => api.book(book.id).chapters.move(id, { number }) : undefined}
      reload={reload}
      line={(chapter, number) => (
        <a class="chapter-link" href={hrefOf(`${path}/chronicle/books/${book.id}/chapters/${chapter.id}`)}>
          <span class="ordinal">{number}</span>
          <span>{chapter.name}</span>
        </a>
      )}
    />
  )
}
