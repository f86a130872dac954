import { type TObject, Type } from 'typebox'
import { Paged } from '../../core/page.ts'
import type { NumberedTable } from '../../db/numbered.ts'
import { type Operation, operation, type Place } from '../../http/operation.ts'
import { mayManage } from '../campaigns/rules.ts'
import { NumberSet, numberedList } from './schema.ts'

interface Kind {
  /** `book`, in `books`, of a `campaign`. */
  noun: string
  parent: string
  path: `/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/${string}`
  within: readonly [Place<'campaign', Parameters<typeof mayManage>[0]['campaign']>, ...Place<string, unknown>[]]
  table: NumberedTable
  schemas: { One: TObject; Create: TObject; Patch: TObject }
  /** What it is hidden with when it is archived. */
  with: string
}

/** What books and chapters have in common, which is everything: they belong to the campaign as its name does. */
export function numberedOperations({
  noun,
  parent,
  path,
  within,
  table,
  schemas: { One, Create, Patch },
  with: children,
}: Kind): Operation[] {
  const one = `${path}/{${noun}_id}` as const
  const place = (params: Record<string, string>) => ({
    company_id: params.company_id as string,
    parent_id: params[`${parent}_id`] as string,
  })
  const idOf = (params: Record<string, string>) => params[`${noun}_id`] as string
  const needs = { key: 'USER', mayHere: mayManage, who: 'The owner of the campaign, its storytellers and ADMINs may.' } as const

  return [
    operation({
      id: `${noun}s.list`,
      method: 'GET',
      path,
      within,
      needs: { key: 'USER' },
      summary: `List the ${noun}s of a ${parent}`,
      description: '`sort=number` gives them in their order.',
      query: Type.Object(numberedList),
      reply: [200, Paged(One)],
      run: ({ db, params, query, ...here }) => table.list(db, place(params), query, { restorable: mayManage(here) }),
    }),
    operation({
      id: `${noun}s.create`,
      method: 'POST',
      path,
      within,
      needs,
      summary: `Add a ${noun} to a ${parent}`,
      description: 'It becomes the last.',
      body: Create,
      reply: [201, One],
      emits: `${noun}.created`,
      run: ({ db, params, body, campaign }) => table.create(db, place(params), { ...body, campaign_id: campaign.id }),
    }),
    operation({
      id: `${noun}s.get`,
      method: 'GET',
      path: one,
      within,
      needs: { key: 'USER' },
      summary: `Get a ${noun}`,
      reply: [200, One],
      run: ({ db, params }) => table.get(db, place(params), idOf(params)),
    }),
    operation({
      id: `${noun}s.update`,
      method: 'PATCH',
      path: one,
      within,
      needs,
      summary: `Change a ${noun}`,
      body: Patch,
      reply: [200, One],
      emits: `${noun}.updated`,
      run: ({ db, params, body }) => table.update(db, place(params), idOf(params), body),
    }),
    operation({
      id: `${noun}s.move`,
      method: 'PUT',
      path: `${one}/number` as const,
      within,
      needs,
      summary: `Move a ${noun} to another place`,
      description: 'The others make room, and the numbers stay 1 to n.',
      body: NumberSet,
      reply: [200, One],
      emits: `${noun}.moved`,
      run: ({ db, params, body }) => table.move(db, place(params), idOf(params), body.number),
    }),
    operation({
      id: `${noun}s.delete`,
      method: 'DELETE',
      path: one,
      within,
      needs,
      summary: `Archive a ${noun}`,
      description: `It is hidden with its ${children}, the others close the gap, and it can be restored for 30 days.`,
      reply: [204],
      emits: `${noun}.deleted`,
      run: ({ db, params }) => table.archive(db, place(params), idOf(params)),
    }),
    operation({
      id: `${noun}s.restore`,
      method: 'POST',
      path: `${one}/restore` as const,
      within,
      needs,
      summary: `Restore an archived ${noun}`,
      description: 'It becomes the last.',
      reply: [200, One],
      emits: `${noun}.restored`,
      run: ({ db, params }) => table.restore(db, place(params), idOf(params)),
    }),
  ]
}
