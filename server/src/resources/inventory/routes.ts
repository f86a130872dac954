import { Type } from '@guildhall/rules/type'
import { archives, byExternalId, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { mayEdit, mayEditSheet } from '../characters/rules.ts'
import { adjustItem, archiveItem, createItem, getItem, listItems, restoreItem, updateItem } from './queries.ts'
import { Item, ItemAdjust, ItemCreate, ItemPatch } from './schema.ts'

const items = below(sheetPath, 'inventory')
const item = below(items, '{item_id}')

/** Users who may edit the sheet of a character may change its inventory. */
const needs = { key: 'USER', may: mayEditSheet } as const

export const inventory = resource(
  {
    Inventory: 'The items of a character',
  },
  [
    operation({
      id: 'inventory.list',
      method: 'GET',
      path: items,
      needs: { key: 'USER' },
      summary: 'List the inventory of a character',
      query: Type.Object({ ...archives, ...byExternalId }),
      reply: [200, Paged(Item)],
      run: ({ db, params: { company_id, character_id }, query, ...context }) =>
        listItems(db, { company_id, character_id }, query, mayEdit(context)),
    }),
    operation({
      id: 'inventory.create',
      method: 'POST',
      path: items,
      needs,
      summary: 'Add an item to the inventory of a character',
      body: ItemCreate,
      reply: [201, Item],
      emits: ['item.created'],
      run: ({ db, params: { company_id, character_id }, body }) => createItem(db, { company_id, character_id }, body),
    }),
    operation({
      id: 'inventory.get',
      method: 'GET',
      path: item,
      needs: { key: 'USER' },
      summary: 'Get an item of a character',
      reply: [200, Item],
      run: ({ db, params: { company_id, character_id, item_id } }) => getItem(db, { company_id, character_id, id: item_id }),
    }),
    operation({
      id: 'inventory.update',
      method: 'PATCH',
      path: item,
      needs,
      summary: 'Change an item of a character',
      body: ItemPatch,
      reply: [200, Item],
      emits: ['item.updated'],
      run: ({ db, params: { company_id, character_id, item_id }, body }) => updateItem(db, { company_id, character_id, id: item_id }, body),
    }),
    operation({
      id: 'inventory.adjust',
      method: 'POST',
      path: below(item, 'adjust'),
      needs,
      summary: 'Increase or decrease the quantity of an item',
      description: 'Concurrent adjustments are all counted, and the quantity never falls below 0.',
      body: ItemAdjust,
      reply: [200, Item],
      emits: ['item.adjusted'],
      conflicts: {
        insufficient_quantity: 'The quantity would fall below 0; nothing is changed',
        out_of_range: 'The quantity would exceed 1,000,000; nothing is changed',
      },
      run: ({ db, params: { company_id, character_id, item_id }, body }) =>
        adjustItem(db, { company_id, character_id, id: item_id }, body.quantity),
    }),
    operation({
      id: 'inventory.delete',
      method: 'DELETE',
      path: item,
      needs,
      summary: 'Archive an item of a character',
      description: 'It can be restored for 30 days.',
      reply: [204],
      emits: ['item.deleted'],
      run: ({ db, params: { company_id, character_id, item_id } }) => archiveItem(db, { company_id, character_id, id: item_id }),
    }),
    operation({
      id: 'inventory.restore',
      method: 'POST',
      path: below(item, 'restore'),
      needs,
      summary: 'Restore an archived item of a character',
      reply: [200, Item],
      emits: ['item.restored'],
      run: ({ db, params: { company_id, character_id, item_id } }) => restoreItem(db, { company_id, character_id, id: item_id }),
    }),
  ],
)
