/** The head of the reply that a value came in. */
export interface Meta {
  status: number
  /** The ETag, for `ifMatch`. */
  etag: string | undefined
  /** The id under which the log of the service has the request. */
  requestId: string | undefined
  /** True if the reply is the stored one of an earlier request with the same Idempotency-Key. */
  replayed: boolean
  headers: Headers
}

const metas = new WeakMap<object, Meta>()

export function keepMeta(value: unknown, { status, headers }: Response): void {
  if (typeof value !== 'object' || !value) return
  metas.set(value, {
    status,
    etag: headers.get('etag') ?? undefined,
    requestId: headers.get('x-request-id') ?? undefined,
    replayed: headers.has('idempotent-replayed'),
    headers,
  })
}

/** Returns the head of the reply that a resource or page came in. The items of a page have none of their own. */
export const metaOf = (value: object): Meta | undefined => metas.get(value)
