import { randomBytes } from 'node:crypto'

export const newNonce = () => randomBytes(16).toString('base64')

const policy = (nonce: string, styles: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' ${styles}`.trim(),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The policy of our own pages: the scripts with this nonce, and the styles of our own files. */
export const pagePolicy = (nonce: string) => policy(nonce, '')

/** The policy of the API reference. Scalar writes styles into the page, for which it needs 'unsafe-inline'; its scripts need the nonce. */
export const referencePolicy = (nonce: string) => policy(nonce, "'unsafe-inline'")
