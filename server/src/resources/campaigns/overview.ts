import { type Static, type TObject, Type } from '@guildhall/rules/type'
import { Excerpt, grouped } from '../../core/excerpt.ts'
import { Int, Nullable } from '../../core/fields.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { chapters } from '../chapters/queries.ts'
import { Chapter } from '../chapters/schema.ts'
import { ListedCharacter } from '../characters/listed-schema.ts'
import { listCharacters } from '../characters/lists.ts'
import { listRolls } from '../dice-rolls/queries.ts'
import { DiceRoll } from '../dice-rolls/schema.ts'
import { listBalances } from '../experience/queries.ts'
import { Balance } from '../experience/schema.ts'
import { listMembers } from '../members/queries.ts'
import { Member } from '../members/schema.ts'
import { getSecretMetadata } from '../secret-metadata/queries.ts'
import { SecretTexts } from '../secret-metadata/schema.ts'
import { listPartyTrackers, listTrackers } from '../trackers/queries.ts'
import { Tracker } from '../trackers/schema.ts'
import { viewerOf } from './across.ts'
import type { CampaignAccess } from './path-resource.ts'
import { getCampaign } from './queries.ts'
import { Campaign } from './schema.ts'

const PARTS = [
  'members',
  'characters',
  'trackers',
  'character_trackers',
  'experience',
  'latest_chapter',
  'rolls',
  'secret_metadata',
] as const
type Part = (typeof PARTS)[number]

const MAX_ROWS = 100
const MAX_ROLLS = 10
const MAX_CHARACTER_TRACKERS = 1000

const included = (part: string, noun: string) => `${noun}, with \`include=${part}\``
const rows = <S extends TObject>(item: S, part: Part, noun: string, maxItems = MAX_ROWS) =>
  Type.Optional(Type.Array(Excerpt(item), { maxItems, description: included(part, noun) }))
const total = (part: Part, plural: string) => Type.Optional(Int(0, 2_147_483_647, included(part, `Total number of ${plural}`), 1))

/** A campaign with the first rows of its parts, as far as the acting user may see them. The lists below the campaign have all rows. */
export const CampaignOverview = Type.Object(
  {
    ...Campaign.properties,
    members: rows(Member, 'members', `The first ${MAX_ROWS} members`),
    members_total: total('members', 'members'),
    characters: rows(ListedCharacter, 'characters', `The first ${MAX_ROWS} characters`),
    characters_total: total('characters', 'characters'),
    trackers: rows(Tracker, 'trackers', 'The trackers of the campaign'),
    character_trackers: rows(
      Tracker,
      'character_trackers',
      `The first ${grouped(MAX_CHARACTER_TRACKERS)} trackers of the characters whose sheets the acting user sees, in order of creation`,
      MAX_CHARACTER_TRACKERS,
    ),
    character_trackers_total: total('character_trackers', 'trackers of these characters'),
    experience: rows(Balance, 'experience', `The first ${MAX_ROWS} balances of experience`),
    experience_total: total('experience', 'balances'),
    latest_chapter: Type.Optional({
      ...Nullable(Excerpt(Chapter)),
      description: included('latest_chapter', 'The last chapter of the last book'),
    }),
    rolls: rows(DiceRoll, 'rolls', `The last ${MAX_ROLLS} rolls in the campaign, newest first`, MAX_ROLLS),
    secret_metadata: Type.Optional({
      ...Nullable(SecretTexts),
      description: included('secret_metadata', 'The secret metadata of the campaign. Null for users who are no storytellers of it'),
    }),
  },
  { title: 'CampaignOverview', description: 'A campaign, with the parts named by `include`' },
)

export const OverviewQuery = Type.Object({
  include: Type.Optional(
    Type.Array(Type.Unsafe<Part>({ type: 'string', enum: [...PARTS] }), {
      minItems: 1,
      maxItems: PARTS.length,
      uniqueItems: true,
      description: 'Parts to include, as far as the acting user may see them',
      examples: [['members', 'latest_chapter']],
    }),
  ),
})

interface Context {
  actor: Actor
  campaign: CampaignAccess
}

/** The last live chapter of the last live book that has one. The statement always returns a row, as a guarded read requires. */
async function latestChapter(db: Db, { actor: { company_id }, campaign }: Context) {
  const [last] = await db.query<{ found: { id: string; book_id: string } | null }>(sql`SELECT (
    SELECT json_build_object('id', x.id, 'book_id', x.book_id) FROM chapters x
      JOIN books book ON book.company_id = ${company_id} AND book.id = x.book_id AND book.date_archived IS NULL
    WHERE x.company_id = ${company_id} AND x.campaign_id = ${campaign.id} AND x.date_archived IS NULL
    ORDER BY book.position DESC, x.position DESC LIMIT 1) AS found`)
  if (!last?.found) return null
  const { items } = await chapters.list(
    db,
    { company_id, parent_id: last.found.book_id },
    { limit: 1, offset: 0, sort: '-number' },
    { restorable: false },
  )
  return items[0] ?? null
}

/** Reads each part by the statement of its own list, so that the same rules of visibility apply. */
const readers: Record<Part, (db: Db, context: Context) => Promise<object>> = {
  members: async (db, { actor, campaign }) => {
    const { items, total } = await listMembers(db, actor.company_id, campaign.id, { limit: MAX_ROWS, offset: 0 })
    return { members: items, members_total: total }
  },
  characters: async (db, { actor, campaign }) => {
    const { items, total } = await listCharacters(db, viewerOf(actor), { campaign_id: campaign.id, limit: MAX_ROWS, offset: 0 })
    return { characters: items, characters_total: total }
  },
  trackers: async (db, context) => ({ trackers: (await listTrackers(db, context, { limit: MAX_ROWS, offset: 0 })).items }),
  character_trackers: async (db, context) => {
    const { items, total } = await listPartyTrackers(db, context, MAX_CHARACTER_TRACKERS)
    return { character_trackers: items, character_trackers_total: total }
  },
  experience: async (db, context) => {
    const { items, total } = await listBalances(db, context, { limit: MAX_ROWS, offset: 0 })
    return { experience: items, experience_total: total }
  },
  latest_chapter: async (db, context) => ({ latest_chapter: await latestChapter(db, context) }),
  rolls: async (db, { actor, campaign }) => {
    const query = { campaign_id: campaign.id, limit: MAX_ROLLS, offset: 0, sort: '-date_created' as const }
    return { rolls: (await listRolls(db, viewerOf(actor), query)).items }
  },
  secret_metadata: async (db, context) => ({
    secret_metadata: context.campaign.isStoryteller ? (await getSecretMetadata(db, context)).metadata : null,
  }),
}

export async function getOverview(db: Db, context: Context, include: Part[] = []): Promise<Static<typeof CampaignOverview>> {
  const found = await getCampaign(db, context.actor, context.campaign.id)
  const parts = await Promise.all(PARTS.filter((part) => include.includes(part)).map((part) => readers[part](db, context)))
  return Object.assign({}, found, ...parts)
}
