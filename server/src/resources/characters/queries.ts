import { mergePatch } from '../../core/json.ts'
import type { Tx } from '../../db/client.ts'
import { secretTable } from '../../db/table.ts'
import type { Actor } from '../../http/operation.ts'
import { enroll } from '../campaigns/membership.ts'
import { type Standing, sightIn } from '../campaigns/place.ts'
import { holdUser } from '../users/queries.ts'
import { deathOf, refuseUnfit } from './rules.ts'
import { Character, type CharacterCreate, type CharacterPatch } from './schema.ts'

export const characters = secretTable('characters', Character, {
  noun: 'Character',
  texts: ['concept', 'biography'],
  references: { users: 'user_id' },
  partOf: { campaigns: 'campaign_id' },
  purges: true,
})

/** Who acts, and in which campaign. */
export interface Here {
  actor: Actor
  campaign: Standing
}

const scope = ({ actor, campaign }: Here, id: string) => ({ company_id: actor.company_id, campaign_id: campaign.id, id })

/** Whoever plays is of the company, and a member by that: nobody has to be made one first. */
async function seat(db: Tx, { actor, campaign }: Here, user_id: string | null) {
  if (user_id === null) return []
  if (user_id !== actor.id) await holdUser(db, actor.company_id, user_id)
  return enroll(db, { company_id: actor.company_id, campaign_id: campaign.id, user_id, role: 'PLAYER' })
}

export async function createCharacter(db: Tx, here: Here, body: CharacterCreate) {
  const { actor, campaign } = here
  const { type = 'PLAYER', status = 'ACTIVE', visibility = 'OPEN', traits = {} } = body
  const user_id = body.user_id === undefined && type === 'PLAYER' ? actor.id : (body.user_id ?? null)
  const whole = { ...body, type, status, visibility, traits, user_id, date_died: deathOf(null, status, db.now()) }
  refuseUnfit(whole)
  const also = await seat(db, here, user_id)
  const change = await characters.insert(db, { ...whole, company_id: actor.company_id, campaign_id: campaign.id })
  return { ...change, also }
}

export async function updateCharacter(db: Tx, here: Here, id: string, patch: CharacterPatch) {
  let also: Awaited<ReturnType<typeof seat>> = []
  const change = await characters.seenBy(sightIn(here)).update(
    db,
    scope(here, id),
    (before) => ({ ...(patch as Partial<Character>), date_died: deathOf(before, patch.status ?? before.status, db.now()) }),
    async (before) => {
      const after = { ...before, ...patch, traits: mergePatch(before.traits, patch.traits ?? {}) as Character['traits'] }
      refuseUnfit(after)
      if (after.user_id !== before.user_id) also = await seat(db, here, after.user_id)
    },
  )
  const { before, after } = change
  return { ...change, also, event: before.status !== 'DEAD' && after.status === 'DEAD' ? 'character.died' : 'character.updated' }
}

/** Gives a trait a value, or takes it away, of a character that `check` has nothing against. */
export const setTrait = (db: Tx, here: Here, id: string, name: string, value: number | null, check: (character: Character) => void) =>
  characters.seenBy(sightIn(here)).update(db, scope(here, id), { traits: { [name]: value } } as never, (before) => {
    check(before)
    refuseUnfit({ ...before, traits: mergePatch(before.traits, { [name]: value }) as Character['traits'] })
  })

/** A character that something is given to, and that is not archived meanwhile. */
export const holdCharacter = (db: Tx, here: Here, id: string) => characters.seenBy(sightIn(here)).hold(db, scope(here, id))

export const archiveCharacter = (db: Tx, here: Here, id: string) => characters.seenBy(sightIn(here)).archive(db, scope(here, id))

export const restoreCharacter = (db: Tx, here: Here, id: string) => characters.seenBy(sightIn(here)).restore(db, scope(here, id))
