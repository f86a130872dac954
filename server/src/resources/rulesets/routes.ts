import { Type } from '@guildhall/rules/type'
import { archives, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { createRuleset } from '../ruleset-versions/create.ts'
import { validateRuleset } from '../ruleset-versions/validate.ts'
import { archiveRuleset, getRuleset, listRulesets, restoreRuleset, updateRuleset } from './queries.ts'
import { mayWriteRules } from './rules.ts'
import { ListedRuleset, MAX_RULESETS, Ruleset, RulesetCreate, RulesetPatch } from './schema.ts'
import { RulesetValidate, ValidatedRuleset } from './validate-schema.ts'

const all = below(COMPANY, 'rulesets')
const one = below(all, '{ruleset_id}')
const writing = { key: 'USER', may: mayWriteRules } as const
const taken = { duplicate: 'The company already has a ruleset with this name' }
const tooMany = { too_many_rulesets: `The company already has ${MAX_RULESETS} rulesets` }
const scopeOf = ({ company_id, ruleset_id }: { company_id: string; ruleset_id: string }) => ({ company_id, id: ruleset_id })

export const rulesets = resource(
  { Rulesets: 'Games as data: traits, formulas, trackers, rolls, prices and creation of characters, in versions that campaigns use' },
  [
    operation({
      id: 'rulesets.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the rulesets of a company',
      query: Type.Object({ ...archives }),
      reply: [200, Paged(ListedRuleset)],
      run: ({ db, params, query, ...caller }) => listRulesets(db, params.company_id, query, mayWriteRules(caller)),
    }),
    operation({
      id: 'rulesets.create',
      method: 'POST',
      path: all,
      needs: writing,
      summary: 'Create a ruleset',
      description:
        'From a pack, version 1 is published at once. From a document, or as a copy of a version, it is a draft that can be changed before it is published. A draft may have faults.',
      body: RulesetCreate,
      reply: [201, Ruleset],
      emits: ['ruleset.created', 'ruleset_version.created', 'ruleset_version.published'],
      conflicts: { ...taken, ...tooMany },
      run: ({ db, params, body }) => createRuleset(db, params.company_id, body),
    }),
    operation({
      id: 'rulesets.validate',
      method: 'POST',
      path: below(all, 'validate'),
      needs: { key: 'USER' },
      computes: true,
      heavy: () => true,
      summary: 'Check a document without storing it',
      description:
        'Lists what is wrong with a document, tries its examples, computes sample sheets, and says what differs from an earlier version. The reply is 200 whether the document is valid or not.',
      body: RulesetValidate,
      reply: [200, ValidatedRuleset],
      run: async ({ db, params, body }) => ({ before: null, after: null, reply: await validateRuleset(db, params.company_id, body) }),
    }),
    operation({
      id: 'rulesets.get',
      method: 'GET',
      path: one,
      needs: { key: 'USER' },
      summary: 'Get a ruleset',
      reply: [200, Ruleset],
      run: ({ db, params }) => getRuleset(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesets.update',
      method: 'PATCH',
      path: one,
      needs: writing,
      summary: 'Rename or describe a ruleset',
      body: RulesetPatch,
      reply: [200, Ruleset],
      emits: ['ruleset.updated'],
      conflicts: taken,
      run: ({ db, params, body }) => updateRuleset(db, scopeOf(params), body),
    }),
    operation({
      id: 'rulesets.delete',
      method: 'DELETE',
      path: one,
      needs: writing,
      summary: 'Archive a ruleset',
      description: 'It can be restored for 30 days, and for good if a campaign has used one of its versions.',
      reply: [204],
      emits: ['ruleset.deleted'],
      conflicts: { ruleset_in_use: 'A campaign is played by a version of the ruleset' },
      run: ({ db, params }) => archiveRuleset(db, scopeOf(params)),
    }),
    operation({
      id: 'rulesets.restore',
      method: 'POST',
      path: below(one, 'restore'),
      needs: writing,
      summary: 'Restore an archived ruleset',
      reply: [200, Ruleset],
      emits: ['ruleset.restored'],
      conflicts: { duplicate: 'Another ruleset has taken the name', ...tooMany },
      run: ({ db, params }) => restoreRuleset(db, scopeOf(params)),
    }),
  ],
)
