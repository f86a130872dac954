import { operation, resource } from '../../http/operation.ts'
import { below, belowText } from '../../http/path.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { refuseSheetReplay } from '../characters/queries.ts'
import { mayEditSheet } from '../characters/rules.ts'
import { Character, MAX_CONDITIONS, TraitName } from '../characters/schema.ts'
import { endCondition, setCondition } from './queries.ts'
import { ConditionLevel } from './schema.ts'

const one = belowText(below(sheetPath, 'conditions'), 'condition', { noun: 'Condition', schema: TraitName })
const needs = { key: 'USER', may: mayEditSheet } as const
const conflicts = { no_ruleset: 'The campaign has no ruleset' }
const tooMany = { too_many_conditions: `The character already has ${MAX_CONDITIONS} conditions` }

export const conditions = resource({ Conditions: 'What a character suffers or enjoys for a while, by the ruleset of the campaign' }, [
  operation({
    id: 'conditions.set',
    method: 'PUT',
    path: one,
    replaces: true,
    needs,
    summary: 'Set the level of a condition of a character',
    description: 'The ruleset of the campaign says which conditions there are, and how high their levels go.',
    body: ConditionLevel,
    reply: [200, Character],
    emits: ['character.updated', 'tracker.created', 'tracker.updated'],
    conflicts: { ...conflicts, ...tooMany },
    recheck: ({ db, actor, campaign, reply }) => refuseSheetReplay(db, { actor, campaign }, reply),
    run: ({ db, params, body, ...context }) => setCondition(db, context, params.condition, body.level),
  }),
  operation({
    id: 'conditions.delete',
    method: 'DELETE',
    path: one,
    needs,
    summary: 'End a condition of a character',
    reply: [204],
    emits: ['character.updated', 'tracker.created', 'tracker.updated'],
    conflicts,
    run: ({ db, params, ...context }) => endCondition(db, context, params.condition),
  }),
])
