import { STATUS_CODES } from 'node:http'
import { type Denial, whyDenied } from './denial.ts'

/** An invalid field of a request, with a message such as `is required`. */
export interface Fault {
  field: string
  message: string
}

interface Extra extends Partial<Denial> {
  invalid_parameters?: Fault[]
  /** The resource that stands in the way, if the caller may see it. */
  id?: string
  /** The amount that could have been taken, if the request wanted more. */
  available?: number
  /** Seconds until a retry makes sense; sent as the Retry-After header. */
  retry_after?: number
  headers?: Record<string, string>
}

/** Keys of a body can be as long as the body, and a fault names them. */
const MAX_FIELD_LENGTH = 200
export const shortened = ({ field, message }: Fault, maxLength = 1000): Fault => ({
  field: field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH).toWellFormed()}…` : field,
  message: message.slice(0, maxLength),
})

/** The page that explains a code, and the `type` of its problems: a URL relative to the service. */
export const pageOf = (code: string) => `/docs/errors/${code}`

/** The error that the service throws on purpose. It becomes an RFC 9457 reply. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly extra: Extra
  constructor(status: number, code: string, detail: string, extra: Extra = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.extra = extra
  }

  body(instance: string, request_id: string) {
    const { status, code, message: detail } = this
    const { invalid_parameters, reason, needs, id, available } = this.extra
    return {
      type: pageOf(code),
      status,
      title: STATUS_CODES[status],
      detail,
      instance,
      code,
      request_id,
      ...(reason && { reason, why: whyDenied({ reason, ...(needs && { needs }) }), ...(needs && { needs }) }),
      ...(invalid_parameters && { invalid_parameters: invalid_parameters.map((fault) => shortened(fault)) }),
      ...(id && { id }),
      ...(available !== undefined && { available }),
    }
  }
}

const fail = (...problem: ConstructorParameters<typeof Problem>): never => {
  throw new Problem(...problem)
}

export const MAX_FAULTS = 50

export const invalid = (faults: Fault[]) =>
  fail(400, 'validation_failed', 'Validation failed for one or more fields.', { invalid_parameters: faults.slice(0, MAX_FAULTS) })

/** The challenges for a request without a valid credential: both ways to send one, or the fault of the one that was sent. */
const CHALLENGES = 'ApiKey realm="guildhall", header="X-API-KEY", Bearer realm="guildhall"'
const INVALID_BEARER = 'Bearer realm="guildhall", error="invalid_token"'

export const unauthorized = (detail = 'Unauthorized API key') =>
  fail(401, 'unauthorized', detail, { headers: { 'www-authenticate': CHALLENGES } })
/** Rejects a request to sign in that is not sent by the console itself, or whose cookie a browser would not keep. */
export const signInRefused = (detail: string) => fail(403, 'sign_in_refused', detail)
export const invalidBearer = (detail: string) => fail(401, 'unauthorized', detail, { headers: { 'www-authenticate': INVALID_BEARER } })
export const tokenExpired = () =>
  fail(401, 'token_expired', 'The user token has expired. Ask the application for a new one.', {
    headers: { 'www-authenticate': INVALID_BEARER },
  })
export const forbidden = (denial: Denial) => fail(403, 'forbidden', 'No rights to access this resource', denial)
export const notFound = (noun: string) => fail(404, 'not_found', `${noun} not found`)
export const conflict = (code: string, detail: string, extra?: Extra) => fail(409, code, detail, extra)
export const preconditionFailed = () =>
  fail(412, 'precondition_failed', 'The resource has changed since the version named by If-Match. Read it again and repeat the change.')
export const tooManyRequests = (retry_after: number) =>
  fail(429, 'too_many_requests', `Too many requests. Retry in ${retry_after} s.`, { retry_after })
export const unavailable = (code: string, detail: string, retry_after?: number) =>
  fail(503, code, detail, retry_after === undefined ? {} : { retry_after })
