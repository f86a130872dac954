import { changedOnly, mergePatch } from '../../core/json.ts'
import { invalid } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { seen } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { secretTable } from '../../db/table.ts'
import { sightIn } from '../campaigns/path-resource.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { MAX_SECRET_METADATA_BYTES, type SecretMetadata, type SecretMetadataPatch, SecretMetadataRow } from './schema.ts'

const rows = secretTable('secret_metadata', SecretMetadataRow, {
  noun: 'Secret metadata',
  partOf: { campaigns: 'campaign_id', characters: 'character_id' },
})

/** The acting user, and the campaign or character that has the secret metadata. */
export interface SecretContext extends InCampaign {
  character?: { id: string }
}

const scopeOf = ({ actor, campaign, character }: SecretContext) => ({
  company_id: actor.company_id,
  parent_id: character?.id ?? campaign.id,
})

/** The version after the first write: before it, empty metadata has version 1, whose If-Match then fails. */
const FIRST_WRITTEN_VERSION = 2

const columns = columnsOf(SecretMetadataRow, 'x')

/** Reads the secret metadata of a campaign or character: until something is written, it is empty. The statement always returns a row, as a guarded read requires. */
export async function getSecretMetadata(db: Db, context: SecretContext): Promise<SecretMetadata> {
  const { campaign, character } = context
  const { company_id, parent_id } = scopeOf(context)
  const [found] = await db.query<SecretMetadataRow | { id: null }>(sql`
    SELECT ${columns} FROM (SELECT 1) one LEFT JOIN secret_metadata x
      ON x.company_id = ${company_id} AND x.parent_id = ${parent_id} AND ${seen(sightIn(context), sql`x.visibility`)}`)
  const none = { campaign_id: campaign.id, character_id: character?.id ?? null, metadata: {}, date_modified: null, version: 1 }
  return found && found.id !== null ? found : none
}

function refuseTooLong(metadata: Record<string, string>): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_SECRET_METADATA_BYTES)
    invalid([{ field: 'metadata', message: `must have at most ${MAX_SECRET_METADATA_BYTES} bytes as JSON in total` }])
}

/** A change as its event records it: only the texts that changed. */
const recordedTexts = ({ before, after }: Record<'before' | 'after', SecretMetadataRow>) => {
  if (before === after) return { before, after }
  const [old, current] = [changedOnly(before.metadata, after.metadata), changedOnly(after.metadata, before.metadata)]
  return { before: { ...before, metadata: old }, after: { ...after, metadata: current }, matched: before, reply: after }
}

/** Merges texts into the secret metadata of a campaign or character. Its own row has the version, so that the owner of the row does not seem to change. */
export async function updateSecretMetadata(db: Tx, context: SecretContext, { metadata }: SecretMetadataPatch) {
  const { campaign, character } = context
  const { company_id, parent_id } = scopeOf(context)
  // Of concurrent requests, one creates the row.
  const owners = character ? sql`characters` : sql`campaigns`
  db.send(sql`SELECT id FROM ${owners} WHERE company_id = ${company_id} AND id = ${parent_id} FOR NO KEY UPDATE`)
  const seenRows = rows.seenBy(sightIn(context))
  const present = await getSecretMetadata(db, context)
  const merged = mergePatch(present.metadata, metadata) as Record<string, string>
  refuseTooLong(merged)
  if (present.date_modified !== null) return recordedTexts(await seenRows.update(db, { company_id, parent_id }, { metadata }))
  if (Object.keys(merged).length === 0) return { before: present, after: present }
  const values = {
    company_id,
    campaign_id: campaign.id,
    character_id: character?.id ?? null,
    visibility: 'STORYTELLER' as const,
    metadata: merged,
    version: FIRST_WRITTEN_VERSION,
  }
  const { after } = await seenRows.insert(db, values)
  // The database computes the generated column parent_id; the insert does not return it.
  return { before: null, after: { ...after, parent_id, version: FIRST_WRITTEN_VERSION }, matched: present }
}
