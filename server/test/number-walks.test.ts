import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../src/db/sql.ts'
import { newGameTable, type Person, twoApps } from './game-table.ts'
import { db, write } from './harness.ts'
import { until } from './until.ts'

// A walk by cursor in the order of numbers has each item that stays in its place exactly once, whatever happens to the others between two pages: also to the
// item that the cursor was made from, and also if all positions are spread.

/** Items stay in place if their index is even. */
const ITEMS = 12
/** After this many pages nobody writes any more, so that the walk ends. */
const MAX_DISTURBED_PAGES = 8

const CHANGES = ['squeeze', 'move', 'archive', 'restore', 'create', 'purge', 'rename'] as const
interface Disturbance {
  change: (typeof CHANGES)[number]
  which: number
  to: number
}
const disturbance = fc.record({
  change: fc.oneof({ weight: 2, arbitrary: fc.constant('squeeze' as const) }, { weight: 6, arbitrary: fc.constantFrom(...CHANGES) }),
  which: fc.nat(99),
  to: fc.nat(99),
})

type GameTable = Awaited<ReturnType<typeof newGameTable>>

/** The rows of one parent: some stay in their places, the others are moved, archived, restored and purged. */
class Shelf {
  readonly teller: Person
  readonly company_id: string
  readonly table: 'books' | 'chapters'
  readonly parent: { table: string; id: string }
  readonly path: string
  stable: string[] = []
  movers: string[] = []
  archived: string[] = []

  constructor({ teller, company_id, C }: GameTable, table: 'books' | 'chapters', parent_id: string) {
    this.teller = teller
    this.company_id = company_id
    this.table = table
    this.parent = { table: table === 'books' ? 'campaigns' : 'books', id: parent_id }
    this.path = table === 'books' ? `/campaigns/${parent_id}/books` : `${C}/books/${parent_id}/chapters`
  }

  static async make(game: GameTable, table: 'books' | 'chapters'): Promise<Shelf> {
    const parent = await game.teller.make(table === 'books' ? '/campaigns' : `${game.C}/books`, { name: 'Shelf' })
    const shelf = new Shelf(game, table, parent)
    await shelf.fill()
    return shelf
  }

  async fill() {
    for (let i = 0; i < ITEMS; i++) (i % 2 ? this.movers : this.stable).push(await this.teller.make(this.path, { name: `${i}` }))
    // Without a gap between two positions, the first move to a place among them spreads all.
    await write(sql`
      UPDATE ${sql.id(this.table)} t SET position = place FROM (
        SELECT id, row_number() OVER (ORDER BY position) AS place FROM ${sql.id(this.table)}
        WHERE company_id = ${this.company_id} AND id = ANY (${[...this.stable, ...this.movers]}::uuid[])) ordered
      WHERE t.company_id = ${this.company_id} AND t.id = ordered.id`)
  }

  async #send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
    const send = { POST: this.teller.post, PUT: this.teller.put, PATCH: this.teller.patch, DELETE: this.teller.delete }[method]
    const { status, text } = await send(`${this.path}/${path}`, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
  }

  #move(id: string, to: number) {
    const count = this.stable.length + this.movers.length
    return this.#send('PUT', `${id}/number`, { number: 1 + (to % count) })
  }

  /**
   * Spreads the rows: puts one item right behind another that stays, as many moves would, so that there is no position between them, and then moves a second
   * one to this place.
   */
  async squeeze(id: string, second: string, to: number, on = twoApps[0]) {
    const { company_id, parent, table, stable } = this
    const before = stable[to % stable.length] as string
    await db.transaction(async (tx) => {
      await tx.query(sql`SELECT id FROM ${sql.id(parent.table)} WHERE company_id = ${company_id} AND id = ${parent.id} FOR NO KEY UPDATE`)
      const [place] = await tx.query<{ position: string; taken: boolean }>(sql`
        SELECT (t.position + 1)::text AS position, EXISTS (
          SELECT FROM ${sql.id(table)} o WHERE o.company_id = ${company_id} AND o.id = ANY (${[...stable, ...this.movers]}::uuid[]) AND o.position = t.position + 1) AS taken
        FROM ${sql.id(table)} t WHERE t.company_id = ${company_id} AND t.id = ${before}`)
      if (place?.taken) return
      await tx.query(sql`UPDATE ${sql.id(table)} SET position = ${place?.position} WHERE company_id = ${company_id} AND id = ${id}`)
    })
    const { body } = await this.teller.get(`${this.path}/${before}`)
    const moved = await this.teller.put(`${this.path}/${second}/number`, { number: Math.min((body.number as number) + 1, ITEMS) }, {}, on)
    assert.ok(moved.status === 200, moved.text)
  }

  /** Changes others, and first of all the item at the end of the page, from which the cursor was made. */
  async disturb({ change, which, to }: Disturbance, last: string) {
    const { movers, archived } = this
    const id = movers.includes(last) ? last : (movers[which % movers.length] as string)
    if (change === 'squeeze') {
      // First, the item of the cursor leaves its place.
      await this.#move(id, which)
      const [first, second] = movers.filter((other) => other !== id) as [string, string]
      await this.squeeze(first, second, to)
    } else if (change === 'move') await this.#move(id, to)
    else if (change === 'rename') await this.#send('PATCH', last, { name: `Renamed ${to}` })
    else if (change === 'create') movers.push(await this.teller.make(this.path, { name: 'New' }))
    else if (change === 'archive' && movers.length > 3) {
      await this.#send('DELETE', id)
      this.movers = movers.filter((other) => other !== id)
      archived.push(id)
    } else if (change === 'restore' && archived.length) {
      const back = archived.shift() as string
      await this.#send('POST', `${back}/restore`)
      movers.push(back)
    } else if (change === 'purge' && archived.length)
      await write(sql`DELETE FROM ${sql.id(this.table)} WHERE company_id = ${this.company_id} AND id = ${archived.shift()}`)
  }
}

async function walk(shelf: Shelf, sort: string, limit: number, disturbances: Disturbance[][]): Promise<string[]> {
  const walked: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null; page++) {
    const query = `?sort=${sort}&limit=${limit}${cursor && `&after=${cursor}`}`
    const { status, text, body } = await shelf.teller.get(`${shelf.path}${query}`, undefined, {}, twoApps[page % 2])
    assert.equal(status, 200, text)
    const ids = body.items.map(({ id }: { id: string }) => id)
    walked.push(...ids)
    cursor = body.next_cursor
    if (cursor !== null && page < MAX_DISTURBED_PAGES)
      for (const one of disturbances[page % disturbances.length] ?? []) await shelf.disturb(one, ids.at(-1) as string)
    assert.ok(page < 200, 'the walk does not end')
  }
  return walked
}

const spreadsIn = async (table: string, company_id: string) => {
  const [row] = await db.query<{ count: number }>(
    sql`SELECT count(*) AS count FROM ${sql.id(`${table}_spreads`)} WHERE company_id = ${company_id}`,
  )
  return row?.count ?? 0
}

for (const table of ['books', 'chapters'] as const)
  test(`${table} that stay in place are walked by number exactly once, however the others are moved, archived and spread`, async () => {
    const game = await newGameTable()
    let manySpreads = 0
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('number', '-number'),
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.array(disturbance, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 }),
        async (sort, limit, disturbances) => {
          const shelf = await Shelf.make(game, table)
          const before = await spreadsIn(table, game.company_id)
          const walked = await walk(shelf, sort, limit, disturbances)
          if ((await spreadsIn(table, game.company_id)) - before > 1) manySpreads++
          const inOrder = sort === 'number' ? shelf.stable : shelf.stable.toReversed()
          assert.deepEqual(
            walked.filter((id) => shelf.stable.includes(id)),
            inOrder,
            'repeated, skipped or out of order',
          )
        },
      ),
      { numRuns: 15, seed: 20_261_117, endOnFailure: true },
    )
    assert.ok(manySpreads >= 3, `Only ${manySpreads} walks were spread several times.`)
  })

for (const sort of ['number', '-number'])
  test(`in the order ${sort}, parallel moves on two processes that spread the rows again and again neither repeat nor skip a chapter`, async () => {
    const shelf = await Shelf.make(await newGameTable(), 'chapters')
    let isDisturbed = true
    let moves = 0
    const mover = async (number: 0 | 1) => {
      // Each has items of its own.
      const [first, second, third] = shelf.movers.slice(number * 3) as [string, string, string]
      for (let i = number; isDisturbed; i++) {
        await shelf.squeeze(i % 2 ? first : third, second, i, twoApps[number])
        moves++
      }
    }
    const movers = [mover(0), mover(1)]
    const walked: string[] = []
    try {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await shelf.teller.get(`${shelf.path}?sort=${sort}&limit=1${cursor && `&after=${cursor}`}`)
        walked.push(...body.items.map(({ id }: { id: string }) => id))
        cursor = body.next_cursor
        // Movers may overtake the cursor again and again, so that the walk would not end.
        if (walked.length > 2 * ITEMS) isDisturbed = false
        const enough = moves + 3
        if (isDisturbed) await Promise.race([...movers, until(() => moves >= enough, 'moves')])
      }
    } finally {
      isDisturbed = false
      await Promise.all(movers)
    }
    const inOrder = sort === 'number' ? shelf.stable : shelf.stable.toReversed()
    assert.deepEqual(
      walked.filter((id) => shelf.stable.includes(id)),
      inOrder,
    )
    assert.ok((await spreadsIn('chapters', shelf.company_id)) >= 3)
  })
