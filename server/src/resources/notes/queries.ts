import type { Listed } from '../../core/page.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sight, seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import type { Actor } from '../../http/operation.ts'
import { type Note, type NoteCreate, type NotePatch, NoteRow } from './schema.ts'

const notes = secretTable('notes', NoteRow, {
  noun: 'Note',
  texts: ['body'],
  author: 'author_id',
  partOf: {
    campaigns: 'campaign_id',
    books: 'book_id',
    chapters: 'chapter_id',
    characters: 'character_id',
    // Only its author sees a note outside campaigns.
    users: { column: 'author_id', when: sql`campaign_id IS NULL` },
  },
})

/** Where notes hang, and who looks. */
export interface On {
  actor: Actor
  sight: Sight
  /** What they hang on, as columns of the note; none for a notebook. */
  on: Partial<Pick<Note, 'campaign_id' | 'book_id' | 'chapter_id' | 'character_id'>>
}

const parentOf = ({ actor, on }: On) => on.chapter_id ?? on.book_id ?? on.character_id ?? on.campaign_id ?? actor.id
const scope = (here: On) => ({ company_id: here.actor.company_id, parent_id: parentOf(here) })
/** Whoever may see an archived note, and change it, may restore it. */
export function listNotes(db: Db, here: On, listed: Listed) {
  const { actor, sight } = here
  const restorable = sql`${sight.all}::boolean OR author_id = ${actor.id} OR (${sight.tells}::boolean AND visibility <> 'AUTHOR')`
  return notes.seenBy(sight).list(db, scope(here), listed, { restorable })
}

export const getNote = (db: Db, here: On, id: string) => notes.seenBy(here.sight).get(db, { ...scope(here), id })

export async function createNote(db: Tx, here: On, body: NoteCreate) {
  const { actor, on } = here
  const visibility = on.campaign_id ? 'EVERYONE' : 'AUTHOR'
  const { after } = await notes.insert(db, { visibility, ...body, ...on, company_id: actor.company_id, author_id: actor.id })
  // The database works it out by itself, and is not asked.
  return { before: null, after: { ...after, parent_id: parentOf(here) } }
}

export const updateNote = (db: Tx, here: On, id: string, patch: NotePatch) =>
  notes.seenBy(here.sight).update(db, { ...scope(here), id }, patch)
export const archiveNote = (db: Tx, here: On, id: string) => notes.seenBy(here.sight).archive(db, { ...scope(here), id })
export const restoreNote = (db: Tx, here: On, id: string) => notes.seenBy(here.sight).restore(db, { ...scope(here), id })

/** The notes on a row of `characters`, as somebody sees them. */
export const onCharacter = (sight: Sight) => sql`
  x.company_id = characters.company_id AND x.parent_id = characters.id AND x.date_archived IS NULL
  AND ${seen(sight, sql`x.visibility`, sql`x.author_id`)}`
