import { Type } from 'typebox'
import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { book } from '../books/place.ts'
import { NumberSet, numberedList } from '../books/schema.ts'
import { campaign } from '../campaigns/place.ts'
import { mayManage } from '../campaigns/rules.ts'
import { chapters as table } from './queries.ts'
import { Chapter, ChapterCreate, ChapterPatch } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/books/{book_id}/chapters'
const ONE = `${ALL}/{chapter_id}` as const
const within = [campaign, book] as const

/** Chapters belong to the campaign as its name does. */
const mayHere = ({ actor, campaign }: { actor: Parameters<typeof mayManage>[0]; campaign: Parameters<typeof mayManage>[1] }) =>
  mayManage(actor, campaign)

const place = ({ company_id, book_id }: { company_id: string; book_id: string }) => ({ company_id, parent_id: book_id })

export const chapters = [
  operation({
    id: 'chapters.list',
    method: 'GET',
    path: ALL,
    within,
    needs: { key: 'USER' },
    summary: 'List the chapters of a chapter',
    description: '`sort=number` gives them in their order.',
    query: Type.Object(numberedList),
    reply: [200, Paged(Chapter)],
    run: ({ db, params, query, ...here }) => table.list(db, place(params), query, mayHere(here)),
  }),
  operation({
    id: 'chapters.create',
    method: 'POST',
    path: ALL,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Add a chapter to a chapter',
    description: 'It becomes the last. The owner of the campaign, its storytellers and ADMINs may.',
    body: ChapterCreate,
    reply: [201, Chapter],
    emits: 'chapter.created',
    run: ({ db, params, body }) => table.create(db, place(params), { ...body, campaign_id: params.campaign_id }),
  }),
  operation({
    id: 'chapters.get',
    method: 'GET',
    path: ONE,
    within,
    needs: { key: 'USER' },
    summary: 'Get a chapter',
    reply: [200, Chapter],
    run: ({ db, params }) => table.get(db, place(params), params.chapter_id),
  }),
  operation({
    id: 'chapters.update',
    method: 'PATCH',
    path: ONE,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Change a chapter',
    body: ChapterPatch,
    reply: [200, Chapter],
    emits: 'chapter.updated',
    run: ({ db, params, body }) => table.update(db, place(params), params.chapter_id, body),
  }),
  operation({
    id: 'chapters.move',
    method: 'PUT',
    path: `${ONE}/number`,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Move a chapter to another place',
    description: 'The numbers stay 1 to n.',
    body: NumberSet,
    reply: [200, Chapter],
    emits: 'chapter.moved',
    run: ({ db, params, body }) => table.move(db, place(params), params.chapter_id, body.number),
  }),
  operation({
    id: 'chapters.delete',
    method: 'DELETE',
    path: ONE,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Archive a chapter',
    description: 'It is hidden with its notes, the others close the gap, and it can be restored for 30 days.',
    reply: [204],
    emits: 'chapter.deleted',
    run: ({ db, params }) => table.archive(db, place(params), params.chapter_id),
  }),
  operation({
    id: 'chapters.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    within,
    needs: { key: 'USER', mayHere },
    summary: 'Restore an archived chapter',
    description: 'It becomes the last.',
    reply: [200, Chapter],
    emits: 'chapter.restored',
    run: ({ db, params }) => table.restore(db, place(params), params.chapter_id),
  }),
]
