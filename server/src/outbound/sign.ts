import { createHmac, randomBytes } from 'node:crypto'

// Signatures of Standard Webhooks (https://www.standardwebhooks.com), version 1: HMAC-SHA-256 of id, time and body.

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newWebhookSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** A secret as libraries expect it. */
export const secretText = (secret: Buffer): string => PREFIX + secret.toString('base64')

/** Returns the header `webhook-signature`. Each secret that is valid has a signature, so that a receiver may know the old or the new one. */
export const signaturesOf = (secrets: Buffer[], id: string, seconds: number, body: string): string =>
  secrets.map((secret) => `v1,${createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')}`).join(' ')
