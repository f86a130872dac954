import { createSecretKey, hash, type KeyObject } from 'node:crypto'
import { randomSlice } from '../core/random.ts'
import { NONCE_BYTES, SEAL_BYTES, seal, unseal } from '../core/sealed.ts'

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

const EPOCH_BYTES = 8
const PLACE_BYTES = EPOCH_BYTES + 8 + 8
/** The length of a cursor in characters of base64url. */
export const CURSOR_LENGTH = Math.ceil(((PLACE_BYTES + SEAL_BYTES) * 4) / 3)

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
  const place = Buffer.alloc(PLACE_BYTES)
  epochBytes(epoch).copy(place)
  place.writeBigUInt64BE(BigInt(position), EPOCH_BYTES)
  place.writeBigUInt64BE(mark, EPOCH_BYTES + 8)
  return seal(preparedKey(key), randomSlice(NONCE_BYTES), ownerText(owner), place)
}

/** A cursor that was decrypted. */
export interface OpenedCursor extends Place {
  /** True if it was made in this epoch. */
  isOf(epoch: string): boolean
}

/** Decrypts a cursor. Returns null for a text that is no cursor of this owner. */
export function openCursor(key: Buffer, owner: CursorOwner, text: string): OpenedCursor | null {
  const place = unseal(preparedKey(key), ownerText(owner), text)
  if (place?.length !== PLACE_BYTES) return null
  return {
    position: Number(place.readBigUInt64BE(EPOCH_BYTES)),
    mark: place.readBigUInt64BE(EPOCH_BYTES + 8),
    isOf: (epoch) => place.subarray(0, EPOCH_BYTES).equals(epochBytes(epoch)),
  }
}
