import type { Listed } from '../../core/page.ts'
import { conflict } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { table } from '../../db/table.ts'
import { Item, type ItemCreate, type ItemPatch, MOST } from './schema.ts'

const inventory = table('inventory', Item, { noun: 'Item', partOf: { characters: 'character_id' } })

/** Whose inventory it is. */
interface Of {
  company_id: string
  character_id: string
}

export const listItems = (db: Db, of: Of, listed: Listed, mayRestore: boolean) => inventory.list(db, of, listed, { restorable: mayRestore })
export const getItem = (db: Db, of: Of, id: string) => inventory.get(db, { ...of, id })
export const createItem = (db: Tx, of: Of, body: ItemCreate) => inventory.insert(db, { kind: 'OTHER', quantity: 1, ...body, ...of })
export const updateItem = (db: Tx, of: Of, id: string, patch: ItemPatch) => inventory.update(db, { ...of, id }, patch)
export const archiveItem = (db: Tx, of: Of, id: string) => inventory.archive(db, { ...of, id })
export const restoreItem = (db: Tx, of: Of, id: string) => inventory.restore(db, { ...of, id })

export const adjustItem = (db: Tx, of: Of, id: string, delta: number) =>
  inventory.update(db, { ...of, id }, (item) => {
    const quantity = item.quantity + delta
    if (quantity < 0) conflict('not_enough', `There are only ${item.quantity} of it: nothing was changed.`)
    if (quantity > MOST) conflict('out_of_range', `There are ${item.quantity} of it, and never more than ${MOST}: nothing was changed.`)
    return { quantity }
  })
