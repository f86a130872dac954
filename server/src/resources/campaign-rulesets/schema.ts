import { type Static, Type } from '@guildhall/rules/type'
import { Flag, Id, Int, Text, WithDefault } from '../../core/fields.ts'
import { Campaign } from '../campaigns/schema.ts'
import { RulesetVersion } from '../ruleset-versions/schema.ts'
import { AnyDocument } from '../rulesets/schema.ts'
import { SheetFault } from '../rulesets/sheet-schema.ts'

/** A change of the ruleset is one transaction, which others wait for. */
export const MAX_CHARACTERS = 1000
export const MAX_REPORTED = 100
export const MAX_REPORTED_FAULTS = 5

const mode = Type.Unsafe<'STRICT' | 'ADVISORY'>({
  ...Campaign.properties.ruleset_mode,
  type: 'string',
  enum: ['STRICT', 'ADVISORY'],
  description: 'STRICT: a change that would break a rule is rejected. ADVISORY: it is shown on the sheet',
  examples: ['STRICT'],
})

export const CampaignRulesetSet = Type.Object(
  {
    version_id: Id('A published version of a ruleset of the company'),
    mode: WithDefault(mode, 'STRICT'),
    dry_run: WithDefault(Flag('True to get the report, and change nothing'), false),
    accept_faults: WithDefault(Flag('True to choose the version even if characters do not fit it. They stay as they are'), false),
  },
  { title: 'CampaignRulesetSet' },
)
export type CampaignRulesetSet = Static<typeof CampaignRulesetSet>

export const CampaignRuleset = Type.Object(
  { version: RulesetVersion, document: AnyDocument },
  { title: 'CampaignRuleset', description: 'The ruleset of a campaign: everything that a client needs to draw a sheet and to roll' },
)

const Report = Type.Object(
  {
    characters: Int(0, MAX_CHARACTERS, 'Number of characters of the campaign, archived ones included', 4),
    changed: Int(0, MAX_CHARACTERS, 'Number of characters whose sheets the upgrade changes', 1),
    unfit: Int(0, MAX_CHARACTERS, 'Number of characters that break a rule', 0),
    faults: Type.Array(
      Type.Object(
        {
          character_id: Id('The character'),
          name: Text(100, 'Name of the character', 'Jonathan Crane'),
          faults: Type.Array(SheetFault, { maxItems: MAX_REPORTED_FAULTS, description: `The first ${MAX_REPORTED_FAULTS} faults` }),
        },
        { title: 'UnfitCharacter', description: 'A character that breaks a rule' },
      ),
      { maxItems: MAX_REPORTED, description: `The first ${MAX_REPORTED} characters that break a rule` },
    ),
  },
  { title: 'CampaignRulesetReport', description: 'What choosing the version does to the characters of the campaign' },
)

export const ChangedCampaignRuleset = Type.Object(
  { campaign: Campaign, report: Report },
  { title: 'ChangedCampaignRuleset', description: 'A campaign, and what its ruleset does to its characters' },
)
export type Report = Static<typeof Report>
