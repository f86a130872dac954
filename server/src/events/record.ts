import { timeOf } from '../core/ids.ts'
import { isSameJson } from '../core/json.ts'
import type { Tx } from '../db/client.ts'
import { type Sql, sql } from '../db/sql.ts'
import type { Change } from '../db/table.ts'
import { together } from '../db/together.ts'
import type { EventType } from './catalog.ts'
import './tables.ts'

type Row = Record<string, unknown>
export type Changes = Record<string, { old: unknown; new: unknown }>

/** The fields of a row that decide how secret it is. */
export interface SecretRow {
  id?: string
  visibility?: string
  /** The user who sees it nevertheless. */
  author_id?: string | null
}

/** The company, caller and request of an event. */
export interface Origin {
  company_id: string
  /** The rows of the path resources, by name: an event is at least as secret as the most secret of them. */
  pathRows?: Record<string, SecretRow>
  developer_id: string | null
  user_id: string | null
  request_id: string | null
}

/** Fields that carry no information in a history: most of them change with every write. */
const UNRECORDED = new Set(['id', 'company_id', 'date_created', 'date_modified', 'version', 'parent_id', 'hidden_changes'])

/** Metadata without keys is recorded like a field that is not set. */
function recordedValue(row: Row | null, field: string): unknown {
  const value = row?.[field] ?? null
  return field === 'metadata' && isSameJson(value, {}) ? null : value
}

/** Returns the fields that a change changed. */
function differences(before: Row | null, after: Row | null): Changes {
  const changes: Changes = {}
  for (const field of Object.keys({ ...before, ...after })) {
    const [old, current] = [recordedValue(before, field), recordedValue(after, field)]
    if (!UNRECORDED.has(field) && !isSameJson(old, current)) changes[field] = { old, new: current }
  }
  return changes
}

/** The visibilities of secret rows, least secret first. All others are visible to everybody. */
const SECRECY = ['STORYTELLER', 'AUTHOR']

/** Visibilities whose events are for storytellers: the author of a BLIND row does not see it, and players see no value of a NAME_ONLY row. */
const FOR_STORYTELLERS = ['BLIND', 'NAME_ONLY']

/** Returns the visibility of the most secret of some rows, null for everybody. */
function secrecy(rows: (SecretRow | null)[]): string | null {
  const rankOf = (visibility = '') => SECRECY.indexOf(FOR_STORYTELLERS.includes(visibility) ? 'STORYTELLER' : visibility)
  const rank = Math.max(...rows.map((row) => rankOf(row?.visibility)))
  return SECRECY[rank] ?? null
}

/** Fields of a NAME_ONLY row that players do not see. A change of others is told to them, without its values. */
const UNNAMED = ['value', 'start']

/** Events of the value of a row, whatever else the request changed. */
const OF_VALUE = /\.(adjusted|filled|emptied)$/

/** The row as far as it decides who is told that it changed. */
const toldRow = (row: SecretRow, type: string, changed: string[]): SecretRow =>
  row.visibility === 'NAME_ONLY' && !OF_VALUE.test(type) && changed.some((field) => !UNNAMED.includes(field))
    ? { ...row, visibility: 'OPEN' }
    : row

/** The visibility of the row itself, before or after the change, where it is not that of the event. */
const differing = (visibility: string | null, ofRow: string | null): string | null => (ofRow === visibility ? null : (ofRow ?? 'OPEN'))

interface WithSheet {
  sheet_visibility?: string
}

/** The readers of a sheet that is hidden from others, most first. */
const SHEET_SECRECY = ['PLAYER', 'STORYTELLER']

/** Returns the readers of the traits and details of an event, null for everybody: no more people than could see the sheet before or after. */
const sheetSecrecy = (rows: (WithSheet | null)[]): string | null =>
  SHEET_SECRECY[Math.max(...rows.map((row) => SHEET_SECRECY.indexOf(row?.sheet_visibility ?? '')))] ?? null

/** A change that is to be recorded, and the type of its event. */
export interface EventDraft<Type extends EventType = EventType> extends Change<unknown> {
  type: Type
  /** The company of the event, if it is not that of the request. */
  company_id?: string
  /** The reason that the caller gave. */
  reason?: string
  /** A secret that the change belongs to, besides the path resources. */
  partOf?: SecretRow | undefined
}

interface Subject {
  id: string
  campaign_id?: string
  author_id?: string
  user_id?: string
  visibility?: string
  version?: number
}

/** The visibility of an event, and of its row before and after it. An event is never shown to more people than could see the row before or after. */
function visibilityOf({ type, before, after, partOf }: EventDraft, origin: Origin, subject: Subject, changed: string[]) {
  const { sheet: pathSheet, ...pathSecrets } = origin.pathRows ?? {}
  const [old, current] = [before as SecretRow | null, after as SecretRow | null]
  const around = Object.values(pathSecrets)
  const secrets = [old, current, ...around]
  // A character is a path resource of its own changes. Who sees it after one is decided by what it is then, and not by what it was when the request began.
  const besides = (row: SecretRow) => (row.visibility === undefined ? around : around.filter(({ id }) => id !== subject.id))
  // Of a character itself, only the traits and details belong to the sheet: see `sheetSecrecy`. A roll is recorded without values of a hidden sheet.
  const sheet = partOf ?? (/^(character|dice_roll)\./.test(type) ? undefined : pathSheet)
  const withSheet = (rows: (SecretRow | null)[]) => secrecy(sheet ? [...rows, sheet] : rows)
  const visibility = withSheet(secrets)
  // The author of a secret row may see its event, unless it is hidden from the author, too. A part of a sheet has the player of the character,
  // who does not see what is hidden on the sheet besides.
  const readers = sheet ? (secrecy(secrets) ? null : sheet.author_id) : (subject.author_id ?? subject.user_id)
  return {
    visibility,
    visibility_before: old ? differing(visibility, withSheet([toldRow(old, type, changed), ...besides(old)])) : null,
    visibility_after: current ? differing(visibility, withSheet([toldRow(current, type, changed), ...besides(current)])) : null,
    author_id: visibility && subject.visibility !== 'BLIND' ? (readers ?? null) : null,
    sheet_visibility: sheetSecrecy([before as WithSheet | null, after as WithSheet | null]),
  }
}

/** The row of an event, and its row in the outbox, from which the sequencer takes it. */
function valuesOf(tx: Tx, draft: EventDraft, origin: Origin): { event: Sql; waiting: Sql } {
  const { type, before, after, reason } = draft
  const subject = (after ?? before) as Subject
  const changes = differences(before as Row | null, after as Row | null)
  const [resource_type] = type.split('.')
  const campaign_id = subject.campaign_id ?? (resource_type === 'campaign' ? subject.id : (origin.pathRows?.campaign?.id ?? null))
  const { visibility, visibility_before, visibility_after, author_id, sheet_visibility } = visibilityOf(
    draft,
    origin,
    subject,
    Object.keys(changes),
  )
  const [id, version, company_id] = [tx.newId(), subject.version ?? null, draft.company_id ?? origin.company_id]
  return {
    event: sql`(${company_id}, ${id}, ${type}, ${resource_type}, ${subject.id}, ${version}, ${origin.developer_id}, ${origin.user_id},
      ${origin.request_id}, ${JSON.stringify(changes)}, ${reason ?? null}, ${timeOf(id)}, ${campaign_id}, ${visibility}, ${visibility_before}, ${visibility_after},
      ${author_id}, ${sheet_visibility})`,
    waiting: sql`(${company_id}::uuid, ${id}::uuid, ${subject.id}::uuid, ${version}::integer)`,
  }
}

/** Writes events in the transaction of their changes. A change that changed nothing is not recorded. */
export function record(tx: Tx, drafts: EventDraft[], origin: Origin): void {
  const rows = drafts.filter(({ before, after }) => before !== after).map((draft) => valuesOf(tx, draft, origin))
  if (rows.length === 0) return
  const outbox = sql`INSERT INTO outbox (company_id, id, resource_id, version) VALUES ${sql.join(
    rows.map(({ waiting }) => waiting),
    ', ',
  )}`
  together(tx, [outbox], (prefix) =>
    tx.send(sql`${prefix}
    INSERT INTO events (company_id, id, type, resource_type, resource_id, version, developer_id, user_id, request_id, changes, reason, date_created,
                        campaign_id, visibility, visibility_before, visibility_after, author_id, sheet_visibility)
    VALUES ${sql.join(
      rows.map(({ event }) => event),
      ', ',
    )}`),
  )
}
