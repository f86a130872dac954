import { Type } from 'typebox'
import { archives, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { character } from '../characters/place.ts'
import { mayEdit } from '../characters/rules.ts'
import { adjustItem, archiveItem, createItem, getItem, listItems, restoreItem, updateItem } from './queries.ts'
import { Item, ItemAdjust, ItemCreate, ItemPatch } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/inventory'
const ONE = `${ALL}/{item_id}` as const
const within = [campaign, character] as const

/** Whoever may change a character may change what it has. */
const needs = {
  key: 'USER',
  mayHere: mayEdit,
  who: 'The player of the character, the storytellers of the campaign and ADMINs may.',
} as const

const of = ({ company_id, character_id }: { company_id: string; character_id: string }) => ({ company_id, character_id })

export const inventory = [
  operation({
    id: 'inventory.list',
    method: 'GET',
    path: ALL,
    within,
    needs: { key: 'USER' },
    summary: 'List what a character has',
    query: Type.Object(archives),
    reply: [200, Paged(Item)],
    run: ({ db, params, query, ...here }) => listItems(db, of(params), query, mayEdit(here)),
  }),
  operation({
    id: 'inventory.create',
    method: 'POST',
    path: ALL,
    within,
    needs,
    summary: 'Give a character something',
    body: ItemCreate,
    reply: [201, Item],
    emits: 'item.created',
    run: ({ db, params, body }) => createItem(db, of(params), body),
  }),
  operation({
    id: 'inventory.get',
    method: 'GET',
    path: ONE,
    within,
    needs: { key: 'USER' },
    summary: 'Get something a character has',
    reply: [200, Item],
    run: ({ db, params }) => getItem(db, of(params), params.item_id),
  }),
  operation({
    id: 'inventory.update',
    method: 'PATCH',
    path: ONE,
    within,
    needs,
    summary: 'Change something a character has',
    body: ItemPatch,
    reply: [200, Item],
    emits: 'item.updated',
    run: ({ db, params, body }) => updateItem(db, of(params), params.item_id, body),
  }),
  operation({
    id: 'inventory.adjust',
    method: 'POST',
    path: `${ONE}/adjust`,
    within,
    needs,
    summary: 'Add to a quantity, or take from it',
    description: 'Exact, however many do so at once, and never below 0.',
    body: ItemAdjust,
    reply: [200, Item],
    emits: 'item.adjusted',
    conflicts: { not_enough: 'There is not enough of it; nothing is changed', out_of_range: 'It would be more than 1,000,000' },
    run: ({ db, params, body }) => adjustItem(db, of(params), params.item_id, body.quantity),
  }),
  operation({
    id: 'inventory.delete',
    method: 'DELETE',
    path: ONE,
    within,
    needs,
    summary: 'Archive something a character has',
    description: 'It can be restored for 30 days.',
    reply: [204],
    emits: 'item.deleted',
    run: ({ db, params }) => archiveItem(db, of(params), params.item_id),
  }),
  operation({
    id: 'inventory.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    within,
    needs,
    summary: 'Restore something a character had',
    reply: [200, Item],
    emits: 'item.restored',
    run: ({ db, params }) => restoreItem(db, of(params), params.item_id),
  }),
]
