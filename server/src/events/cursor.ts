import { createCipheriv, createDecipheriv, createSecretKey, hash, type KeyObject } from 'node:crypto'
import { randomSlice } from '../core/random.ts'

/** The place up to which a reader has been told the changes of a company. */
export interface Place {
  position: number
  /**
   * Identifies the event at the position. A database that went back in time without a new epoch (its files were replaced by a copy, or a replica that was
   * behind took over) assigns positions a second time: the mark shows that another event is there now.
   */
  mark: bigint
}

/** The mark of a position whose event is not known: before the first one, and after its row was deleted. */
export const NO_MARK = 0n

/** The last 64 bits of an id: all of them are random, except two. */
export const markOf = (event_id: string): bigint => BigInt(`0x${event_id.slice(19, 23)}${event_id.slice(24)}`)

/** True unless two marks are known to be those of different events. */
export const mayBeSame = (a: bigint, b: bigint): boolean => a === b || a === NO_MARK || b === NO_MARK

/** The owner of a cursor: it is of no use to anybody else. */
export interface CursorOwner {
  company_id: string
  reader_id: string
}

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const EPOCH_BYTES = 8
const PLACE_BYTES = EPOCH_BYTES + 8 + 8
const TAG_BYTES = 16
const CURSOR_BYTES = NONCE_BYTES + PLACE_BYTES + TAG_BYTES
/** The length of a cursor in characters of base64url. */
export const CURSOR_LENGTH = Math.ceil((CURSOR_BYTES * 4) / 3)

const ownerText = ({ company_id, reader_id }: CursorOwner) => Buffer.from(`feed ${company_id} ${reader_id}`)
/** A process has one key and one epoch at a time, and makes thousands of cursors a second: both are prepared once. */
let lastEpoch: { epoch: string; bytes: Buffer } | undefined
function epochBytes(epoch: string): Buffer {
  if (lastEpoch?.epoch !== epoch) lastEpoch = { epoch, bytes: hash('sha256', epoch, 'buffer').subarray(0, EPOCH_BYTES) }
  return lastEpoch.bytes
}
let lastKey: { bytes: Buffer; prepared: KeyObject } | undefined
function preparedKey(bytes: Buffer): KeyObject {
  if (!lastKey?.bytes.equals(bytes)) lastKey = { bytes: Buffer.from(bytes), prepared: createSecretKey(bytes) }
  return lastKey.prepared
}

/**
 * Encrypts a place with a random nonce. A position in the clear would count the changes that its reader may not see, and so would a cursor that stays
 * the same while nothing happens.
 */
export function sealCursor(key: Buffer, owner: CursorOwner, epoch: string, { position, mark }: Place): string {
  const nonce = randomSlice(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, preparedKey(key), nonce)
  cipher.setAAD(ownerText(owner))
  const place = Buffer.alloc(PLACE_BYTES)
  epochBytes(epoch).copy(place)
  place.writeBigUInt64BE(BigInt(position), EPOCH_BYTES)
  place.writeBigUInt64BE(mark, EPOCH_BYTES + 8)
  const sealed = Buffer.concat([cipher.update(place), cipher.final()])
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
}

/** A cursor that was decrypted. */
export interface OpenedCursor extends Place {
  /** True if it was made in this epoch. */
  isOf(epoch: string): boolean
}

/** Decrypts a cursor. Returns null for a text that is no cursor of this owner. */
export function openCursor(key: Buffer, owner: CursorOwner, text: string): OpenedCursor | null {
  const bytes = Buffer.from(text, 'base64url')
  // The second comparison rejects other texts that decode to the same bytes.
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== text) return null
  const decipher = createDecipheriv(ALGORITHM, preparedKey(key), bytes.subarray(0, NONCE_BYTES))
  decipher.setAAD(ownerText(owner)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const place = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
    return {
      position: Number(place.readBigUInt64BE(EPOCH_BYTES)),
      mark: place.readBigUInt64BE(EPOCH_BYTES + 8),
      isOf: (epoch) => place.subarray(0, EPOCH_BYTES).equals(epochBytes(epoch)),
    }
  } catch {
    return null
  }
}
