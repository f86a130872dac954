import { ApiError, type BookWithChapters, type Chapter, type ChapterListItem } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { hrefOf } from '../../router.ts'
import type { PageProps } from '../../routes.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadedPage } from '../../ui/loaded-page.tsx'
import { Gone } from './gone.tsx'
import { StoryPage } from './story-page.tsx'
import { text } from './text.ts'

interface Read {
  book: BookWithChapters
  chapter: Chapter
  before: ChapterListItem | undefined
  after: ChapterListItem | undefined
}

/** One chapter: its summary, its notes, and the chapters before and after it. */
export default function ChapterPage({ params }: PageProps) {
  const [bookId, id] = [params.book as string, params.chapter as string]
  const { api } = useCampaign()
  const read = useLiveLoad<Read>(
    async (signal) => {
      const { chapters } = api.book(bookId)
      const [book, chapter] = await Promise.all([api.books.get(bookId, {}, { signal }), chapters.get(id, { signal })])
      // Numbers are 1 to n: the neighbors are at most three items around this one.
      const from = Math.max(0, (chapter.number ?? 1) - 2)
      const { items } = await chapters.list({ offset: from, limit: 3 }, { signal })
      const at = items.findIndex((item) => item.id === id)
      return { book, chapter, before: items[at - 1], after: at < 0 ? undefined : items[at + 1] }
    },
    ['book', 'chapter'],
    [bookId, id],
  )
  if (ApiError.is(read.error, 'not_found')) return <Gone title={text.chapter.gone} />
  return (
    <LoadedPage title={text.title} of={read}>
      {(loaded) => <ChapterOfBook key={id} {...loaded} reload={read.reload} />}
    </LoadedPage>
  )
}

function ChapterOfBook({ book, chapter, before, after, reload }: Read & { reload: () => Promise<void> }) {
  const { api, path } = useCampaign()
  const bookPath = `${path}/chronicle/books/${book.id}`
  const pathOf = ({ id }: { id: string }) => `${bookPath}/chapters/${id}`
  const bookApi = api.book(book.id)
  return (
    <StoryPage
      of={chapter}
      words={text.chapter}
      above={
        <>
          <a href={hrefOf(`${path}/chronicle`)}>{text.title}</a> · <a href={hrefOf(bookPath)}>{book.name}</a> ·{' '}
          {text.chapter.numbered(chapter.number)}
        </>
      }
      path={pathOf(chapter)}
      parentPath={bookPath}
      notes={bookApi.chapter(chapter.id).notes}
      archive={() => bookApi.chapters.delete(chapter.id)}
      save={async (body, ifMatch) => {
        await bookApi.chapters.update(chapter.id, body, { ifMatch })
        await reload()
      }}
      read={() => bookApi.chapters.get(chapter.id)}
    >
      {(before || after) && (
        <nav class="neighbors" aria-label={text.chapter.neighbors}>
          {before && <Neighbor href={pathOf(before)} label={text.chapter.before} name={before.name} />}
          {after && <Neighbor href={pathOf(after)} label={text.chapter.after} name={after.name} isNext />}
        </nav>
      )}
    </StoryPage>
  )
}

function Neighbor({ href, label, name, isNext = false }: { href: string; label: string; name: string; isNext?: boolean }) {
  return (
    <a class={isNext ? 'neighbor next' : 'neighbor'} href={hrefOf(href)}>
      <span class="quiet">{label}</span>
      <span>
        {name}
        {isNext && <Icon name="right" />}
      </span>
    </a>
  )
}
