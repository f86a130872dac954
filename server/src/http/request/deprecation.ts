import type { FastifyReply } from 'fastify'
import { Problem } from '../../core/problem.ts'
import type { Plan } from '../plan.ts'

/** Announces the end of a deprecated operation, and rejects it with 410 after its sunset. */
export function announceDeprecation({ deprecated }: Plan, now: Date, reply: FastifyReply): void {
  if (!deprecated) return
  reply.header('deprecation', `@${Math.floor(deprecated.since.getTime() / 1000)}`).header('sunset', deprecated.sunset.toUTCString())
  if (now >= deprecated.sunset)
    throw new Problem(410, 'gone', 'This operation was withdrawn. The API reference at /docs names its replacement.')
}
