import { EXAMPLE, FORMULA_MANUAL } from '../formula/manual.ts'
import { DICE_COST, MAX_VALUE, RESERVED_WORDS, TABLE_COST } from '../formula/node.ts'
import { MAX_FORMULA_DEPTH, MAX_FORMULA_LENGTH, MAX_FORMULA_PARTS } from '../formula/read.ts'
import { MAX_DERIVATION_COST, MAX_ROLL_COST } from './compile.ts'
import { MAX_RULESET_PARTS } from './compiler.ts'
import { MAX_FAULTS } from './faults.ts'
import { BUILT_IN } from './names.ts'

const code = (text: string) => `\`${text}\``
const listed = (texts: Iterable<string>) => [...texts].map(code).join(', ')
const grouped = (value: number) => value.toLocaleString('en')

function table(headings: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(headings), `|${'---|'.repeat(headings.length)}`, ...rows.map(line)].join('\n')
}

const resultOf = (result: number | boolean) => (typeof result === 'number' ? String(result) : result ? 'yes' : 'no')

/** The tables of everything that formulas have, with examples. */
const syntax = () =>
  Object.entries(FORMULA_MANUAL)
    .map(([heading, entries]) => {
      const rows = entries.map(({ syntax, meaning, examples }) => [
        syntax,
        meaning,
        examples.map(([formula, result]) => `${code(formula)} is ${resultOf(result)}`).join('; '),
      ])
      return `### ${heading}\n\n${table(['Write', 'Meaning', 'Example'], rows)}`
    })
    .join('\n\n')

/** The sheet that the examples are computed with. */
function sheet(): string {
  const { numbers, groups, tables, choices, dice } = EXAMPLE
  return table(
    ['Part', 'In the examples'],
    [
      ['Numbers', Object.entries(numbers).map(([name, value]) => `${code(name)} is ${value}`)],
      ['Groups', Object.entries(groups).map(([name, traits]) => `${code(name)} contains ${listed(traits)}`)],
      [
        'Tables',
        Object.entries(tables).map(
          ([name, rows]) => `${code(name)} is ${rows.map(([key, value]) => `${value} from ${key} on`).join(', ')}`,
        ),
      ],
      [
        'Choices',
        Object.entries(choices).map(
          ([slot, { options, chosen }]) => `${code(chosen)} is chosen as ${code(slot)}, out of ${listed(options)}`,
        ),
      ],
      ['Rolled dice', Object.entries(dice).map(([group, faces]) => `${code(group)} shows ${faces.join(' and ')}`)],
    ].map(([part, facts]) => [part as string, (facts as string[]).join('; ')]),
  )
}

/** The names that a ruleset cannot give to its own parts. */
const reserved = () => `${listed([...RESERVED_WORDS, ...BUILT_IN])}.`

const limits = () =>
  table(
    ['Limit', 'Of'],
    [
      [grouped(MAX_FORMULA_LENGTH), 'characters in a formula'],
      [grouped(MAX_FORMULA_PARTS), 'parts in a formula: each number, name, operator and function is one'],
      [
        grouped(MAX_FORMULA_DEPTH),
        'levels of nesting: parentheses, functions and `? :` inside each other, of which a function may take two',
      ],
      [grouped(MAX_RULESET_PARTS), 'parts in all formulas of a ruleset together'],
      [grouped(MAX_DERIVATION_COST), 'steps for a sheet: its derived values, and the `max` and `start` of its trackers'],
      [grouped(MAX_ROLL_COST), 'steps for all formulas of one roll'],
      [`±${grouped(MAX_VALUE)}`, 'for every result; a written number is at most this, too'],
      [grouped(MAX_FAULTS), 'faults that are listed at once'],
    ],
  )

const costs = () =>
  `Each part takes one step, a question to a group one more for each of its traits, a table ${TABLE_COST}, and a question about dice ${grouped(DICE_COST)}.`

const PARTS: Record<string, () => string> = { syntax, sheet, reserved, limits, costs }

/** Fills in the parts of docs/formulas.md that follow from the code: each stands between two comments with its name. */
export const fillFormulaPage = (page: string): string =>
  Object.entries(PARTS).reduce((text, [name, part]) => {
    const [begin, end] = [`<!-- generated: ${name} -->\n`, `\n<!-- end of ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`docs/formulas.md has no place for ${name}`)
    return text.slice(0, from + begin.length) + part() + text.slice(to)
  }, page)
