import type { NoteVisibility } from '@guildhall/client'
import { Icon } from '../ui/icon.tsx'
import { text } from './text.ts'

/** The word for who reads a note. */
export const visibilityWord = (visibility: NoteVisibility, isOwn: boolean): string =>
  visibility === 'AUTHOR' && !isOwn ? text.othersOwn : text.visibility[visibility]

/** Says in a word who reads a note. The edge of the note has the same color. */
export function VisibilityMark({ visibility, isOwn }: { visibility: NoteVisibility; isOwn: boolean }) {
  return (
    <span class={`badge note-mark ${visibility.toLowerCase()}`}>
      {visibility !== 'EVERYONE' && <Icon name="secret" />}
      {visibilityWord(visibility, isOwn)}
    </span>
  )
}
