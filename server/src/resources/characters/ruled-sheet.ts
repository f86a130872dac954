import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { deriveSheet, type Sheet, type SheetFault } from '@guildhall/rules/ruleset/sheet'
import { unknownTrait } from '@guildhall/rules/ruleset/traits'
import { type Static, Type } from '@guildhall/rules/type'
import { Id, Nullable } from '../../core/fields.ts'
import { invalid } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import { publishedRuleset } from '../ruleset-versions/compiled.ts'
import { shownSheet } from '../rulesets/sheet.ts'
import { sheetFields } from '../rulesets/sheet-schema.ts'
import type { InCampaign } from './hidden-sheets.ts'
import type { CharacterRow } from './schema.ts'
import { type Surroundings, selectSurroundings } from './surroundings.ts'

const MAX_SHEET_FAULTS = 50

export const RuledSheet = Type.Object(
  { version_id: Id('The version of the ruleset'), ...sheetFields(MAX_SHEET_FAULTS) },
  { title: 'RuledSheet', description: 'A sheet with everything that follows from it by the ruleset of the campaign' },
)
export type RuledSheet = Static<typeof RuledSheet>

/** Declares a sheet in replies. Without a ruleset there is none. */
export const includedSheet = {
  ...Nullable(RuledSheet),
  description:
    'The sheet by the ruleset of the campaign, with `include=sheet`: effective traits, derived values, limits of trackers, and what does not follow the rules. Null without a ruleset, or if the sheet is hidden from the acting user',
}

/** The part of a row that a ruleset reads. */
type Stored = Pick<CharacterRow, 'type' | 'traits' | 'choices' | 'conditions'>

/** A sheet as the rules engine takes it. */
export const sheetOf = ({ traits, choices, conditions }: Stored, { trackers, levels, campaign_trackers, xp }: Surroundings): Sheet => ({
  traits,
  choices,
  conditions,
  trackers,
  campaign: { ...campaign_trackers, ...levels },
  ...(xp && { xp }),
})

/** Computes the sheet of a character. */
export const ruledSheet = (ruleset: Ruleset, version_id: string, row: Stored, surroundings: Surroundings): RuledSheet => ({
  version_id,
  ...shownSheet(ruleset, sheetOf(row, surroundings), { isPlayer: row.type === 'PLAYER', maxFaults: MAX_SHEET_FAULTS }),
})

/** Reads the values around a character that its ruleset computes with, as far as the acting user sees them. */
export async function readSurroundings(db: Db, context: InCampaign, id: string): Promise<Surroundings> {
  const [found] = await db.query<{ surroundings: Surroundings }>(sql`
    SELECT ${selectSurroundings(context, sql`x`)} AS surroundings FROM characters x
    WHERE x.company_id = ${context.actor.company_id} AND x.id = ${id}`)
  return (found as { surroundings: Surroundings }).surroundings
}

const errorsOf = (ruleset: Ruleset, row: Stored, surroundings: Surroundings): SheetFault[] =>
  deriveSheet(ruleset, sheetOf(row, surroundings), { isPlayer: row.type === 'PLAYER' }).faults.filter(({ level }) => level === 'ERROR')

/** The faults that a change adds. Those that were there before refuse nothing, so that a sheet never becomes one that nobody can change. */
export function addedFaults(ruleset: Ruleset, before: Stored, after: Stored, surroundings: Surroundings): SheetFault[] {
  const known = new Set(errorsOf(ruleset, before, surroundings).map(({ field, message }) => `${field}\n${message}`))
  return errorsOf(ruleset, after, surroundings).filter(({ field, message }) => !known.has(`${field}\n${message}`))
}

/** A suggestion compares an unknown name with all traits. */
const MAX_SUGGESTED = 10

/** Adds what may be meant. The faults of a sheet do not say it: they are compared with those from before the change. */
function suggesting({ traits }: Ruleset, field: string, message: string): string {
  const name = /^traits\.(.*)$/.exec(field)?.[1]
  return name === undefined || traits.has(name) ? message : unknownTrait(traits, name)
}

/** Rejects a change that breaks a rule, if the campaign is strict. Called after the change: an error undoes it. */
export async function refuseBroken(db: Tx, context: InCampaign, before: Stored | null, after: Stored & { id: string }): Promise<void> {
  const { actor, campaign } = context
  if (campaign.ruleset_mode !== 'STRICT' || !campaign.ruleset_version_id) return
  const ruleset = await publishedRuleset(db, { company_id: actor.company_id, id: campaign.ruleset_version_id })
  const surroundings = await readSurroundings(db, context, after.id)
  // A new character is compared with an empty sheet: what is still to be chosen is shown, and does not keep anybody from beginning.
  const empty: Stored = { type: after.type, traits: {}, choices: {}, conditions: {} }
  const faults = addedFaults(ruleset, before ?? empty, after, surroundings)
  if (faults.length)
    invalid(faults.map(({ field, message }, i) => ({ field, message: i < MAX_SUGGESTED ? suggesting(ruleset, field, message) : message })))
}
