import type { ChildProcess } from 'node:child_process'
import type { OutgoingRequest } from '../load.ts'

/** The work that all servers do: a page of ten of a thousand users with the total, a new user, and one user. */
export const WORK = ['list', 'create', 'get'] as const
export type Work = (typeof WORK)[number]

/** A server to compare with, and how it is asked for the same work. */
export interface Peer {
  name: string
  port: number
  child: ChildProcess
  requests: Record<Work, (company_id: string) => OutgoingRequest>
}
