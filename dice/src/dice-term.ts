import { EXPLOSIONS } from './foreign-forms.ts'
import type { Scanner } from './scanner.ts'
import { type Comparison, type Dice, facesOf, MAX_DICE, MAX_SIDES, meets } from './term.ts'

const everyFace = (dice: Dice, test: Comparison) => {
  const [low, high] = facesOf(dice)
  for (let face = low; face <= high; face++) if (!meets(face, test)) return false
  return true
}

function comparison(scanner: Scanner): Comparison | null {
  for (const sign of ['>=', '<=', '>', '<', '='] as const) {
    if (!scanner.take(sign)) continue
    const negative = scanner.take('-')
    const than = scanner.requiredNumber(MAX_SIDES, 'the number to compare with')
    return { sign, than: negative ? -than : than }
  }
  return null
}

/**
 * Parses the dice after their count and the letter d. Earlier versions accepted a condition for successes after an explosion, which other
 * tools understand differently; rolls with it are stored.
 */
export function parseDice(scanner: Scanner, start: number, count: number, earlier: boolean): Dice {
  const fudge = scanner.take('f')
  const sides = fudge ? 3 : scanner.take('%') ? 100 : scanner.requiredNumber(MAX_SIDES, 'the number of sides')
  if (sides < 2) scanner.fail('a die has at least 2 sides', start)
  const dice: Dice = { kind: 'dice', position: start, end: scanner.position, count, sides, fudge }
  while (parseModifier(scanner, dice, earlier)) dice.end = scanner.position
  return dice
}

/** No modifier has so many letters. */
const WORD = /[a-z]{3}/iy

/** Parses one modifier into the dice. Each may occur once, in any order. */
function parseModifier(scanner: Scanner, dice: Dice, earlier: boolean): boolean {
  scanner.skip()
  const start = scanner.position
  const fail = (reason: string) => scanner.fail(reason, start)
  const refuseSecond = (name: keyof Dice) => {
    if (dice[name] !== undefined) fail('this modifier is given twice')
  }
  if (scanner.ahead(WORD)) return false
  if (scanner.take('!')) {
    const once = scanner.take('o')
    if (!earlier) for (const [pattern, advice] of EXPLOSIONS) if (scanner.ahead(pattern) !== undefined) fail(advice)
    refuseSecond('explode')
    dice.explode = once ? 'once' : 'always'
    return true
  }
  for (const word of ['kh', 'kl', 'dh', 'dl'] as const) {
    if (!scanner.take(word)) continue
    refuseSecond('keep')
    const count = scanner.requiredNumber(MAX_DICE, `the number of dice to ${word[0] === 'k' ? 'keep' : 'drop'}`)
    if (count > dice.count || (word[0] === 'd' && count === dice.count)) fail(`there are only ${dice.count} dice to choose from`)
    if (count < 1) fail('the number of dice to keep or drop is at least one')
    dice.keep = { highest: word[1] === 'h', drop: word[0] === 'd', count }
    return true
  }
  for (const [word, name] of [['mi', 'minimum'] as const, ['ma', 'maximum'] as const]) {
    if (!scanner.take(word)) continue
    refuseSecond(name)
    dice[name] = scanner.requiredNumber(MAX_SIDES, `the ${name}`)
    const { minimum, maximum } = dice
    if (minimum !== undefined && maximum !== undefined && minimum > maximum) fail(`the minimum ${minimum} is above the maximum ${maximum}`)
    return true
  }
  if (scanner.take('k')) return fail('keep needs a direction: kh keeps the highest, kl the lowest')
  if (scanner.take('d')) return fail('drop needs a direction: dl drops the lowest, dh the highest')
  if (scanner.take('r')) {
    refuseSecond('reroll')
    const once = scanner.take('o')
    const test = comparison(scanner)
    const face = scanner.ahead(/\d+/y) ?? '1'
    if (!test)
      return fail(
        `reroll needs a condition: r=${face} rerolls until it is not ${face}, ro=${face} rerolls once, r<=${face} rerolls ${face} or less`,
      )
    if (everyFace(dice, test) && !once) fail('every face would be rerolled without end')
    dice.reroll = { ...test, once }
    return true
  }
  if (scanner.take('f')) {
    refuseSecond('failure')
    if (!dice.success) fail('failures need a condition for successes first, as in 6d10>=7f1')
    dice.failure = comparison(scanner) ?? { sign: '=', than: scanner.requiredNumber(MAX_SIDES, 'the face that fails') }
    return true
  }
  const success = comparison(scanner)
  if (!success) return false
  refuseSecond('success')
  dice.success = success
  return true
}
