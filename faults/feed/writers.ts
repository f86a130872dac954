import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../server/src/db/client.ts'
import { engineAt } from '../../server/src/db/driver/engine.ts'
import { sql } from '../../server/src/db/sql.ts'
import { record } from '../../server/src/events/record.ts'
import { updateUser } from '../../server/src/resources/users/queries.ts'
import { attempt } from '../client.ts'
import type { Company } from '../company.ts'

const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** The longest time for which a slow transaction stays open after it has written its event. */
const MAX_OPEN_MS = 300
const ROLLED_BACK_SHARE = 0.3

/** The resources and versions of the changes that were acknowledged to writers. */
export interface Acknowledged {
  versions: Set<string>
  /** Requests that may have been done or not: their answer was cut off. */
  unknown: number
  rolledBack: number
}

export interface Writing {
  company: Company
  port(): number
  fail(fault: string): void
  isOver(): boolean
  acknowledged: Acknowledged
}

let count = 0

/** Writes notes that all members or only storytellers see, and changes a few of them again and again, until the writing is over. */
export async function writeNotes({ company, port, fail, isOver, acknowledged }: Writing, notes: string[], pauseMs: number): Promise<void> {
  const path = `${company.base}/users/${company.teller}/campaigns/${company.campaign}/notes`
  const key = company.developer.key
  while (!isOver()) {
    const visibility = Math.random() < 0.3 ? 'STORYTELLER' : 'EVERYONE'
    const text = `Number ${++count}`
    const { status, text: reply } = await attempt(
      port(),
      Math.random() < 0.5
        ? { method: 'PATCH', path: `${path}/${pick(notes)}`, key, body: { body: text } }
        : { method: 'POST', path, key, body: { title: text, visibility } },
    )
    if (status === 200 || status === 201) {
      const { id, version } = JSON.parse(reply)
      acknowledged.versions.add(`${id} ${version}`)
    } else if (status === 0) acknowledged.unknown++
    else if (status !== 503) return fail(`a writer got ${status}: ${reply.slice(0, 300)}`)
    await sleep(Math.random() * pauseMs)
  }
}

/**
 * Changes users in transactions that stay open after their event was written, and some of which are rolled back. They are made here and not by requests: those
 * write the event with the COMMIT. A service that is killed does not end them.
 */
export async function writeSlowly(url: string, { company, isOver, acknowledged }: Writing, users: string[]): Promise<void> {
  const db = connect(url, { readers: 1, writers: 2, engine: await engineAt(url) })
  const { company_id, developer } = company
  while (!isOver()) {
    const isRolledBack = Math.random() < ROLLED_BACK_SHARE
    const written = db.transaction(async (tx) => {
      const change = await updateUser(tx, company_id, pick(users), { name: `Number ${++count}` })
      const origin = { company_id, developer_id: developer.id, user_id: null, request_id: null }
      record(tx, [{ ...change, type: 'user.updated' }], origin)
      await tx.query(sql`SELECT 1 AS one`)
      await sleep(Math.random() * MAX_OPEN_MS)
      if (isRolledBack) throw new Error('rolled back')
      return change.after
    })
    await written.then(
      ({ id, version }) => acknowledged.versions.add(`${id} ${version}`),
      (error) => {
        if ((error as Error).message !== 'rolled back') throw error
        acknowledged.rolledBack++
      },
    )
  }
  await db.close()
}
