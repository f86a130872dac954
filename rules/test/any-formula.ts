import fc from 'fast-check'
import { EXAMPLE } from '../src/formula/manual.ts'

/** A formula, and its result by exact arithmetic: an implementation of its own, on BigInt, that shares nothing with the one it checks. */
export interface ExactFormula {
  text: string
  /** How strongly the outermost operator binds: weaker parts stand in parentheses. */
  strength: number
  compute(number: (name: string) => number): bigint
}

const LIMIT = 1_000_000_000n
const cut = (value: bigint) => (value > LIMIT ? LIMIT : value < -LIMIT ? -LIMIT : value)
const floor = (a: bigint, b: bigint) => (a - (((a % b) + b) % b)) / b
const ROUNDED: Record<string, (a: bigint, b: bigint) => bigint> = {
  floor,
  ceil: (a, b) => -floor(-a, b),
  round: (a, b) => floor(2n * a + b, 2n * b),
}
const [CHOICE, OR, AND, COMPARISON, SUM, PRODUCT, OPERAND] = [0, 1, 2, 3, 4, 5, 6]

const within = ({ text, strength }: ExactFormula, needed: number) => (strength < needed ? `(${text})` : text)

type Apply = (a: bigint, b: bigint) => bigint
const truth = (value: boolean) => (value ? 1n : 0n)
const NUMBER_OPERATORS: [string, number, Apply][] = [
  ['+', SUM, (a, b) => cut(a + b)],
  ['-', SUM, (a, b) => cut(a - b)],
  ['*', PRODUCT, (a, b) => cut(a * b)],
]
const COMPARISON_OPERATORS: [string, number, Apply][] = [
  ['<', COMPARISON, (a, b) => truth(a < b)],
  ['<=', COMPARISON, (a, b) => truth(a <= b)],
  ['>', COMPARISON, (a, b) => truth(a > b)],
  ['>=', COMPARISON, (a, b) => truth(a >= b)],
  ['==', COMPARISON, (a, b) => truth(a === b)],
  ['!=', COMPARISON, (a, b) => truth(a !== b)],
]
const TRUTH_OPERATORS: [string, number, Apply][] = [
  ['and', AND, (a, b) => truth(a === 1n && b === 1n)],
  ['or', OR, (a, b) => truth(a === 1n || b === 1n)],
]

const operation = (operators: [string, number, Apply][], operand: fc.Arbitrary<ExactFormula>) =>
  fc.tuple(fc.constantFrom(...operators), operand, operand).map(
    ([[sign, strength, apply], left, right]): ExactFormula => ({
      text: `${within(left, strength === COMPARISON ? SUM : strength)} ${sign} ${within(right, strength + 1)}`,
      strength,
      compute: (number) => apply(left.compute(number), right.compute(number)),
    }),
  )

const choice = (when: fc.Arbitrary<ExactFormula>, part: fc.Arbitrary<ExactFormula>) =>
  fc.tuple(when, part, part).map(
    ([condition, one, other]): ExactFormula => ({
      text: `${within(condition, OR)} ? ${one.text} : ${other.text}`,
      strength: CHOICE,
      compute: (number) => (condition.compute(number) === 1n ? one : other).compute(number),
    }),
  )

const call = (text: string, compute: ExactFormula['compute']): ExactFormula => ({ text, strength: OPERAND, compute })
const lowest = (values: bigint[]) => values.reduce((a, b) => (b < a ? b : a))
const highest = (values: bigint[]) => values.reduce((a, b) => (b > a ? b : a))

const { athletics, stealth } = { athletics: 'athletics', stealth: 'stealth' }
const ranks = EXAMPLE.tables.rank

const leaf = fc.oneof(
  fc.nat({ max: 1_000_000_000 }).map((value) => call(String(value), () => BigInt(value))),
  fc.nat({ max: 30 }).map((value) => call(String(value), () => BigInt(value))),
  fc.constantFrom(...Object.keys(EXAMPLE.numbers)).map((name) => call(name, (number) => BigInt(number(name)))),
)

const skills = (number: (name: string) => number) => [BigInt(number(athletics)), BigInt(number(stealth))]

const numberCalls = (part: fc.Arbitrary<ExactFormula>) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom('floor', 'ceil', 'round'), part, fc.integer({ min: 1, max: 1000 }))
      .map(([name, of, by]) =>
        call(`${name}(${within(of, PRODUCT)} / ${by})`, (number) => (ROUNDED[name] as Apply)(of.compute(number), BigInt(by))),
      ),
    fc
      .tuple(fc.boolean(), fc.array(part, { minLength: 2, maxLength: 4 }))
      .map(([isMin, parts]) =>
        call(`${isMin ? 'min' : 'max'}(${parts.map(({ text }) => text).join(', ')})`, (number) =>
          (isMin ? lowest : highest)(parts.map((one) => one.compute(number))),
        ),
      ),
    part.map((one) => call(`abs(${one.text})`, (number) => highest([one.compute(number), -one.compute(number)]))),
    part.map((one) => call(`-${within(one, OPERAND)}`, (number) => -one.compute(number))),
    fc
      .tuple(part, part, part)
      .map(([one, low, high]) =>
        call(`clamp(${one.text}, ${low.text}, ${high.text})`, (number) =>
          highest([low.compute(number), lowest([high.compute(number), one.compute(number)])]),
        ),
      ),
    part.map((one) =>
      call(`rank(${one.text})`, (number) => {
        const passed = ranks.filter(([key]) => BigInt(key) <= one.compute(number))
        return BigInt((passed.at(-1) ?? ranks[0])?.[1] as number)
      }),
    ),
    fc.constantFrom('sum', 'highest', 'lowest').map((name) =>
      call(`${name}(skills)`, (number) => {
        const [a, b] = skills(number) as [bigint, bigint]
        return name === 'sum' ? cut(a + b) : (name === 'highest' ? highest : lowest)([a, b])
      }),
    ),
    part.map((one) =>
      call(`count(skills, ${one.text})`, (number) => BigInt(skills(number).filter((value) => value >= one.compute(number)).length)),
    ),
  )

const { formula } = fc.letrec<{ formula: ExactFormula; truth: ExactFormula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    leaf,
    operation(NUMBER_OPERATORS, tie('formula')),
    numberCalls(tie('formula')),
    choice(tie('truth'), tie('formula')),
  ),
  truth: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    operation(COMPARISON_OPERATORS, leaf),
    fc.constantFrom('fighter', 'wizard').map((option) => call(`is(class, ${option})`, () => truth(option === 'fighter'))),
    operation(COMPARISON_OPERATORS, tie('formula')),
    operation(TRUTH_OPERATORS, tie('truth')),
    tie('truth').map((one) => call(`not ${within(one, OPERAND)}`, (number) => 1n - one.compute(number))),
  ),
}))

/** Formulas with a number or a yes or no as their result, within the length that is allowed. */
export const anyFormula: fc.Arbitrary<ExactFormula> = formula.filter(({ text }) => text.length <= 500)
