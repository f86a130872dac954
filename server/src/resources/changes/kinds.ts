import { commitmentOf } from '@guildhall/dice/node-crypto'
import type { TObject } from '@guildhall/rules/type'
import { administers } from '../../core/access.ts'
import { columnsOf, maskedColumnsOf } from '../../db/columns.ts'
import { isParentLive } from '../../db/parents.ts'
import { seen, seesSheet } from '../../db/sight.ts'
import { sql } from '../../db/sql.ts'
import { Book, BookRow } from '../books/schema.ts'
import { seesCampaignOf } from '../campaigns/across.ts'
import { selectCampaigns } from '../campaigns/queries.ts'
import { Campaign } from '../campaigns/schema.ts'
import { Chapter, ChapterRow } from '../chapters/schema.ts'
import { Character, CharacterRow, SHEET_FIELDS } from '../characters/schema.ts'
import { Company } from '../companies/schema.ts'
import { asSeen, columns as rollColumns, rollsFor, traitsColumn } from '../dice-rolls/queries.ts'
import { DiceRoll, type DiceRollRow } from '../dice-rolls/schema.ts'
import { visibleRolls } from '../dice-rolls/seen.ts'
import { DiceSeed } from '../dice-seeds/schema.ts'
import { selectEntries } from '../experience/queries.ts'
import { Entry } from '../experience/schema.ts'
import { columns as grantColumns, from as grantsFrom } from '../grants/queries.ts'
import { Grant } from '../grants/schema.ts'
import { Item } from '../inventory/schema.ts'
import { Invite } from '../invites/schema.ts'
import { columns as memberColumns, from as membersFrom } from '../members/queries.ts'
import { Member } from '../members/schema.ts'
import { seesParents } from '../notes/queries.ts'
import { Note } from '../notes/schema.ts'
import { QuickRoll } from '../quick-rolls/schema.ts'
import { RulesetVersion } from '../ruleset-versions/schema.ts'
import { Ruleset } from '../rulesets/schema.ts'
import { SecretMetadata, SecretMetadataRow } from '../secret-metadata/schema.ts'
import { Term } from '../terms/schema.ts'
import { shownTo } from '../trackers/rules.ts'
import { Tracker, TrackerRow } from '../trackers/schema.ts'
import { User } from '../users/schema.ts'
import { Webhook } from '../webhooks/schema.ts'
import { actorOf, isOwn, type Kind, ownersIn, playersIn, type Resource, selected, withPath } from './selection.ts'

const columnsX = (schema: TObject) => {
  const columns = columnsOf(schema, 'x')
  return () => columns
}
const isLive = sql`x.date_archived IS NULL`
const inCampaign = ({ campaign_id }: Resource, rest: string) => `campaigns/${campaign_id}/${rest}`
const below = (segment: string, id: unknown) => (id ? `${segment}/${id}/` : '')

/** The number of a row among the live rows of its parent. */
const numberIn = (company_id: string, table: string, parent: string) => sql`(SELECT count(*) FROM ${sql.id(table)} other
  WHERE other.company_id = ${company_id} AND other.${sql.id(parent)} = x.${sql.id(parent)} AND other.date_archived IS NULL
    AND (other.position, other.id) <= (x.position, x.id))::integer AS number`

const notePath = (row: Resource) =>
  row.campaign_id
    ? inCampaign(
        row,
        `${below('books', row.book_id)}${below('chapters', row.chapter_id)}${below('characters', row.character_id)}notes/${row.id}`,
      )
    : `/users/${row.author_id}/notes/${row.id}`

const quickRollPath = (row: Resource) =>
  row.campaign_id
    ? inCampaign(row, `${below('characters', row.character_id)}quick-rolls/${row.id}`)
    : `/users/${row.user_id}/quick-rolls/${row.id}`

const asTracker = ({ tells, ...row }: Resource): Resource => ({
  ...(shownTo({ isStoryteller: Boolean(tells) })(row as never) as Resource),
  // Of every tracker, because the versions of some alone would tell which of them were hidden.
  hidesVersions: !tells,
})

const seedPath = ({ campaign_id, user_id, secret }: Resource) =>
  campaign_id ? `campaigns/${campaign_id}/${secret ? 'secret-dice-seed' : 'dice-seed'}` : `/users/${user_id}/dice-seed`

export const KINDS = {
  company: {
    schema: Company,
    participants: [],
    read: async (db, { viewer }) =>
      withPath(
        await db.query<Resource>(
          sql`SELECT ${columnsOf(Company)} FROM companies WHERE id = ${viewer.company_id} AND date_archived IS NULL`,
        ),
        () => '/',
      ),
  },
  grant: {
    schema: Grant,
    participants: [],
    read: async (db, { viewer }, ids) =>
      administers(viewer)
        ? withPath(
            await db.query<Resource>(sql`
          SELECT ${grantColumns} FROM ${grantsFrom} WHERE g.company_id = ${viewer.company_id} AND g.id = ANY (${ids}::uuid[])`),
            ({ id }) => `/developers/${id}`,
          )
        : [],
  },
  webhook: {
    schema: Webhook,
    participants: [],
    read: async (db, { viewer }, ids) =>
      administers(viewer)
        ? withPath(
            await db.query<Resource>(sql`
          SELECT ${columnsOf(Webhook)} FROM webhooks WHERE company_id = ${viewer.company_id} AND id = ANY (${ids}::uuid[]) AND date_archived IS NULL`),
            ({ id }) => `/webhooks/${id}`,
          )
        : [],
  },
  ruleset: selected(
    Ruleset,
    { table: 'rulesets', participants: [], columns: columnsX(Ruleset), where: () => isLive },
    ({ id }) => `/rulesets/${id}`,
  ),
  ruleset_version: selected(
    RulesetVersion,
    {
      table: 'ruleset_versions',
      participants: [],
      columns: columnsX(RulesetVersion),
      where: ({ company_id }) => isParentLive(company_id, 'rulesets', sql`x.ruleset_id`),
    },
    ({ ruleset_id, id }) => `/rulesets/${ruleset_id}/versions/${id}`,
  ),
  user: selected(User, { table: 'users', participants: [], columns: columnsX(User), where: () => isLive }, ({ id }) => `/users/${id}`),
  term: selected(Term, { table: 'terms', participants: [], columns: columnsX(Term), where: () => isLive }, ({ id }) => `/terms/${id}`),
  campaign: {
    schema: Campaign,
    participants: [],
    read: async (db, { viewer }, ids) =>
      withPath(await db.query<Resource>(selectCampaigns(viewer, sql`= ANY (${ids}::uuid[])`)), ({ id }) => `campaigns/${id}`),
  },
  member: {
    schema: Member,
    participants: [],
    read: async (db, { viewer }, ids, campaign_ids) =>
      withPath(
        await db.query<Resource>(sql`
        SELECT ${memberColumns} FROM ${membersFrom(viewer.company_id)}
        WHERE m.company_id = ${viewer.company_id} AND m.campaign_id = ANY (${campaign_ids}::uuid[]) AND m.user_id = ANY (${ids}::uuid[])
          AND ${seesCampaignOf(viewer, sql`m.campaign_id`)}`),
        (row) => inCampaign(row, `members/${row.id}`),
      ),
  },
  invite: {
    schema: Invite,
    participants: [],
    read: async (db, { viewer, campaigns }, ids, campaign_ids) => {
      const told = campaign_ids.filter((id) => campaigns.get(id)?.isStoryteller)
      const rows = await db.query<Resource>(sql`
        SELECT ${columnsOf(Invite, 'x')} FROM invites x
        WHERE x.company_id = ${viewer.company_id} AND x.campaign_id = ANY (${told}::uuid[]) AND x.id = ANY (${ids}::uuid[])`)
      return withPath(rows, (row) => inCampaign(row, `invites/${row.id}`))
    },
  },
  character: selected(
    Character,
    {
      table: 'characters',
      participants: [ownersIn('characters')],
      columns: ({ sight }) => maskedColumnsOf(CharacterRow, 'x', { fields: SHEET_FIELDS, isSeen: (row) => seesSheet(sight, row) }),
      where: ({ sight, inLiveCampaign }) => sql`${isLive} AND ${seen(sight, sql`x.visibility`)} AND ${inLiveCampaign}`,
    },
    (row) => inCampaign(row, `characters/${row.id}`),
  ),
  item: selected(
    Item,
    {
      table: 'inventory',
      participants: [playersIn('inventory')],
      columns: ({ company_id }) =>
        sql`${columnsOf(Item, 'x')}, (SELECT y.campaign_id FROM characters y WHERE y.company_id = ${company_id} AND y.id = x.character_id) AS _campaign_id`,
      where: ({ onSeenSheet }) => sql`${isLive} AND ${onSeenSheet}`,
    },
    (row) => `campaigns/${row._campaign_id}/characters/${row.character_id}/inventory/${row.id}`,
    ({ _campaign_id, ...item }) => item,
  ),
  tracker: selected(
    Tracker,
    {
      table: 'trackers',
      participants: [playersIn('trackers')],
      columns: ({ sight }) => sql`${columnsOf(TrackerRow, 'x')}, ((${sight.all})::boolean OR (${sight.isStoryteller})::boolean) AS tells`,
      where: ({ sight, inLiveCampaign, onSeenSheet }) => sql`${seen(sight, sql`x.visibility`)} AND ${inLiveCampaign} AND ${onSeenSheet}`,
    },
    (row) => inCampaign(row, `${below('characters', row.character_id)}trackers/${row.key}`),
    asTracker,
  ),
  secret_metadata: selected(
    SecretMetadata,
    {
      table: 'secret_metadata',
      participants: [],
      columns: columnsX(SecretMetadataRow),
      where: ({ company_id, sight, inLiveCampaign }) =>
        sql`${seen(sight, sql`x.visibility`)} AND ${inLiveCampaign} AND ${isParentLive(company_id, 'characters', sql`x.character_id`)}`,
    },
    (row) => inCampaign(row, `${below('characters', row.character_id)}secret-metadata`),
  ),
  book: selected(
    Book,
    {
      table: 'books',
      participants: [],
      columns: ({ company_id }) => sql`${columnsOf(BookRow, 'x')}, ${numberIn(company_id, 'books', 'campaign_id')}`,
      where: ({ inLiveCampaign }) => sql`${isLive} AND ${inLiveCampaign}`,
    },
    (row) => inCampaign(row, `books/${row.id}`),
  ),
  chapter: selected(
    Chapter,
    {
      table: 'chapters',
      participants: [],
      columns: ({ company_id }) => sql`${columnsOf(ChapterRow, 'x')}, ${numberIn(company_id, 'chapters', 'book_id')}`,
      where: ({ company_id, inLiveCampaign }) =>
        sql`${isLive} AND ${inLiveCampaign} AND ${isParentLive(company_id, 'books', sql`x.book_id`)}`,
    },
    (row) => inCampaign(row, `books/${row.book_id}/chapters/${row.id}`),
  ),
  note: selected(
    Note,
    {
      table: 'notes',
      participants: [ownersIn('notes', 'author_id')],
      columns: columnsX(Note),
      // A notebook is archived with its author.
      where: ({ company_id, viewer, sight, inLiveCampaign }) => sql`${isLive} AND ${seen(sight, sql`x.visibility`, sql`x.author_id`)}
        AND (x.campaign_id IS NOT NULL OR (${isOwn(viewer, sql`x.author_id`)} AND ${isParentLive(company_id, 'users', sql`x.author_id`)}))
        AND ${inLiveCampaign} AND ${seesParents(company_id, sight, sql`x`)}`,
    },
    notePath,
  ),
  dice_roll: {
    schema: DiceRoll,
    participants: [ownersIn('dice_rolls'), playersIn('dice_rolls')],
    read: async (db, { viewer }, ids) => {
      const rows = await db.query<DiceRollRow & { showsTraits: boolean }>(sql`
        SELECT ${rollColumns}, ${traitsColumn(viewer)} FROM ${rollsFor(viewer)}
        WHERE x.company_id = ${viewer.company_id} AND x.id = ANY (${ids}::uuid[]) AND ${visibleRolls(viewer)}`)
      return withPath(rows.map(asSeen) as Resource[], ({ id }) => `dice-rolls/${id}`)
    },
  },
  quick_roll: selected(
    QuickRoll,
    {
      table: 'quick_rolls',
      participants: [ownersIn('quick_rolls'), playersIn('quick_rolls')],
      columns: columnsX(QuickRoll),
      where: ({ viewer, inLiveCampaign, onSeenSheet }) =>
        sql`${isLive} AND (x.campaign_id IS NOT NULL OR ${isOwn(viewer, sql`x.user_id`)}) AND ${inLiveCampaign} AND ${onSeenSheet}`,
    },
    quickRollPath,
  ),
  dice_seed: selected(
    DiceSeed,
    {
      table: 'dice_seeds',
      participants: [ownersIn('dice_seeds')],
      columns: () => sql`x.id, x.server_seed, x.nonce, x.campaign_id, x.user_id, x.secret`,
      where: ({
        viewer,
        sight,
        inLiveCampaign,
      }) => sql`x.date_revealed IS NULL AND (x.campaign_id IS NOT NULL OR ${isOwn(viewer, sql`x.user_id`)})
        AND ${inLiveCampaign} AND ${seen(sight, sql`CASE WHEN x.secret THEN 'STORYTELLER' ELSE 'PUBLIC' END`)}`,
    },
    seedPath,
    ({ id, server_seed, nonce }) => ({
      id,
      commitment: commitmentOf(server_seed as Buffer),
      next_nonce: (nonce as number) + 1,
    }),
  ),
  experience: {
    schema: Entry,
    participants: [ownersIn('experience_entries'), playersIn('experience_entries')],
    read: async (db, { viewer, campaigns }, ids, campaign_ids) => {
      const actor = actorOf(viewer)
      const reachable = campaign_ids.flatMap((id) => campaigns.get(id) ?? [])
      const found = await Promise.all(reachable.map((campaign) => db.query<Resource>(selectEntries({ actor, campaign }, ids))))
      return withPath(found.flat(), (row) => inCampaign(row, `experience/entries/${row.id}`))
    },
  },
} satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS
