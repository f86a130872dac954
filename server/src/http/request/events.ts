import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../db/client.ts'
import type { EventDraft, Origin } from '../../events/record.ts'
import type { Outcome } from '../operation.ts'
import type { Plan } from '../plan.ts'
import type { PathRowsByName } from './session-state.ts'
import { tenantOf } from './target.ts'

/** The events of a write: the operation's own, if it has one, and those of the changes that came with it. */
export function eventsOf({ events: [first] }: Plan, outcome: Outcome): EventDraft[] {
  const type = outcome.event ?? first
  return [...(type ? [{ ...outcome, type }] : []), ...(outcome.sideEvents ?? [])]
}

export const originOf = ({ id, session }: FastifyRequest, pathRows: PathRowsByName): Origin => ({
  company_id: tenantOf(session),
  pathRows,
  developer_id: session.caller.developer.id,
  user_id: session.caller.actor?.id ?? null,
  request_id: id,
})

/** Lets the resources that guard the path note who writes below them. Returns the events of their changes. */
export async function enter({ gates }: Plan, tx: Tx, context: object): Promise<EventDraft[]> {
  const events: EventDraft[] = []
  for (const { writers } of gates) events.push(...(await writers.enter(tx, context as never)))
  return events
}
