import type { Listed } from '../../core/page.ts'
import type { Db, Tx } from '../../db/client.ts'
import { isParentLive } from '../../db/parents.ts'
import { type Sight, seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { type Note, type NotebookCreate, type NoteCreate, type NotePatch, NoteRow } from './schema.ts'

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

/** The notes on one resource, as the acting user may see them. */
export interface NoteScope {
  actor: Actor
  sight: Sight
  /** The resource and the resources above it, as columns of the note; none for a notebook. */
  parent: Partial<Pick<Note, 'campaign_id' | 'book_id' | 'chapter_id' | 'character_id'>>
}

const parentIdOf = ({ actor, parent }: NoteScope) =>
  parent.chapter_id ?? parent.book_id ?? parent.character_id ?? parent.campaign_id ?? actor.id
const keyOf = (scope: NoteScope) => ({ company_id: scope.actor.company_id, parent_id: parentIdOf(scope) })

/** The condition that the book, chapter or character that a note is on is live, and that the reader sees the character. */
export const seesParents = (company_id: string, sight: Sight, note: Sql): Sql => sql`
  ${isParentLive(company_id, 'books', sql`${note}.book_id`)} AND ${isParentLive(company_id, 'chapters', sql`${note}.chapter_id`)}
  AND ${isParentLive(company_id, 'characters', sql`${note}.character_id`, sql` AND ${seen(sight, sql`parent.visibility`)}`)}`

/** Users who may see and change an archived note may restore it. */
const restorableBy = ({ actor, sight }: NoteScope) =>
  sql`${sight.all}::boolean OR author_id = ${actor.id} OR (${sight.isStoryteller}::boolean AND visibility <> 'AUTHOR')`

export const listNotes = (db: Db, scope: NoteScope, listed: Listed) =>
  notes.seenBy(scope.sight).list(db, keyOf(scope), listed, { restorable: restorableBy(scope) })

interface CampaignFilters extends Listed {
  scope?: 'campaign' | 'all'
  author_id?: string
}

/** Lists the notes on a campaign, or with `scope=all` those on everything in it. */
export function listCampaignNotes(db: Db, scope: NoteScope & { parent: { campaign_id: string } }, filters: CampaignFilters) {
  const { company_id } = scope.actor
  const { author_id } = filters
  const isAll = filters.scope === 'all'
  const key = { ...(isAll ? { company_id, campaign_id: scope.parent.campaign_id } : keyOf(scope)), ...(author_id && { author_id }) }
  const where = isAll ? [seesParents(company_id, scope.sight, sql`notes`)] : []
  return notes.seenBy(scope.sight).list(db, key, filters, { where, restorable: restorableBy(scope) })
}

export const getNote = (db: Db, scope: NoteScope, id: string) => notes.seenBy(scope.sight).get(db, { ...keyOf(scope), id })

/** Notes in a notebook come without a visibility: theirs is always AUTHOR. */
export async function createNote(db: Tx, scope: NoteScope, body: NoteCreate | NotebookCreate) {
  const { actor, parent, sight } = scope
  const values = { visibility: 'AUTHOR' as const, ...body, ...parent, company_id: actor.company_id, author_id: actor.id }
  const { after } = await notes.seenBy(sight).insert(db, values)
  // The database computes the generated column parent_id; the insert does not return it.
  return { before: null, after: { ...after, parent_id: parentIdOf(scope) } }
}

export const updateNote = (db: Tx, scope: NoteScope, id: string, patch: NotePatch) =>
  notes.seenBy(scope.sight).update(db, { ...keyOf(scope), id }, patch)
export const archiveNote = (db: Tx, scope: NoteScope, id: string) => notes.seenBy(scope.sight).archive(db, { ...keyOf(scope), id })
export const restoreNote = (db: Tx, scope: NoteScope, id: string) => notes.seenBy(scope.sight).restore(db, { ...keyOf(scope), id })

/** A condition that selects the live notes `x` on a row of `characters`, as far as the sight allows. */
export const areOnCharacter = (company_id: string, sight: Sight) => sql`
  x.company_id = ${company_id} AND x.parent_id = characters.id AND x.date_archived IS NULL
  AND ${seen(sight, sql`x.visibility`, sql`x.author_id`)}`
