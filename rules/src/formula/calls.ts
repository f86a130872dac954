import { ROUNDINGS, type Rounding } from '@guildhall/dice/divide'
import { AGGREGATES, type Aggregate, DICE_QUESTIONS, type DiceQuestion, type FormulaNode, FUNCTIONS } from './node.ts'
import type { FormulaReader } from './read.ts'

export const SLASH = '/ stands alone in floor(), ceil() or round(), which say how it rounds'

const isIn = <T extends string>(names: readonly T[], name: string): name is T => (names as readonly string[]).includes(name)
const isQuestion = (name: string): name is DiceQuestion => Object.hasOwn(DICE_QUESTIONS, name)

/** Reads what stands in the parentheses after a name. */
export function readCall(reader: FormulaReader, name: string, position: number): FormulaNode {
  const { scanner, scope } = reader
  if (isIn(ROUNDINGS, name)) return readQuotient(reader, name)
  if (name === 'is') return readIs(reader, position)
  if (isIn(AGGREGATES, name)) return readAggregate(reader, name)
  if (isQuestion(name)) return readQuestion(reader, name, position)
  const values = readValues(reader)
  const refuseCount = (count: string): never => scanner.fail(`${name}() takes ${count}, and has ${values.length} here`, position)
  if (scope.tables.has(name))
    return { kind: 'table', name, key: values.length === 1 ? (values[0] as FormulaNode) : refuseCount('one value') }
  if (!Object.hasOwn(FUNCTIONS, name)) scanner.fail(adviceOn(reader, name), position)
  const called = name as keyof typeof FUNCTIONS
  const { least, most } = FUNCTIONS[called]
  if (values.length < least || values.length > most)
    refuseCount(least === most ? `${least} value${least === 1 ? '' : 's'}` : `${least} to ${most} values`)
  return { kind: 'call', name: called, values }
}

function adviceOn({ scope, suggest }: FormulaReader, name: string): string {
  if (scope.numbers.has(name)) return `${name} is a number and takes no values: an operator is missing before the parenthesis`
  return `there is no ${name}() here${suggest(name, [...scope.tables, ...Object.keys(FUNCTIONS), ...ROUNDINGS, ...AGGREGATES])}`
}

function readValues(reader: FormulaReader): FormulaNode[] {
  if (reader.scanner.is(')')) return []
  const values = [reader.number()]
  while (reader.scanner.take(',')) values.push(reader.number())
  return values
}

function readQuotient(reader: FormulaReader, rounding: Rounding): FormulaNode {
  const { scanner } = reader
  const dividend = reader.product()
  if (scanner.is('+') || scanner.is('-')) scanner.fail(`put the sum into parentheses, as in ${rounding}((level + 1) / 2)`)
  if (!scanner.take('/')) scanner.fail(`a division is missing here, as in ${rounding}(level / 2)`)
  if (scanner.token.kind !== 'number' || Number(scanner.token.text) === 0) scanner.fail('the divisor is a number of 1 or more, not a name')
  return { kind: 'quotient', rounding, dividend, divisor: reader.literal() }
}

function readIs({ scanner, scope, suggest }: FormulaReader, position: number): FormulaNode {
  const slot = scanner.word('the name of a choice').text
  const options = scope.choices.get(slot) ?? scanner.fail(`there is no choice ${slot} here${suggest(slot, scope.choices.keys())}`, position)
  scanner.expect(',')
  const option = scanner.word('the name of an option')
  if (!options.has(option.text)) scanner.fail(`${slot} has no option ${option.text}${suggest(option.text, options)}`, option.position)
  return { kind: 'is', slot, option: option.text }
}

function readAggregate(reader: FormulaReader, name: Aggregate): FormulaNode {
  const { scanner, scope, suggest } = reader
  const group = scanner.word('the name of a group or tag')
  const unknown = () => scanner.fail(`there is no group or tag ${group.text}${suggest(group.text, scope.groups.keys())}`, group.position)
  const traits = scope.groups.get(group.text) ?? unknown()
  if (name !== 'count') return { kind: 'aggregate', name, group: group.text, traits, least: null }
  scanner.expect(',')
  return { kind: 'aggregate', name, group: group.text, traits, least: reader.number() }
}

function readQuestion(reader: FormulaReader, question: DiceQuestion, position: number): FormulaNode {
  const { scanner, scope } = reader
  const groups = scope.dice ?? scanner.fail(`${question}() asks about rolled dice, and here none are`, position)
  const asksPips = DICE_QUESTIONS[question]
  let group: string | null = null
  if (groups.has(scanner.token.text)) {
    group = scanner.next().text
    if (asksPips) scanner.expect(',')
  }
  return { kind: 'dice', question, group, pips: asksPips ? reader.number() : null }
}
