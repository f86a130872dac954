import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, belowText } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { refuseSheetReplay } from '../characters/queries.ts'
import { Character, TraitName } from '../characters/schema.ts'
import { CREATION_CONFLICTS } from './campaign-creation.ts'
import { rollStep } from './dice.ts'
import { generateCharacters, refuseGeneratedReplay } from './generate.ts'
import { CharactersGenerate, GeneratedCharacters } from './generate-schema.ts'
import { creation } from './path-resource.ts'
import { abandonCreation, answerStep, finishCreation, getCreation, listCreations, refuseCreationReplay, startCreation } from './queries.ts'
import { answerRandomly } from './random.ts'
import { mayGenerate, mayStart } from './rules.ts'
import {
  Creation,
  CreationFinish,
  CreationRandom,
  CreationStart,
  CreationsQuery,
  ListedCreation,
  MAX_OPEN_CREATIONS,
  StepAnswer,
} from './schema.ts'

export const generatedCharacters = resource(
  { Characters: 'The player characters and NPCs of a campaign. NPCs can be hidden from players' },
  [
    operation({
      id: 'characters.generate',
      method: 'POST',
      path: below(campaign.path, 'characters/generate'),
      needs: { key: 'USER', may: mayGenerate },
      summary: 'Generate random characters by the ruleset',
      description:
        'Answers the steps with which the ruleset of the campaign creates a character at random. Generated characters follow all of its rules. The experience of a tier is spent by its prices, and is in no ledger.',
      body: CharactersGenerate,
      reply: [201, GeneratedCharacters],
      emits: ['character.created', 'member.added', 'tracker.created', 'tracker.updated'],
      conflicts: { ...CREATION_CONFLICTS, not_generated: 'No random character follows all rules of the ruleset' },
      heavy: () => true,
      recheck: ({ db, actor, campaign, reply }) => refuseGeneratedReplay(db, { actor, campaign }, reply),
      run: ({ db, actor, campaign, body }) => generateCharacters(db, { actor, campaign }, body),
    }),
  ],
)

const all = below(campaign.path, 'creations')
const one = creation.path
const step = belowText(below(one, 'steps'), 'step', { noun: 'Step', schema: TraitName })

const WRITE_CONFLICTS = {
  creation_finished: 'The creation is finished',
  ruleset_changed: 'The campaign is played by another version of its ruleset, or by none',
}

export const creations = resource({ Creations: 'Characters that are created step by step, by the ruleset of the campaign' }, [
  operation({
    id: 'creations.list',
    method: 'GET',
    path: all,
    needs: { key: 'USER' },
    summary: 'List creations of characters',
    description:
      'Lists the creations of your own characters; the storytellers of the campaign and ADMINs see all of them. They are deleted seven days after they were started.',
    query: CreationsQuery,
    reply: [200, Paged(ListedCreation)],
    run: ({ db, actor, campaign, query }) => listCreations(db, { actor, campaign }, query),
  }),
  operation({
    id: 'creations.create',
    method: 'POST',
    path: all,
    needs: { key: 'USER', may: mayStart },
    summary: 'Start to create a character',
    description: 'The reply has the steps of the ruleset of the campaign. Choices that you send are answers to their steps.',
    body: CreationStart,
    reply: [201, Creation],
    emits: ['creation.started'],
    conflicts: {
      ...CREATION_CONFLICTS,
      too_many_creations: `The user is creating ${MAX_OPEN_CREATIONS} characters in the campaign, the maximum`,
    },
    recheck: ({ actor, campaign, reply }) => refuseCreationReplay({ actor, campaign }, reply),
    run: ({ db, actor, campaign, body }) => startCreation(db, { actor, campaign }, body),
  }),
  operation({
    id: 'creations.get',
    method: 'GET',
    path: one,
    needs: { key: 'USER' },
    summary: 'Get a creation',
    reply: [200, Creation],
    run: ({ db, actor, campaign, params }) => getCreation(db, { actor, campaign }, params.creation_id),
  }),
  operation({
    id: 'creations.delete',
    method: 'DELETE',
    path: one,
    needs: { key: 'USER' },
    summary: 'Abandon a creation',
    description: 'Nothing more can be answered. It can be read until it expires.',
    reply: [204],
    emits: ['creation.abandoned'],
    conflicts: { creation_finished: WRITE_CONFLICTS.creation_finished },
    run: ({ db, actor, campaign, params }) => abandonCreation(db, { actor, campaign }, params.creation_id),
  }),
  operation({
    id: 'creations.answer',
    method: 'PUT',
    path: step,
    replaces: true,
    needs: { key: 'USER' },
    summary: 'Answer a step',
    description: 'The answer is checked by the rules of the step. It can be replaced until the creation is finished.',
    body: StepAnswer,
    reply: [200, Creation],
    emits: ['creation.answered'],
    conflicts: WRITE_CONFLICTS,
    recheck: ({ actor, campaign, reply }) => refuseCreationReplay({ actor, campaign }, reply),
    run: ({ db, actor, campaign, params, body }) => answerStep(db, { actor, campaign }, params.creation_id, params.step, body),
  }),
  operation({
    id: 'creations.roll',
    method: 'POST',
    path: below(step, 'roll'),
    needs: { key: 'USER' },
    summary: 'Roll the dice of a step',
    description:
      'The dice are rolled once, from the seed of the campaign: one dice roll for each trait of the step, each with its proof. The answer gives all of the values to traits.',
    reply: [200, Creation],
    emits: ['creation.answered', 'dice_roll.created', 'member.added'],
    conflicts: {
      ...WRITE_CONFLICTS,
      not_rolled: 'The step has no dice',
      already_rolled: 'The dice of the step are rolled',
      seed_in_use: 'Other requests are rotating the seed',
    },
    recheck: ({ actor, campaign, reply }) => refuseCreationReplay({ actor, campaign }, reply),
    run: ({ db, actor, campaign, params }) => rollStep(db, { actor, campaign }, params.creation_id, params.step),
  }),
  operation({
    id: 'creations.random',
    method: 'POST',
    path: below(one, 'random'),
    needs: { key: 'USER' },
    summary: 'Answer steps at random',
    description: 'Answers the steps that are not done, or those that you name. A tier then spends experience by the prices of the ruleset.',
    body: CreationRandom,
    reply: [200, Creation],
    emits: ['creation.answered', 'dice_roll.created', 'member.added'],
    conflicts: {
      ...WRITE_CONFLICTS,
      not_generated: 'No random answer follows the rules of a step',
      creation_unfinished: 'The experience of a tier is spent last, and a step is open',
      seed_in_use: 'Other requests are rotating the seed',
    },
    heavy: () => true,
    recheck: ({ actor, campaign, reply }) => refuseCreationReplay({ actor, campaign }, reply),
    run: ({ db, actor, campaign, params, body }) => answerRandomly(db, { actor, campaign }, params.creation_id, body),
  }),
  operation({
    id: 'creations.finish',
    method: 'POST',
    path: below(one, 'finish'),
    needs: { key: 'USER' },
    summary: 'Finish a creation',
    description: 'Creates the character, once. All steps must be done, and the sheet must follow the rules.',
    body: CreationFinish,
    reply: [201, Character],
    location: below(campaign.path, 'characters', '{id}'),
    emits: ['character.created', 'creation.finished', 'member.added', 'tracker.created', 'tracker.updated'],
    conflicts: { ...WRITE_CONFLICTS, creation_unfinished: 'A step is open, or the sheet breaks a rule' },
    recheck: ({ db, actor, campaign, reply }) => refuseSheetReplay(db, { actor, campaign }, reply),
    run: ({ db, actor, campaign, params, body }) => finishCreation(db, { actor, campaign }, params.creation_id, body),
  }),
])
