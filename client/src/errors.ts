import type { ErrorCode, Fault, Problem } from './generated.ts'

/** A code that this version knows, for completion, or any other: a newer service may have more. */
export type AnyErrorCode = ErrorCode | (string & {})

const isText = (value: unknown): value is string => typeof value === 'string'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && !!value && !Array.isArray(value)

/** A message may end with a hint, which is a sentence of its own. */
const sentenceOf = ({ field, message }: Fault) => `${field} ${message}${/[.?!]$/.test(message) ? '' : '.'}`

/** An error that the service answered with. Its `code` says what happened, and never changes its meaning. */
export class ApiError<Code extends string = AnyErrorCode> extends Error {
  override readonly name: string = 'ApiError'
  readonly status: number
  /** `unknown` if the reply came from something else, such as a proxy. */
  readonly code: Code
  /** An explanation for people. */
  readonly detail: string
  /** All that the service says for people: the detail, why access is denied, and the fields at fault. The message has it, too. */
  readonly explanation: string
  /** The id under which the log of the service has the request. */
  readonly requestId: string | undefined
  /** The fields at fault, if the code is `validation_failed`. */
  readonly faults: readonly Fault[]
  /** Seconds to wait before the request may succeed. */
  readonly retryAfter: number | undefined
  /** Why access is denied, if the status is 403. */
  readonly reason: Problem['reason']
  /** The permission or role that would allow the request, if that can be said. */
  readonly needs: Problem['needs']
  /** The resource that stands in the way, if the code is `duplicate` or `user_archived`. */
  readonly id: string | undefined
  /** How much there is of what the request wants more of, for example if the code is `not_enough_experience`. */
  readonly available: number | undefined
  /** The whole problem, with fields that this version does not know. */
  readonly problem: Partial<Problem>

  /** `problem` may be anything: what answers may not be the service. Only fields of the right type are used. */
  constructor(status: number, problem: unknown, retryAfter?: number) {
    const known: Record<string, unknown> = isObject(problem) ? problem : {}
    const text = (name: string) => (isText(known[name]) ? known[name] : undefined)
    const { invalid_parameters: given, needs, available } = known
    const code = text('code') || 'unknown'
    const detail = text('detail') || `The reply is no problem of Guildhall. Check baseUrl.`
    const faults = Array.isArray(given) ? given.filter((fault): fault is Fault => isText(fault?.field) && isText(fault.message)) : []
    const why = text('why')
    const explanation = [why ? `${detail}: ${why}.` : detail, ...faults.map(sentenceOf)].join(' ')
    super(`${status} ${code}: ${explanation}`)
    this.status = status
    this.code = code as Code
    this.detail = detail
    this.explanation = explanation
    this.requestId = text('request_id')
    this.faults = faults
    this.retryAfter = retryAfter
    this.reason = text('reason') as Problem['reason']
    this.needs = isObject(needs) ? Object.fromEntries(Object.entries(needs).filter(([, value]) => isText(value))) : undefined
    this.id = text('id')
    this.available = typeof available === 'number' ? available : undefined
    this.problem = known
  }

  /** Returns true for an ApiError with one of these codes, or with any code if none is given. Narrows `code`. */
  static is<Code extends AnyErrorCode = AnyErrorCode>(error: unknown, ...codes: Code[]): error is ApiError<Code> {
    return error instanceof ApiError && (!codes.length || codes.includes(error.code as Code))
  }
}

/** No reply arrived: the connection failed or was cut, or the time was up. What the request did, if anything, is not known. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError'
}

/** The function that gives the credential took too long, so nothing was sent. */
export class NoCredentialError extends ConnectionError {}

/** The caller gave something that cannot be sent. Repeating the request cannot help. */
export class UsageError extends TypeError {}
