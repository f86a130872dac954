import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { readCosts } from './queries.ts'
import { Costs, CostsQuery } from './schema.ts'

export const costs = resource({ Costs: 'What it costs to raise the traits of a character, by the ruleset of the campaign' }, [
  operation({
    id: 'costs.get',
    method: 'GET',
    path: below(sheetPath, 'costs'),
    needs: { key: 'USER' },
    summary: 'List what it costs to raise the traits of a character',
    description:
      'Lists the next step of every trait of the ruleset, or with `trait` and `to` every step of one trait; the list of one trait ends with a step that cannot be taken. Spend with the sum of the steps as `amount`, and the price is paid only if it is still the same.',
    query: CostsQuery,
    reply: [200, Costs],
    conflicts: { no_ruleset: 'The campaign has no ruleset' },
    run: ({ db, query, actor, campaign, character }) => readCosts(db, { actor, campaign, character }, query),
  }),
])
