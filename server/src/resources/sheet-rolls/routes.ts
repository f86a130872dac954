import { operation, resource } from '../../http/operation.ts'
import { below, belowText, USER } from '../../http/path.ts'
import { sheetPath } from '../characters/path-resource.ts'
import { mayEditSheet } from '../characters/rules.ts'
import { TraitName } from '../characters/schema.ts'
import { refuseRollReplay } from '../dice-rolls/replay.ts'
import { DiceRoll } from '../dice-rolls/schema.ts'
import { createSheetRoll, listSheetRolls, oddsOfSheetRoll } from './queries.ts'
import { NamedRolls, SheetRollCreate, SheetRollOdds, SheetRollOddsRequest } from './schema.ts'

const rolls = below(sheetPath, 'rolls')
const one = belowText(rolls, 'roll', { noun: 'Roll', schema: TraitName })
const needs = { key: 'USER', may: mayEditSheet } as const
const NO_RULESET = { no_ruleset: 'The campaign has no ruleset' }

export const sheetRolls = resource({ 'Sheet rolls': 'Rolls by their name in the ruleset of the campaign, for a character' }, [
  operation({
    id: 'sheetRolls.list',
    method: 'GET',
    path: rolls,
    needs: { key: 'USER' },
    summary: 'List the rolls of the ruleset for a character',
    description: 'Lists what each roll asks for and what can be paid with it, and the notation of those that need no answer.',
    reply: [200, NamedRolls],
    conflicts: NO_RULESET,
    run: ({ db, ...context }) => listSheetRolls(db, context),
  }),
  operation({
    id: 'sheetRolls.create',
    method: 'POST',
    path: one,
    needs,
    summary: 'Roll by the name of a roll in the ruleset',
    description:
      'The ruleset makes notation of the sheet and the answers. It is rolled like any other notation, and can be verified in the same way; `ruleset` in the reply has what went into the roll, and the result in the words of the game. Trackers that are paid with it move before the dice are rolled, or nothing happens at all.',
    body: SheetRollCreate,
    reply: [201, DiceRoll],
    location: below(USER, 'dice-rolls', '{id}'),
    emits: ['dice_roll.created', 'tracker.adjusted', 'tracker.filled', 'tracker.emptied', 'member.added'],
    conflicts: {
      ...NO_RULESET,
      tracker_exhausted: 'A tracker cannot pay what the roll takes',
      seed_in_use: 'Other requests are rotating the seed',
    },
    recheck: ({ db, actor, reply }) => refuseRollReplay(db, actor, reply),
    run: async ({ db, params, body, ...context }) => {
      const { reply, ...made } = await createSheetRoll(db, context, params.roll, body)
      return { ...made, reply: reply as DiceRoll }
    },
  }),
  operation({
    id: 'sheetRolls.odds',
    method: 'POST',
    path: below(one, 'odds'),
    needs,
    computes: true,
    heavy: () => true,
    summary: 'Compute the odds of a roll of the ruleset',
    description:
      'Computes the exact probability of every outcome and of every score, with the values that the acting user sees. Nothing is rolled or paid. Rejects dice that explode, and dice with too many combinations.',
    body: SheetRollOddsRequest,
    reply: [200, SheetRollOdds],
    conflicts: NO_RULESET,
    run: async ({ db, params, body, ...context }) => ({
      before: null,
      after: null,
      reply: await oddsOfSheetRoll(db, context, params.roll, body),
    }),
  }),
])
