import { Type } from 'typebox'
import { archives, Paged } from '../../core/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Operation, Place } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { book } from '../books/place.ts'
import { campaign, type Standing, sightIn } from '../campaigns/place.ts'
import { chapter } from '../chapters/place.ts'
import { character } from '../characters/place.ts'
import { noteOn } from './place.ts'
import { archiveNote, createNote, getNote, listNotes, type On, restoreNote, updateNote } from './queries.ts'
import { mayChange } from './rules.ts'
import { Note, NotebookCreate, NotebookPatch, NoteCreate, NotePatch } from './schema.ts'

const USER = '/companies/{company_id}/users/{user_id}'
const CAMPAIGN = `${USER}/campaigns/{campaign_id}`

/** What a note can hang on: how its operations are called, where they are, what a path to them leads through. */
interface Peg {
  id: string
  what: string
  path: string
  within: readonly Place<string, unknown>[]
  /** Its id, where the path is looked up. */
  at: Sql
}
const PEGS: Peg[] = [
  { id: 'notes', what: 'of your own', path: USER, within: [], at: sql`u.id` },
  { id: 'campaignNotes', what: 'on a campaign', path: CAMPAIGN, within: [campaign], at: sql`campaign.id` },
  { id: 'bookNotes', what: 'on a book', path: `${CAMPAIGN}/books/{book_id}`, within: [campaign, book], at: sql`book.id` },
  {
    id: 'chapterNotes',
    what: 'on a chapter',
    path: `${CAMPAIGN}/books/{book_id}/chapters/{chapter_id}`,
    within: [campaign, book, chapter],
    at: sql`chapter.id`,
  },
  {
    id: 'characterNotes',
    what: 'on a character',
    path: `${CAMPAIGN}/characters/{character_id}`,
    within: [campaign, character],
    at: sql`"character".id`,
  },
]

function onPeg({ id, what, path, within, at: parent_id }: Peg): Operation[] {
  const all = `${path}/notes`
  const one = `${path}/notes/{note_id}` as const
  const inCampaign = within.length > 0
  const toNote = [...within, noteOn(parent_id, inCampaign)]
  const who = inCampaign
    ? 'Its author and ADMINs may, and the storytellers of the campaign unless it is for its AUTHOR alone.'
    : 'Only its author reaches it here.'
  const mayHere = (context: unknown) => {
    const { actor, campaign, note } = context as { actor: Actor; campaign?: Standing; note: Pick<Note, 'author_id' | 'visibility'> }
    return mayChange(actor, campaign?.tells ?? false, note)
  }

  /** Where the note hangs, and through whose eyes it is read. */
  const at = (context: unknown): On => {
    const here = context as { actor: Actor; campaign?: Standing } & Record<string, { id: string }>
    const on = Object.fromEntries(within.map(({ name }) => [`${name}_id`, (here[name] as { id: string }).id]))
    const sight = here.campaign ? sightIn({ ...here, campaign: here.campaign }) : { all: false, tells: false, user_id: here.actor.id }
    return { actor: here.actor, sight, on }
  }

  return [
    operation({
      id: `${id}.list`,
      method: 'GET',
      path: all,
      within,
      needs: { key: 'USER' },
      summary: `List notes ${what}`,
      description: inCampaign
        ? 'As far as the acting user may see them.'
        : 'The notebook of the acting user. Besides them only ADMINs see it, when they search.',
      query: Type.Object(archives),
      reply: [200, Paged(Note)],
      run: ({ db, query, ...here }) => listNotes(db, at(here), query),
    }),
    operation({
      id: `${id}.create`,
      method: 'POST',
      path: all,
      within,
      needs: { key: 'USER' },
      summary: `Write a note ${what}`,
      description: inCampaign ? 'Every user who sees the place may. For EVERYONE unless said otherwise.' : 'Always for its AUTHOR alone.',
      body: inCampaign ? NoteCreate : NotebookCreate,
      reply: [201, Note],
      emits: 'note.created',
      run: ({ db, body, ...here }) => createNote(db, at(here), body),
    }),
    operation({
      id: `${id}.get`,
      method: 'GET',
      path: one,
      within,
      needs: { key: 'USER' },
      summary: `Get a note ${what}`,
      reply: [200, Note],
      run: ({ db, params, ...here }) => getNote(db, at(here), params.note_id),
    }),
    operation({
      id: `${id}.update`,
      method: 'PATCH',
      path: one,
      within: toNote,
      needs: { key: 'USER', mayHere, who },
      summary: `Change a note ${what}`,
      body: inCampaign ? NotePatch : NotebookPatch,
      reply: [200, Note],
      emits: 'note.updated',
      run: ({ db, params, body, ...here }) => updateNote(db, at(here), params.note_id, body),
    }),
    operation({
      id: `${id}.delete`,
      method: 'DELETE',
      path: one,
      within: toNote,
      needs: { key: 'USER', mayHere, who },
      summary: `Archive a note ${what}`,
      description: 'It can be restored for 30 days.',
      reply: [204],
      emits: 'note.deleted',
      run: ({ db, params, ...here }) => archiveNote(db, at(here), params.note_id),
    }),
    operation({
      id: `${id}.restore`,
      method: 'POST',
      path: `${one}/restore`,
      within: toNote,
      needs: { key: 'USER', mayHere, who },
      summary: `Restore an archived note ${what}`,
      reply: [200, Note],
      emits: 'note.restored',
      run: ({ db, params, ...here }) => restoreNote(db, at(here), params.note_id),
    }),
  ]
}

export const notes = PEGS.flatMap(onPeg)
