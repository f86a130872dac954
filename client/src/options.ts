/** The API key of a developer. It is a secret of a server, and never belongs in a browser. */
export interface KeyCredential {
  /** The key, or a function that returns the present one. It is called again when the service no longer accepts the last one. */
  apiKey: string | (() => string | Promise<string>)
}

/** The token of one user, for browsers and apps. */
export interface TokenCredential {
  /** The token, or a function that gets one. It is called again when the token has expired, once for all requests that wait for it. */
  token: string | (() => string | Promise<string>)
}

/** The session of the console, for pages of the service itself: the browser sends its cookie, which no script can read. */
export interface SessionCredential {
  session: true
}

interface ServiceAddress {
  /** The address of the service, such as `https://guildhall.example`, with or without `/api/v1`. In a page of the service itself it may be empty. */
  baseUrl: string
}

export type ClientOptions = (((KeyCredential | TokenCredential) & ServiceAddress) | (SessionCredential & Partial<ServiceAddress>)) & {
  /** Number of times that a failed request is repeated. Default: 2 */
  retries?: number | undefined
  /** Milliseconds that one attempt may take, with its reply. Default: 60,000 */
  timeoutMs?: number | undefined
  /** Headers of every request. */
  headers?: Record<string, string> | undefined
  /** Is told once if the service is older than this client needs. Default: `console.warn` */
  onWarning?: ((text: string) => void) | undefined
  /** Used instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** The options of any request. */
export interface RequestOptions {
  /** Ends the request. It is not repeated after that, and rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  retries?: number | undefined
  timeoutMs?: number | undefined
  /** The acting user, on paths that do not name one. */
  onBehalfOf?: string | undefined
  headers?: Record<string, string> | undefined
}

/** The options of a request that writes. */
export interface WriteOptions extends RequestOptions {
  /**
   * Two requests with the same key and body are executed once, and both get the reply of the first. By default every call has a key of its own, which all of its attempts share.
   */
  idempotencyKey?: string | undefined
}

/** The options of a request that removes a resource. */
export interface DeleteOptions extends RequestOptions {
  /** Change the resource only if it is still as you saw it: the resource, or its ETag. Otherwise the error is `precondition_failed`. */
  ifMatch?: { version: number } | string | undefined
}

/** The options of a request that changes a resource. */
export interface ChangeOptions extends WriteOptions, DeleteOptions {}
