import type { Values } from './compute.ts'
import type { Scope } from './scope.ts'
import { lookUp } from './tables.ts'

/** The names in the examples of the manual, and their values. */
export const EXAMPLE = {
  numbers: { strength: 9, level: 5, wounds: 2, athletics: 1, stealth: 3, 'class.hit_die': 10, 'hp.max': 44 },
  groups: { skills: ['athletics', 'stealth'] },
  tables: {
    rank: [
      [0, 1],
      [300, 2],
      [900, 3],
    ] as [number, number][],
  },
  choices: { class: { options: ['fighter', 'wizard'], chosen: 'fighter' } },
  dice: { action: [6, 3], danger: [1] },
}

interface ManualEntry {
  syntax: string
  meaning: string
  /** Formulas and their results. */
  examples: [formula: string, result: number | boolean][]
}

/** Everything that formulas have, with examples that a test computes. */
export const FORMULA_MANUAL: Record<string, ManualEntry[]> = {
  Numbers: [
    {
      syntax: '`7`, `strength`, `hp.max`',
      meaning: 'A whole number, or the number behind a name',
      examples: [
        ['strength', 9],
        ['hp.max', 44],
      ],
    },
    { syntax: '`a + b`, `a - b`, `a * b`, `-a`', meaning: 'Sum, difference, product, negative', examples: [['2 + 3 * -level', -13]] },
    {
      syntax: '`floor(a / n)`, `ceil(a / n)`, `round(a / n)`',
      meaning:
        'A division, rounded down, up, or to the nearest with halves up. It is always by a written number of 1 or more, and a sum that is divided stands in parentheses',
      examples: [
        ['floor((strength - 10) / 2)', -1],
        ['ceil(level / 2)', 3],
        ['round(-level / 2)', -2],
      ],
    },
    {
      syntax: '`min(a, b, …)`, `max(a, b, …)`',
      meaning: 'The lowest or the highest of up to 20 numbers',
      examples: [['max(1, level - strength)', 1]],
    },
    { syntax: '`abs(a)`', meaning: 'The number without its sign', examples: [['abs(level - strength)', 4]] },
    {
      syntax: '`clamp(a, low, high)`',
      meaning: 'The number, but at least `low` and at most `high`',
      examples: [['clamp(strength, 1, 5)', 5]],
    },
    {
      syntax: '`table(a)`',
      meaning: 'The value of a table of the ruleset: that of the last key which is not above the number, or of the first key',
      examples: [
        ['rank(450)', 2],
        ['rank(-1)', 1],
      ],
    },
  ],
  'Yes or no': [
    { syntax: '`a < b`, `<=`, `>`, `>=`, `==`, `!=`', meaning: 'Compares two numbers', examples: [['strength >= 10', false]] },
    { syntax: '`x and y`, `x or y`, `not x`', meaning: 'Joins or turns answers', examples: [['level > 3 and not (wounds > 2)', true]] },
    { syntax: '`x ? a : b`', meaning: '`a` if `x` is yes, and `b` if it is no', examples: [['wounds == 0 ? 0 : wounds + 1', 3]] },
    { syntax: '`is(slot, option)`', meaning: 'Yes if this option is chosen', examples: [['is(class, fighter) ? class.hit_die : 6', 10]] },
  ],
  'Groups and tags': [
    { syntax: '`sum(group)`', meaning: 'All traits of a group or tag together', examples: [['sum(skills)', 4]] },
    {
      syntax: '`highest(group)`, `lowest(group)`',
      meaning: 'The highest or the lowest of them',
      examples: [['highest(skills) - lowest(skills)', 2]],
    },
    { syntax: '`count(group, n)`', meaning: 'How many of them are `n` or more', examples: [['count(skills, 2)', 1]] },
  ],
  'Rolled dice': [
    { syntax: '`fallen()`', meaning: 'How many dice were kept', examples: [['fallen()', 3]] },
    { syntax: '`added()`', meaning: 'The sum of their pips', examples: [['added()', 10]] },
    { syntax: '`best()`, `worst()`', meaning: 'The highest or the lowest die, and 0 without dice', examples: [['best() - worst()', 5]] },
    { syntax: '`shown(n)`', meaning: 'How many dice show exactly `n`', examples: [['shown(6)', 1]] },
    { syntax: '`at_least(n)`, `at_most(n)`', meaning: 'How many dice show `n` or more, or `n` or less', examples: [['at_least(3)', 2]] },
    {
      syntax: '`best(dice)`, `shown(dice, n)`, …',
      meaning: 'The same, of one of the groups of dice of the roll',
      examples: [
        ['shown(danger, 1)', 1],
        ['added(action)', 9],
      ],
    },
  ],
}

const { numbers, groups, tables, choices, dice } = EXAMPLE

export const exampleScope: Scope = {
  numbers: new Set(Object.keys(numbers)),
  tables: new Set(Object.keys(tables)),
  groups: new Map(Object.entries(groups)),
  choices: new Map(Object.entries(choices).map(([slot, { options }]) => [slot, new Set(options)])),
  dice: new Set(Object.keys(dice)),
}

export const exampleValues: Values = {
  number: (name) => numbers[name as keyof typeof numbers],
  table: (name, key) => lookUp(tables[name as keyof typeof tables], key),
  chosen: (slot) => choices[slot as keyof typeof choices].chosen,
  dice: (group) => (group === null ? Object.values(dice).flat() : dice[group as keyof typeof dice]),
}
