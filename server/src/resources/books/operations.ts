import { type TObject, type TSchema, Type } from '@guildhall/rules/type'
import { Paged } from '../../core/page.ts'
import type { Include, NumberedTable } from '../../db/numbered.ts'
import { type Operation, operation } from '../../http/operation.ts'
import { below, type Path, type PathResource } from '../../http/path.ts'
import type { campaign } from '../campaigns/path-resource.ts'
import { mayManage } from '../campaigns/rules.ts'
import { NumberSet, numberedList } from './schema.ts'

interface NumberedResource {
  /** The resource in the singular, for example `book`. */
  noun: 'book' | 'chapter'
  /** The resource that it is numbered in, for example `campaign`. */
  parent: string
  path: Path<`${typeof campaign.path.template}/${string}`, readonly [...typeof campaign.path.through, ...PathResource<string, unknown>[]]>
  table: NumberedTable
  schemas: { One: TObject; Create: TObject; Patch: TObject }
  /** The resources below it, which are hidden with it when it is archived. */
  children: string
  parts?: NumberedParts
}

/** The parts that `include` adds to a resource that is read. */
export interface NumberedParts {
  /** The query parameter `include`. */
  query: { include: TSchema }
  /** The replies with the parts: of one resource, and of an item of a list. */
  One: TObject
  Item: TObject
  /** The columns of the parts of one resource, or of each item of a list. */
  columns: (company_id: string, of: 'one' | 'item') => Include
}

/** The operations of a numbered resource. Books and chapters have the same ones, and users who may manage the campaign may change both. */
export function numberedOperations({
  noun,
  parent,
  path,
  table,
  schemas: { One, Create, Patch },
  children,
  parts,
}: NumberedResource): Operation[] {
  const one = below(path, `{${noun}_id}`)
  const scopeOf = (params: Record<string, string>) => ({
    company_id: params.company_id as string,
    parent_id: params[`${parent}_id`] as string,
  })
  const idOf = (params: Record<string, string>) => params[`${noun}_id`] as string
  const needs = { key: 'USER', may: mayManage } as const
  const includes = (query: object, params: Record<string, string>, of: 'one' | 'item') =>
    'include' in query ? parts?.columns(scopeOf(params).company_id, of) : undefined

  return [
    operation({
      id: `${noun}s.list`,
      method: 'GET',
      path,
      needs: { key: 'USER' },
      summary: `List the ${noun}s of a ${parent}`,
      description: 'Lists them in the order of their numbers, unless `sort` names another order.',
      query: Type.Object({ ...numberedList, ...parts?.query }),
      long: (query) => 'include' in query,
      reply: [200, Paged(parts?.Item ?? One)],
      run: ({ db, params, query, ...context }) =>
        table.list(db, scopeOf(params), query, { restorable: mayManage(context), include: includes(query, params, 'item') }),
    }),
    operation({
      id: `${noun}s.create`,
      method: 'POST',
      path,
      needs,
      summary: `Add a ${noun} to a ${parent}`,
      description: 'It becomes the last one.',
      body: Create,
      reply: [201, One],
      emits: [`${noun}.created`],
      run: ({ db, params, body, campaign }) => table.create(db, scopeOf(params), { ...body, campaign_id: campaign.id }),
    }),
    operation({
      id: `${noun}s.get`,
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: `Get a ${noun}`,
      ...(parts && { query: Type.Object(parts.query) }),
      reply: [200, parts?.One ?? One],
      run: ({ db, params, query = {} }) => table.get(db, scopeOf(params), idOf(params), includes(query, params, 'one')),
    }),
    operation({
      id: `${noun}s.update`,
      method: 'PATCH',
      path: one,
      needs,
      summary: `Change a ${noun}`,
      body: Patch,
      reply: [200, One],
      emits: [`${noun}.updated`],
      run: ({ db, params, body }) => table.update(db, scopeOf(params), idOf(params), body),
    }),
    operation({
      id: `${noun}s.move`,
      method: 'PUT',
      path: below(one, 'number'),
      needs,
      summary: `Move a ${noun} to another position`,
      description: `The other ${noun}s make room, and the numbers stay 1 to n.`,
      body: NumberSet,
      reply: [200, One],
      emits: [`${noun}.moved`],
      run: ({ db, params, body }) => table.move(db, scopeOf(params), idOf(params), body.number),
    }),
    operation({
      id: `${noun}s.delete`,
      method: 'DELETE',
      path: one,
      needs,
      summary: `Archive a ${noun}`,
      description: `It is hidden with its ${children}, and the ${noun}s after it move up. It can be restored for 30 days.`,
      reply: [204],
      emits: [`${noun}.deleted`],
      run: ({ db, params }) => table.archive(db, scopeOf(params), idOf(params)),
    }),
    operation({
      id: `${noun}s.restore`,
      method: 'POST',
      path: below(one, 'restore'),
      needs,
      summary: `Restore an archived ${noun}`,
      description: 'It becomes the last one.',
      reply: [200, One],
      emits: [`${noun}.restored`],
      run: ({ db, params }) => table.restore(db, scopeOf(params), idOf(params)),
    }),
  ]
}
