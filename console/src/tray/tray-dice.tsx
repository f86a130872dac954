import { Solid } from '../play/die.tsx'
import { text } from './text.ts'

/** The dice that can be added to the notation, and how they look. */
const DICE = [
  ['d4', 4, '4'],
  ['d6', 6, '6'],
  ['d8', 8, '8'],
  ['d10', 10, '10'],
  ['d12', 12, '12'],
  ['d20', 20, '20'],
  ['d%', 100, '00'],
  ['dF', 6, '+'],
] as const

/** A row of dice: each press adds one to the notation. */
export function TrayDice({ onPress }: { onPress: (die: string) => void }) {
  return (
    <fieldset class="tray-dice">
      <legend class="visually-hidden">{text.dice}</legend>
      {DICE.map(([die, sides, face]) => (
        <button key={die} type="button" onClick={() => onPress(die)}>
          <Solid sides={sides} face={face} />
          {die === 'dF' ? text.fate : die}
        </button>
      ))}
    </fieldset>
  )
}
