import { STATUS_CODES } from 'node:http'

/** One fault of a request: which field, and what to do about it. */
export interface Fault {
  field: string
  message: string
}

interface Extra {
  invalid_parameters?: Fault[]
  /** Seconds after which trying again makes sense; becomes the Retry-After header. */
  retry_after?: number
  headers?: Record<string, string>
}

/** The one error the service throws on purpose; it becomes an RFC 9457 reply. */
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
    const { invalid_parameters } = this.extra
    return { status, title: STATUS_CODES[status], detail, instance, code, request_id, ...(invalid_parameters && { invalid_parameters }) }
  }
}

const fail = (...problem: ConstructorParameters<typeof Problem>): never => {
  throw new Problem(...problem)
}

const MOST_FAULTS = 50

export const invalid = (faults: Fault[]) =>
  fail(400, 'validation_failed', 'Validation failed for one or more fields.', { invalid_parameters: faults.slice(0, MOST_FAULTS) })
export const unauthorized = (detail = 'Unauthorized API key') =>
  fail(401, 'unauthorized', detail, { headers: { 'www-authenticate': 'ApiKey realm="guildhall", header="X-API-KEY"' } })
export const forbidden = () => fail(403, 'forbidden', 'No rights to access this resource')
export const notFound = (noun: string) => fail(404, 'not_found', `${noun} not found`)
export const conflict = (code: string, detail: string, extra?: Extra) => fail(409, code, detail, extra)
export const preconditionFailed = () =>
  fail(412, 'precondition_failed', 'The resource has changed since the version named by If-Match: read it again and repeat the change.')
export const tooManyRequests = (retry_after: number) =>
  fail(429, 'too_many_requests', `Too many requests: try again in ${retry_after} s.`, { retry_after })
export const unavailable = (code: string, detail: string, retry_after?: number) =>
  fail(503, code, detail, retry_after === undefined ? {} : { retry_after })
