import type { FastifyRequest } from 'fastify'
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
