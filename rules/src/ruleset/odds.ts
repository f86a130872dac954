import { evaluate, sameDraw } from '@guildhall/dice/evaluate'
import { type Dice, diceIn, facesOf, meets, parse, type Term } from '@guildhall/dice/notation'
import type { SheetRoll } from './roll.ts'

/** The exact chances of a roll. */
export interface RollOdds {
  outcomes: { code: string; label: string | null; probability: number }[]
  scores: { score: number; probability: number }[]
}

/** The reason for which the odds of a roll are not computed. */
export class OddsFault extends Error {
  override readonly name: string = 'OddsFault'
}

/** Each combination of dice is judged once, in some microseconds. */
export const MAX_COMBINATIONS = 100_000
/** The generator pauses after so many combinations, so that its caller can do something else. */
const PAUSE_AFTER = 500

/** The faces of one die with their chances. A face that is rerolled is less likely, or impossible. */
function facesWithChances(dice: Dice): [face: number, chance: number][] {
  const [low, high] = facesOf(dice)
  const faces = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const { reroll } = dice
  const rerolled = reroll ? faces.filter((face) => meets(face, reroll)) : []
  const chance = 1 / faces.length
  if (!reroll || rerolled.length === faces.length) return faces.map((face) => [face, chance])
  if (!reroll.once) return faces.filter((face) => !rerolled.includes(face)).map((face) => [face, 1 / (faces.length - rerolled.length)])
  const again = rerolled.length / faces.length
  return faces.map((face) => [face, chance * (again + Number(!rerolled.includes(face)))])
}

/** The number of ways to choose `count` of so many faces, without an order. */
function combinationsOf({ count }: Dice, faces: number): number {
  let ways = 1
  for (let i = 1; i <= count && ways <= MAX_COMBINATIONS; i++) ways = (ways * (faces - 1 + i)) / i
  return ways
}

/** All combinations of equal dice, whatever their order, with their chances. */
function* combinations(count: number, faces: readonly [number, number][], from = 0): Generator<[faces: number[], chance: number]> {
  const [face, chance] = faces[from] as [number, number]
  if (from === faces.length - 1) {
    yield [Array(count).fill(face), chance ** count]
    return
  }
  let ways = 1
  for (let shown = 0; shown <= count; shown++) {
    for (const [rest, likely] of combinations(count - shown, faces, from + 1))
      yield [[...Array(shown).fill(face), ...rest], ways * chance ** shown * likely]
    ways = (ways * (count - shown)) / (shown + 1)
  }
}

function refuse({ sides, explode }: Dice, count: number): void {
  if (explode) throw new OddsFault('the odds of dice that explode are not computed')
  if (sides > MAX_COMBINATIONS || count > MAX_COMBINATIONS)
    throw new OddsFault(`the odds of more than ${MAX_COMBINATIONS.toLocaleString('en')} combinations of dice are not computed`)
}

/** All combinations of all dice of a notation, in the order in which they are rolled. */
function* combinationsIn(dice: readonly Dice[]): Generator<[faces: number[], chance: number]> {
  const [first, ...rest] = dice
  if (!first) return void (yield [[], 1])
  const faces = facesWithChances(first).filter(([, chance]) => chance > 0)
  for (const [shown, chance] of combinations(first.count, faces))
    for (const [others, likely] of combinationsIn(rest)) yield [[...shown, ...others], chance * likely]
}

/** The notation without rerolls: the chances of the faces have them already. */
function withoutRerolls(term: Term): Term {
  const copy = structuredClone(term)
  for (const dice of diceIn(copy)) delete dice.reroll
  return copy
}

/** Computes the exact chances of a roll. It pauses now and then: run it to its end. */
export function* oddsOfRoll(roll: SheetRoll): Generator<void, RollOdds> {
  const term = parse(roll.resolved.notation)
  const dice = diceIn(term)
  let total = 1
  for (const one of dice) {
    refuse(one, 0)
    total *= combinationsOf(one, facesOf(one)[1] - facesOf(one)[0] + 1)
    refuse(one, total)
  }
  const [outcomes, scores, labels] = [new Map<string, number>(), new Map<number, number>(), new Map<string, string | null>()]
  const plain = withoutRerolls(term)
  let judged = 0
  for (const [faces, chance] of combinationsIn(dice)) {
    const { dice: rolled, value } = evaluate(plain, sameDraw(faces.map((face) => ({ value: face }))))
    const { score, code, label } = roll.judge(rolled, value)
    outcomes.set(code, (outcomes.get(code) ?? 0) + chance)
    scores.set(score, (scores.get(score) ?? 0) + chance)
    if (!labels.has(code)) labels.set(code, label)
    if (++judged % PAUSE_AFTER === 0) yield
  }
  return {
    outcomes: [...outcomes].map(([code, probability]) => ({ code, label: labels.get(code) ?? null, probability })),
    scores: [...scores].sort(([a], [b]) => a - b).map(([score, probability]) => ({ score, probability })),
  }
}
