import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { table } from '../../db/table.ts'
import { Item, type ItemCreate, type ItemPatch, MAX_QUANTITY } from './schema.ts'

const inventory = table('inventory', Item, { noun: 'Item', texts: ['description'], partOf: { characters: 'character_id' } })

interface InventoryScope {
  company_id: string
  character_id: string
}
interface ItemKey extends InventoryScope {
  id: string
}

export const listItems = (db: Db, scope: InventoryScope, listed: Listed, mayRestore: boolean) =>
  inventory.list(db, scope, listed, { restorable: mayRestore })
export const getItem = (db: Db, key: ItemKey) => inventory.get(db, key)
export const createItem = (db: Tx, scope: InventoryScope, body: ItemCreate) => inventory.insert(db, { ...body, ...scope })
export const updateItem = (db: Tx, key: ItemKey, patch: ItemPatch) => inventory.update(db, key, patch)
export const archiveItem = (db: Tx, key: ItemKey) => inventory.archive(db, key)
export const restoreItem = (db: Tx, key: ItemKey) => inventory.restore(db, key)

export const adjustItem = (db: Tx, key: ItemKey, delta: number) =>
  inventory.update(db, key, (item) => {
    const quantity = item.quantity + delta
    if (quantity < 0)
      conflict(
        'insufficient_quantity',
        `The quantity is ${item.quantity}, but ${-delta} would be taken away. Take away at most ${item.quantity}.`,
        { available: item.quantity },
      )
    if (quantity > MAX_QUANTITY)
      conflict(
        'out_of_range',
        `The quantity is ${item.quantity} and must not exceed ${MAX_QUANTITY}. Add at most ${MAX_QUANTITY - item.quantity}.`,
      )
    return { quantity }
  })
