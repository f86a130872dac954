import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { mayDefineOnCampaign } from '../trackers/rules.ts'
import { getCampaignRuleset, removeCampaignRuleset, setCampaignRuleset } from './queries.ts'
import { CampaignRuleset, CampaignRulesetSet, ChangedCampaignRuleset, MAX_CHARACTERS } from './schema.ts'

const path = below(campaign.path, 'ruleset')
const needs = { key: 'USER', may: mayDefineOnCampaign } as const

export const campaignRulesets = resource({ 'Campaign rulesets': 'The version of a ruleset that a campaign is played by' }, [
  operation({
    id: 'campaignRulesets.get',
    method: 'GET',
    path,
    needs: { key: 'USER' },
    summary: 'Get the ruleset of a campaign',
    description: 'The version and its document: everything that a client needs to draw a sheet and to roll. 404 if the campaign has none.',
    reply: [200, CampaignRuleset],
    run: ({ db, actor, campaign }) => getCampaignRuleset(db, { actor, campaign }),
  }),
  operation({
    id: 'campaignRulesets.set',
    method: 'PUT',
    path,
    alone: true,
    needs,
    summary: 'Choose the ruleset of a campaign',
    description:
      'The campaign is played by this version until another one is chosen: a version never changes. Sheets of an earlier version of the same ruleset are carried over as the versions in between say. Nothing is cut: a value that does not fit stays, and is shown on the sheet. Send `dry_run` to see what would happen.',
    body: CampaignRulesetSet,
    reply: [200, ChangedCampaignRuleset],
    emits: ['campaign.ruleset_changed', 'character.migrated'],
    conflicts: {
      version_not_published: 'The version is a draft, or retired',
      characters_unfit: 'Characters break a rule of the version, and `accept_faults` is not set',
      too_many_characters: `The campaign has more than ${MAX_CHARACTERS} characters`,
    },
    run: ({ db, actor, campaign, body }) => setCampaignRuleset(db, { actor, campaign }, body),
  }),
  operation({
    id: 'campaignRulesets.delete',
    method: 'DELETE',
    path,
    alone: true,
    needs,
    summary: 'Play a campaign without a ruleset',
    description: 'Everything on the sheets stays.',
    reply: [204],
    emits: ['campaign.ruleset_changed'],
    run: ({ db, actor, campaign }) => removeCampaignRuleset(db, { actor, campaign }),
  }),
])
