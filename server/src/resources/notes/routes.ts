import { Type } from '@guildhall/rules/type'
import { archives, byExternalId, Paged } from '../../core/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { type Operation, operation, resource } from '../../http/operation.ts'
import { below, type Path, USER, withLookup } from '../../http/path.ts'
import { book } from '../books/path-resource.ts'
import { type CampaignAccess, campaign, sightIn } from '../campaigns/path-resource.ts'
import { chapter } from '../chapters/path-resource.ts'
import { character } from '../characters/path-resource.ts'
import { noteOn } from './path-resource.ts'
import { archiveNote, createNote, getNote, listCampaignNotes, listNotes, type NoteScope, restoreNote, updateNote } from './queries.ts'
import { mayChange } from './rules.ts'
import { CampaignNotesQuery, Note, NotebookCreate, NotebookPatch, NoteCreate, NotePatch } from './schema.ts'

type PathResourceOfNotes = (typeof chapter.path.through | typeof character.path.through)[number]

/** A resource that notes can be written on. */
interface NoteParent {
  /** The first part of the operation ids. */
  id: string
  /** Follows the word "note" in summaries. */
  phrase: string
  /** The path of the notes on it. */
  path: Path<`${typeof USER.template}/${string}`, readonly PathResourceOfNotes[]>
  /** Its id in the statement that looks up the path resources. */
  parent_id: Sql
}

const onCampaign = below(campaign.path, 'notes')

const PARENTS: NoteParent[] = [
  { id: 'notes', phrase: 'in your notebook', path: below(USER, 'notes'), parent_id: sql`u.id` },
  { id: 'campaignNotes', phrase: 'on a campaign', path: onCampaign, parent_id: sql`campaign.id` },
  { id: 'bookNotes', phrase: 'on a book', path: below(book.path, 'notes'), parent_id: sql`book.id` },
  { id: 'chapterNotes', phrase: 'on a chapter', path: below(chapter.path, 'notes'), parent_id: sql`chapter.id` },
  { id: 'characterNotes', phrase: 'on a character', path: below(character.path, 'notes'), parent_id: sql`"character".id` },
]

/** The acting user, and the path resources that this parent's path has. */
interface NoteContext {
  actor: Actor
  campaign?: CampaignAccess
  book?: { id: string }
  chapter?: { id: string }
  character?: { id: string }
}

function scopeOf({ actor, campaign, book, chapter, character }: NoteContext): NoteScope {
  return {
    actor,
    // A notebook is visible to its user only, even if they are an ADMIN.
    sight: campaign ? sightIn({ actor, campaign }) : { all: false, isStoryteller: false, user_id: actor.id },
    parent: {
      ...(campaign && { campaign_id: campaign.id }),
      ...(book && { book_id: book.id }),
      ...(chapter && { chapter_id: chapter.id }),
      ...(character && { character_id: character.id }),
    },
  }
}

/** A campaign lists the notes on itself, or on everything in it. */
const listOfCampaign = operation({
  id: 'campaignNotes.list',
  method: 'GET',
  path: onCampaign,
  needs: { key: 'USER' },
  summary: 'List notes on a campaign',
  description:
    'Lists the notes that the acting user may see. With `scope=all`, it also lists the notes on the books, chapters and characters of the campaign.',
  query: CampaignNotesQuery,
  reply: [200, Paged(Note)],
  run: ({ db, actor, campaign, query }) =>
    listCampaignNotes(db, { actor, sight: sightIn({ actor, campaign }), parent: { campaign_id: campaign.id } }, query),
})

function operationsFor({ id, phrase, path: all, parent_id }: NoteParent): Operation[] {
  const inCampaign = all.through.length > 0
  const one = below(all, '{note_id}')
  const throughNote = withLookup(one, noteOn(parent_id, inCampaign))
  const needs = { key: 'USER', ...(inCampaign && { may: mayChange }) } as const
  return [
    all === onCampaign
      ? listOfCampaign
      : operation({
          id: `${id}.list`,
          method: 'GET',
          path: all,
          needs: { key: 'USER' },
          summary: `List notes ${phrase}`,
          description: inCampaign
            ? 'Lists the notes that the acting user may see.'
            : 'Lists the notebook of the acting user. Of all other users, only ADMINs can find these notes, through search.',
          query: Type.Object({ ...archives, ...byExternalId }),
          reply: [200, Paged(Note)],
          run: ({ db, query, ...context }) => listNotes(db, scopeOf(context), query),
        }),
    operation({
      id: `${id}.create`,
      method: 'POST',
      path: all,
      needs: { key: 'USER' },
      summary: `Write a note ${phrase}`,
      description: inCampaign
        ? 'Every user who can see the resource may write notes on it.'
        : 'The visibility of a note in a notebook is always AUTHOR.',
      body: inCampaign ? NoteCreate : NotebookCreate,
      reply: [201, Note],
      emits: ['note.created'],
      run: ({ db, body, ...context }) => createNote(db, scopeOf(context), body),
    }),
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: `Get a note ${phrase}`,
      reply: [200, Note],
      run: ({ db, params, ...context }) => getNote(db, scopeOf(context), params.note_id),
    }),
    operation({
      id: `${id}.update`,
      method: 'PATCH',
      path: throughNote,
      needs,
      summary: `Change a note ${phrase}`,
      body: inCampaign ? NotePatch : NotebookPatch,
      reply: [200, Note],
      emits: ['note.updated'],
      run: ({ db, params, body, ...context }) => updateNote(db, scopeOf(context), params.note_id, body),
    }),
    operation({
      id: `${id}.delete`,
      method: 'DELETE',
      path: throughNote,
      needs,
      summary: `Archive a note ${phrase}`,
      description: 'It can be restored for 30 days.',
      reply: [204],
      emits: ['note.deleted'],
      run: ({ db, params, ...context }) => archiveNote(db, scopeOf(context), params.note_id),
    }),
    operation({
      id: `${id}.restore`,
      method: 'POST',
      path: below(throughNote, 'restore'),
      needs,
      summary: `Restore an archived note ${phrase}`,
      reply: [200, Note],
      emits: ['note.restored'],
      run: ({ db, params, ...context }) => restoreNote(db, scopeOf(context), params.note_id),
    }),
  ]
}

export const notes = resource(
  {
    Notes: 'The private notebook of a user',
    'Campaign notes': 'Open and secret notes on a campaign',
    'Book notes': 'Open and secret notes on a book',
    'Chapter notes': 'Open and secret notes on a chapter',
    'Character notes': 'Open and secret notes on a character',
  },
  PARENTS.flatMap(operationsFor),
)
