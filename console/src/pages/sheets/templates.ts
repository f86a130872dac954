import type { CampaignHandle, Character, CharacterCreate, QuickRollCreate, TrackerSet } from '@guildhall/client'

/** A sheet to begin with, in a campaign without a ruleset. Everything on it can be changed and removed. */
interface Template {
  traits: Record<string, number>
  trackers: Record<string, TrackerSet>
  quickRolls: QuickRollCreate[]
}

const full = (label: string, maximum: number, style: 'BOXES' | 'NUMBER' = 'BOXES'): TrackerSet => ({
  label,
  value: maximum,
  maximum,
  style,
})

const pool = (name: string, ...traits: string[]): QuickRollCreate => ({ name, pool: { traits, difficulty: 6 } })

const ATTRIBUTES = 'strength dexterity stamina charisma manipulation appearance perception intelligence wits'.split(' ')
const ABILITIES = 'alertness athletics brawl empathy investigation larceny lore medicine stealth subterfuge'.split(' ')
const allAt = (value: number, names: string[]) => Object.fromEntries(names.map((name) => [name, value]))

export type TemplateName = 'fifth' | 'pool' | 'blank'

export const templates: Record<TemplateName, Template> = {
  // The scores of the standard array, each with the modifier that rolls add.
  fifth: {
    traits: {
      ...{ strength: 15, dexterity: 14, constitution: 13, intelligence: 8, wisdom: 12, charisma: 10 },
      ...{ strength_modifier: 2, dexterity_modifier: 2, constitution_modifier: 1 },
      ...{ intelligence_modifier: -1, wisdom_modifier: 1, charisma_modifier: 0 },
      ...{ level: 1, proficiency: 2, armor_class: 12 },
    },
    trackers: { hit_points: full('Hit points', 9, 'NUMBER'), hit_dice: full('Hit dice', 1) },
    quickRolls: [
      { name: 'Initiative', notation: '1d20+{dexterity_modifier}' },
      { name: 'Attack', notation: '1d20+{strength_modifier}+{proficiency}' },
      { name: 'Damage', notation: '1d8+{strength_modifier}' },
    ],
  },
  pool: {
    traits: { ...allAt(2, ATTRIBUTES), ...allAt(1, ABILITIES) },
    trackers: { health: full('Health', 7), willpower: full('Willpower', 5) },
    quickRolls: [
      pool('Notice something', 'perception', 'alertness'),
      pool('Move unseen', 'dexterity', 'stealth'),
      pool('Fight', 'dexterity', 'brawl'),
    ],
  },
  blank: { traits: {}, trackers: {}, quickRolls: [] },
}

/**
 * Creates a character with everything that a template has. If that fails halfway and is repeated with the same `made`, the character is not created again, and neither is the rest: it is
 * sent with the same Idempotency-Keys.
 */
export async function createFrom(
  name: TemplateName,
  api: CampaignHandle,
  body: CharacterCreate,
  made: { character?: Character },
): Promise<Character> {
  const { traits, trackers, quickRolls } = templates[name]
  made.character ??= await api.characters.create({ ...body, ...(Object.keys(traits).length && { traits }) })
  const { id } = made.character
  const character = api.character(id)
  for (const [key, tracker] of Object.entries(trackers)) await character.trackers.set(key, tracker)
  for (const quickRoll of quickRolls) await character.quickRolls.create(quickRoll, { idempotencyKey: `template ${id} ${quickRoll.name}` })
  return made.character
}
