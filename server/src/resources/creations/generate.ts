import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { Effort, generateFaultless } from '@guildhall/rules/ruleset/generate'
import { inTurns } from '../../core/in-turns.ts'
import { conflict } from '../../core/problem.ts'
import { randomBelow } from '../../core/random.ts'
import type { Db, Tx } from '../../db/client.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { refuseSheetReplay } from '../characters/queries.ts'
import { ruledSheet } from '../characters/ruled-sheet.ts'
import { refuseUnfit } from '../characters/rules.ts'
import type { CharacterCreate } from '../characters/schema.ts'
import { readNewSurroundings, type Surroundings } from '../characters/surroundings.ts'
import { holdUser } from '../users/queries.ts'
import { creationRuleset, refuseUnknown } from './campaign-creation.ts'
import { createByRules } from './create-by-rules.ts'
import type { CharactersGenerate, GeneratedCharacters } from './generate-schema.ts'

const MAX_NAME_LENGTH = 100

type Generated = Pick<CharacterCreate, 'name' | 'traits' | 'choices'>

/** Returns the label of the first choice that was made. */
function labelOf({ document: { choices = {} } }: Ruleset, chosen: Record<string, string>): string | undefined {
  const slot = Object.keys(choices).find((name) => Object.hasOwn(chosen, name))
  const option = slot && chosen[slot]
  // A label may have line breaks, or be nothing but spaces.
  return slot && option ? choices[slot]?.options[option]?.label?.replace(/\s+/g, ' ').trim() || option : undefined
}

/** Numbers names of the same kind: Soldier 1, Soldier 2, Fixer 1. */
class Numbering {
  readonly #counts = new Map<string, number>()

  next(name: string): string {
    const number = (this.#counts.get(name) ?? 0) + 1
    this.#counts.set(name, number)
    return `${[...name].slice(0, MAX_NAME_LENGTH - ` ${number}`.length).join('')} ${number}`
  }
}

async function generateOne(
  ruleset: Ruleset,
  { type, choices, tier }: CharactersGenerate,
  { levels, campaign_trackers }: Surroundings,
  effort: Effort,
): Promise<Omit<Generated, 'name'>> {
  const campaign = { ...campaign_trackers, ...levels }
  const options = { isPlayer: type === 'PLAYER', choices, campaign, ...(tier !== undefined && { tier }) }
  const { sheet, faults } = await inTurns(generateFaultless(ruleset, randomBelow, options, effort))
  const [fault] = faults
  if (fault)
    conflict(
      'not_generated',
      `No random character follows all rules of the ruleset: ${fault.field} ${fault.message}. Create it step by step.`,
    )
  return { traits: { ...sheet.traits }, choices: { ...sheet.choices } }
}

async function generateAll(ruleset: Ruleset, body: CharactersGenerate, around: Surroundings): Promise<Generated[]> {
  const effort = new Effort()
  const numbering = new Numbering()
  const nameOf = (choices: Record<string, string>) => {
    if (body.name !== undefined && body.count === 1) return body.name
    return numbering.next(body.name ?? labelOf(ruleset, choices) ?? (body.type === 'NPC' ? 'NPC' : 'Character'))
  }
  const all: Generated[] = []
  while (all.length < body.count) {
    const made = await generateOne(ruleset, body, around, effort)
    all.push({ name: nameOf(made.choices), ...made })
  }
  return all
}

/** Generates random characters that follow the ruleset of the campaign. */
export async function generateCharacters(db: Tx, context: InCampaign, body: CharactersGenerate) {
  const { ruleset, version_id } = await creationRuleset(db, context)
  refuseUnknown(ruleset, body)
  const { type, visibility } = body
  const user_id = body.user_id === undefined && type === 'PLAYER' ? context.actor.id : (body.user_id ?? null)
  refuseUnfit({ type, user_id, visibility, traits: {}, details: {}, choices: {} })
  if (user_id && user_id !== context.actor.id) await holdUser(db, context.actor.company_id, user_id)
  const around = await readNewSurroundings(db, context)
  const generated = await generateAll(ruleset, body, around)
  const sheets = generated.map(({ name, traits, choices }) => ({
    name,
    sheet: ruledSheet(ruleset, version_id, { type, traits, choices, conditions: {} }, around),
  }))
  if (body.dry_run) return { before: null, after: null, reply: { items: [], sheets } }
  const created = []
  for (const made of generated) created.push(await createByRules(db, context, ruleset, { ...made, type, visibility, user_id }))
  const [first, ...others] = created.map(({ after }) => ({ type: 'character.created' as const, before: null, after }))
  const sideEvents = [...others, ...created.flatMap(({ sideEvents }) => sideEvents)]
  return { before: null, after: first?.after, reply: { items: created.map(({ reply }) => reply), sheets }, sideEvents }
}

/** Checks, before a stored reply is replayed, that the acting user still sees all sheets. */
export async function refuseGeneratedReplay(db: Db, context: InCampaign, { items }: GeneratedCharacters): Promise<void> {
  for (const character of items) await refuseSheetReplay(db, context, character)
}
