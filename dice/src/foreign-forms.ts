const WORD = 'this is not valid here: put a text into comment, or a label into brackets, as in 2d6[fire]'

/**
 * Forms of other tools that are rejected, with what to write instead. Some would be valid with another meaning, and others are merely
 * unknown here. Patterns are matched at the next part of the text.
 */
const FORMS: [pattern: RegExp, advice: string][] = [
  [/adv(antage)?(?![a-z])/iy, 'for advantage, write 2d20kh1 instead of 1d20'],
  [/dis(adv(antage)?)?(?![a-z])/iy, 'for disadvantage, write 2d20kl1 instead of 1d20'],
  [/@/y, 'write a name in braces, as in {strength}'],
  [/\{/y, 'a name in braces needs a value before the dice are rolled'],
  [/#/y, 'this is not valid here: to roll several times, use repeat; for a comment, use comment'],
  [/x(?=[\s\d(d]|$)/iy, 'this is not valid here: to roll several times, use repeat; to multiply, write *; to let dice explode, write !'],
  [/\//y, 'results are whole numbers: write floor(a/b), ceil(a/b) or round(a/b)'],
  [/\[/y, 'a label follows a number, dice or a parenthesis, with their modifiers, as in 2d6kh1[fire]'],
  [/\p{L}/uy, WORD],
]

/** Returns the advice for the form of another tool that begins at a position, if one does. */
export function adviceFor(text: string, position: number): string | undefined {
  return FORMS.find(([pattern]) => {
    pattern.lastIndex = position
    return pattern.test(text)
  })?.[1]
}

/** Returns the advice where a number, dice or a parenthesis is expected. A word is probably a name without braces. */
export function adviceForOperand(text: string, position: number): string | undefined {
  const [word] = /^[a-z][a-z0-9_]{0,63}(?![a-z0-9_]|\s*\()/i.exec(text.slice(position)) ?? []
  const advice = adviceFor(text, position)
  return word && advice === WORD ? `write a name in braces, as in {${word.toLowerCase()}}` : advice
}

/** The explosions of other tools after the exclamation mark. */
export const EXPLOSIONS: [pattern: RegExp, advice: string][] = [
  [/!/y, '!! adds up to one die in other tools, and is not supported: ! adds each further die'],
  [/p/iy, '!p is not supported: ! adds each further die as it falls'],
  [
    /[<>=\d]/y,
    'in other tools this explodes on the faces that follow; here only the highest face explodes. To count dice, write the condition first, as in 5d10>8!',
  ],
]
