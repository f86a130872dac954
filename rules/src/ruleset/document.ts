import { type Static, Type } from '../type.ts'
import { Creation } from './document-creation.ts'
import { Example, Upgrade } from './document-examples.ts'
import { Roll } from './document-rolls.ts'
import { closed, Label, Named, NumberFormula, Prose, RuleName, Stored, TruthFormula } from './fields.ts'

/** A JSON document of this format. Its meaning never changes: a new meaning gets a new number. */
export const FORMAT = 1

const Source = Type.Object(
  {
    license: Type.String({
      pattern: '^[A-Za-z0-9.+-]{1,64}$',
      description: 'an SPDX identifier such as CC-BY-4.0, or one that begins with LicenseRef-, such as LicenseRef-private',
      examples: ['CC0-1.0'],
    }),
    attribution: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 2000,
      description: 'The sentence that names the authors. Required, unless the license is CC0-1.0 or LicenseRef-private',
      examples: [null],
    }),
    url: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 2000,
      description: 'Where the work can be found',
      examples: [null],
    }),
    changes: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 2000,
      description: 'How the work was changed',
      examples: [null],
    }),
  },
  { ...closed, description: 'Where the game comes from, and what others may do with it. It travels with every export' },
)

const range = {
  min: Type.Optional(Stored('The lowest value. Default: that of the group, or 0', 1)),
  max: Type.Optional(Stored('The highest value. Default: that of the group, or 100', 5)),
  default: Type.Optional(Stored('The value of a trait that was never set. Default: that of the group, or the lowest', 1)),
}

const Group = Type.Object(
  {
    label: Type.Optional(Label('Heading on the sheet. Default: the name', 'Attributes')),
    of: Type.Optional(RuleName('the name of the group that this one is in')),
    ...range,
  },
  { ...closed, description: 'A section of the sheet, or with `of` a part of one. Its traits have its range' },
)

const Trait = Type.Object(
  {
    label: Type.Optional(Label('Label on the sheet. Default: the name', 'Strength')),
    group: RuleName('the name of the group of the trait'),
    tags: Type.Optional(
      Type.Array(RuleName('the name of a tag'), { maxItems: 10, uniqueItems: true, description: 'Further groups, which no heading shows' }),
    ),
    ...range,
    description: Type.Optional(Prose('Explanation for players', 'Bodily power')),
    needs: Type.Optional(TruthFormula('What must hold before experience can raise it to `new`', 'new <= level')),
  },
  { ...closed, description: 'A number that is stored on a sheet' },
)

const Table = Type.Unsafe<[number, number][]>({
  type: 'array',
  minItems: 1,
  maxItems: 200,
  items: { type: 'array', minItems: 2, maxItems: 2, items: Stored('A key, and the value from this key on', 3) },
  description: 'Keys that rise, each with the value from it on',
  examples: [
    [
      [0, 1],
      [300, 2],
    ],
  ],
})

const Derived = Type.Object(
  {
    label: Type.Optional(Label('Label on the sheet. Default: the name', 'Armor Class')),
    group: Type.Optional(RuleName('the name of the group that shows it')),
    formula: NumberFormula('Its value', '10 + dexterity'),
    description: Type.Optional(Prose('Explanation for players', 'Difficulty to hit you')),
  },
  { ...closed, description: 'A number that follows from others. It is never stored' },
)

const Option = Type.Object(
  {
    label: Type.Optional(Label('Label of the option. Default: the name', 'Fighter')),
    description: Type.Optional(Prose('Explanation for players', 'Trained with every weapon')),
    values: Type.Optional(Named(Stored('What the option brings', 10), 20, 'Numbers that the option brings, such as hit_die')),
    favours: Type.Optional(
      Type.Array(RuleName('the name of a trait'), {
        maxItems: 50,
        description: 'Traits that random characters give the highest values to, and raise more often',
      }),
    ),
    tags: Type.Optional(Type.Array(RuleName('the name of a tag'), { maxItems: 10, description: 'For clients' })),
  },
  { ...closed, description: 'An option of a choice' },
)

const Choice = Type.Object(
  {
    label: Type.Optional(Label('Label of the choice. Default: the name', 'Class')),
    required: Type.Optional(
      Type.Boolean({ description: 'True if every player character must have chosen. Default: false', examples: [true] }),
    ),
    values: Type.Optional(
      Named(Stored('The number of options that name none', 8), 20, 'The numbers that options can bring, each with a default'),
    ),
    options: Named(Option, 100, 'The options'),
  },
  { ...closed, description: 'One of several options, such as a class. Formulas ask `is(class, fighter)` and read `class.hit_die`' },
)

const Tracker = Type.Object(
  {
    label: Type.Optional(Label('Label on the sheet. Default: the name', 'Hit Points')),
    scope: Type.Optional(Type.Enum(['character', 'campaign'], { description: 'Who has it. Default: character', examples: ['character'] })),
    min: Type.Optional(NumberFormula('The lowest value. Default: 0', 0)),
    max: NumberFormula('The highest value', 'endurance + 5'),
    start: Type.Optional(NumberFormula('The value before it first moves. Default: the highest', 0)),
    writers: Type.Optional(
      Type.Enum(['PLAYER', 'STORYTELLER'], {
        description: 'Who may move it besides the storytellers. Default: PLAYER',
        examples: ['PLAYER'],
      }),
    ),
  },
  { ...closed, description: 'A number that moves during play, such as hit points' },
)

const Condition = Type.Object(
  {
    label: Type.Optional(Label('Label on the sheet. Default: the name', 'Exhaustion')),
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The highest level. Default: 1', examples: [6] })),
    description: Type.Optional(Prose('Explanation for players', 'Too tired to run')),
  },
  { ...closed, description: 'Something that a character suffers or enjoys for a while, with a level from 0' },
)

const Raise = Type.Object(
  {
    of: RuleName('the name of a trait, a group or a tag'),
    cost: NumberFormula('The price of one step, from `current` to `new`. A negative price pays', 'new * 5'),
    needs: Type.Optional(TruthFormula('What must hold before the step', 'new <= 5')),
  },
  { ...closed, description: 'What experience raises, and at which price' },
)

const Check = Type.Object(
  {
    that: TruthFormula('What must hold', 'sum(burdens) <= 5'),
    message: Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'What people read if it does not',
      examples: ['At most five dots of burdens.'],
    }),
    level: Type.Optional(
      Type.Enum(['ERROR', 'WARNING'], { description: 'WARNING never refuses anything. Default: ERROR', examples: ['ERROR'] }),
    ),
  },
  { ...closed, description: 'A rule about the whole sheet' },
)

const Term = Type.Object(
  {
    term: Label('The word', 'pool'),
    definition: Prose('What it means', 'The dice of a test'),
    synonyms: Type.Optional(Type.Array(Label('Another word for it', 'dice pool'), { maxItems: 20 })),
    see: Type.Optional(Type.Array(Label('A related term', 'difficulty'), { maxItems: 20 })),
  },
  { ...closed, description: 'An entry of the glossary' },
)

/** A game as data. */
export const RulesetDocument = Type.Object(
  {
    $schema: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The address of the JSON Schema, for editors',
        examples: ['https://guildhall.example/ruleset.schema.json'],
      }),
    ),
    format: Type.Literal(FORMAT, { description: 'The number of this format', examples: [FORMAT] }),
    name: Label('Name of the game', 'Neutral d10 pool'),
    description: Type.Optional(Prose('What it is', 'Dots from 1 to 5, and pools of ten-sided dice')),
    source: Source,
    groups: Named(Group, 100, 'Sections of the sheet'),
    traits: Named(Trait, 500, 'Numbers that are stored'),
    tables: Type.Optional(Named(Table, 50, 'Values that change step by step, for formulas')),
    derived: Type.Optional(Named(Derived, 500, 'Numbers that follow from others')),
    choices: Type.Optional(Named(Choice, 20, 'Choices such as a class')),
    trackers: Type.Optional(Named(Tracker, 50, 'Numbers that move during play')),
    conditions: Type.Optional(Named(Condition, 100, 'Conditions')),
    experience: Type.Optional(
      Type.Object(
        { raise: Type.Array(Raise, { maxItems: 50, description: 'The first rule that fits a trait applies' }) },
        { ...closed, description: 'Prices' },
      ),
    ),
    rolls: Type.Optional(Named(Roll, 100, 'Rolls by name')),
    checks: Type.Optional(Type.Array(Check, { maxItems: 100, description: 'Rules about the whole sheet' })),
    creation: Type.Optional(Creation),
    terms: Type.Optional(Type.Array(Term, { maxItems: 1000, description: 'The glossary' })),
    examples: Type.Optional(Type.Array(Example, { maxItems: 50, description: 'Tests of the ruleset by itself' })),
    upgrade: Type.Optional(Upgrade),
  },
  { ...closed, title: 'Ruleset', description: 'A game as data' },
)
export type RulesetDocument = Static<typeof RulesetDocument>
