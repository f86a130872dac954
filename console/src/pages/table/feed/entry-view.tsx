import type { ComponentChildren } from 'preact'
import { useCampaign } from '../../../data/acting.ts'
import { hrefOf } from '../../../router.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { Secret } from '../../../ui/marks.tsx'
import { Time } from '../../../ui/time.tsx'
import { text } from '../text.ts'
import type { Names } from '../use-feed-names.ts'
import type { Entry, FeedExperience, FeedNote, FeedRoll, News } from './entry.ts'
import { RollEntry } from './roll-entry.tsx'

interface EntryViewProps {
  entry: Entry
  names: Names
  /** It happened while the page was open. */
  isNew: boolean
  onChanged: (roll: FeedRoll) => void
}

/** One entry of the feed. */
export function EntryView({ entry, names, isNew, onChanged }: EntryViewProps) {
  if (entry.kind === 'roll') return <RollEntry roll={entry.roll} roller={names.roller(entry.roll)} isNew={isNew} onChanged={onChanged} />
  if (entry.kind === 'experience')
    return (
      <Line icon="ledger" at={entry.at}>
        {describeExperience(entry.entries, names)}
      </Line>
    )
  if (entry.kind === 'note') return <NoteLine note={entry.note} at={entry.at} names={names} />
  return (
    <Line icon={ICONS[entry.news.what]} at={entry.at}>
      {describeNews(entry.news, names)} {'isSecret' in entry.news && entry.news.isSecret && <Secret />}
    </Line>
  )
}

const ICONS: Record<News['what'], IconName> = {
  danger: 'chart',
  desperation: 'chart',
  filled: 'clock',
  emptied: 'clock',
  appeared: 'people',
  created: 'people',
  died: 'close',
  joined: 'people',
}

function Line({ icon, at, children }: { icon: IconName; at: string; children: ComponentChildren }) {
  return (
    <div class="feed-line">
      <Icon name={icon} />
      <p>{children}</p>
      <span class="end quiet">
        <Time at={at} look="clock" />
      </span>
    </div>
  )
}

function NoteLine({ note, at, names }: { note: FeedNote; at: string; names: Names }) {
  const { path } = useCampaign()
  const { book_id, chapter_id, character_id } = note
  const chronicle = `${path}/chronicle${book_id ? `/books/${book_id}` : ''}${book_id && chapter_id ? `/chapters/${chapter_id}` : ''}`
  return (
    <Line icon="book" at={at}>
      {text.feed.note(names.user(note.author_id))}{' '}
      <a href={hrefOf(character_id ? `${path}/characters/${character_id}` : chronicle)}>{note.title}</a>{' '}
      {note.visibility === 'STORYTELLER' && <Secret>{text.feed.storytellers}</Secret>}
      {note.visibility === 'AUTHOR' && <Secret>{text.feed.onlyYou}</Secret>}
    </Line>
  )
}

function describeExperience(entries: readonly FeedExperience[], names: Names): string {
  const [first] = entries
  if (!first) return ''
  const { kind, amount, reason, awarded_by } = first
  if (kind === 'AWARD') return text.feed.awarded(names.user(awarded_by), amount, entries.map(names.roller), reason)
  if (kind === 'SPEND') return text.feed.spent(names.roller(first), amount, reason)
  if (kind === 'GAIN') return text.feed.gained(names.roller(first), amount, reason)
  return text.feed.reversed(names.user(awarded_by), amount, names.roller(first), reason)
}

function describeNews(news: News, names: Names): string {
  switch (news.what) {
    case 'danger':
    case 'desperation':
      return text.feed.moved(text.feed.level[news.what], news.from, news.to, news.by ? names.user(news.by) : undefined)
    case 'filled':
    case 'emptied':
      return text.feed[news.what](news.label, news.characterId ? names.character(news.characterId) : undefined)
    default:
      return text.feed[news.what](news.name)
  }
}
