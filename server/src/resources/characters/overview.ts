import { type Static, Type } from '@guildhall/rules/type'
import { Excerpt } from '../../core/excerpt.ts'
import { Nullable } from '../../core/fields.ts'
import type { Db } from '../../db/client.ts'
import type { Actor } from '../../http/caller.ts'
import { viewerOf } from '../campaigns/across.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'
import { listRolls } from '../dice-rolls/queries.ts'
import { DiceRoll } from '../dice-rolls/schema.ts'
import { getSecretMetadata } from '../secret-metadata/queries.ts'
import { SecretTexts } from '../secret-metadata/schema.ts'
import { listUsers } from '../users/queries.ts'
import { User } from '../users/schema.ts'
import type { CharacterAccess } from './path-resource.ts'
import { getSheet } from './sheet-queries.ts'
import { LISTED_PARTS, type ListedPart, Sheet } from './sheet-schema.ts'

/** The parts of a character that a list does not have. */
const MORE_PARTS = ['rolls', 'player', 'secret_metadata'] as const
type MorePart = (typeof MORE_PARTS)[number]
type AnyPart = ListedPart | MorePart

const MAX_ROLLS = 10
const included = (part: MorePart, noun: string) => `${noun}, with \`include=${part}\``

const Player = Type.Object(
  { id: User.properties.id, name: User.properties.name, role: User.properties.role },
  { title: 'Player', description: 'The user who plays a character' },
)

/** A character with its parts, as far as the acting user may see them. */
export const CharacterOverview = Type.Object(
  {
    ...Sheet.properties,
    rolls: Type.Optional(
      Type.Array(Excerpt(DiceRoll), {
        maxItems: MAX_ROLLS,
        description: included('rolls', `The last ${MAX_ROLLS} rolls for the character, newest first`),
      }),
    ),
    player: Type.Optional({ ...Nullable(Player), description: included('player', 'The user who plays the character. Null for an NPC') }),
    secret_metadata: Type.Optional({
      ...Nullable(SecretTexts),
      description: included(
        'secret_metadata',
        'The secret metadata of the character. Null for users who are no storytellers of the campaign',
      ),
    }),
  },
  { title: 'CharacterOverview', description: 'A character, with the parts named by `include`' },
)

export const OverviewQuery = Type.Object({
  include: Type.Optional(
    Type.Array(Type.Unsafe<AnyPart>({ type: 'string', enum: [...LISTED_PARTS, ...MORE_PARTS] }), {
      minItems: 1,
      maxItems: LISTED_PARTS.length + MORE_PARTS.length,
      uniqueItems: true,
      description:
        'Parts to include, as far as the acting user may see them: the first 100 items, notes and trackers with texts of up to 1,000 characters, the last 10 rolls, the experience, the player, and with `sheet` everything that follows from the ruleset of the campaign',
      examples: [['inventory', 'trackers']],
    }),
  ),
})

interface Context {
  actor: Actor
  campaign: CampaignAccess
  character: CharacterAccess & { id: string }
}

/** A user who was archived stays the player of their characters, and is shown to nobody. */
async function playerOf(db: Db, { actor, character: { user_id } }: Context): Promise<Static<typeof Player> | null> {
  if (user_id === null) return null
  const { items } = await listUsers(db, actor.company_id, { limit: 1, offset: 0, ids: [user_id] }, { actor, permission: null })
  return items[0] ?? null
}

/** Reads each part by the statement of its own list, so that the same rules of visibility apply. */
const readers: Record<MorePart, (db: Db, context: Context) => Promise<object>> = {
  rolls: async (db, { actor, character }) => {
    const query = { character_id: character.id, limit: MAX_ROLLS, offset: 0, sort: '-date_created' as const }
    return { rolls: (await listRolls(db, viewerOf(actor), query)).items }
  },
  player: async (db, context) => ({ player: await playerOf(db, context) }),
  secret_metadata: async (db, context) => ({
    secret_metadata: context.campaign.isStoryteller ? (await getSecretMetadata(db, context)).metadata : null,
  }),
}

export async function getOverview(db: Db, context: Context, include: AnyPart[] = []): Promise<Static<typeof CharacterOverview>> {
  const inSheet = LISTED_PARTS.filter((part) => include.includes(part))
  const found = await getSheet(db, context, context.character.id, inSheet)
  const parts = await Promise.all(MORE_PARTS.filter((part) => include.includes(part)).map((part) => readers[part](db, context)))
  return Object.assign({}, found, ...parts)
}
