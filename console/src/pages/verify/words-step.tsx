import type { Explanation, Proof } from '@guildhall/client/dice'
import { Same, Step, Value } from './step.tsx'
import { text } from './text.ts'

/** More rows than this are cut, except those that differ. */
export const MAX_ROWS = 24

/** The words follow from both seeds and the number of the roll. */
export function WordsStep({ step, proof }: { step: Explanation['words']; proof: Proof }) {
  const words = text.words
  const { stated, computed } = step
  const rows = stated.map((word, index) => ({ number: index + 1, word, again: computed?.[index] }))
  const wrong = rows.filter(({ word, again }) => computed && word !== again).map(({ number }) => number)
  const shown = rows.filter(({ number }) => number <= MAX_ROWS || number === wrong[0])
  return (
    <Step
      number={2}
      title={words.title}
      about={words.about}
      step={step}
      isWaiting
      difference={wrong.length ? words.differs(wrong) : undefined}
    >
      <dl class="values">
        <Value name={words.clientSeed}>
          <code>{proof.client_seed}</code>
        </Value>
        <Value name={words.nonce}>{proof.nonce}</Value>
      </dl>
      {rows.length > 0 && (
        <table class="data step-table">
          <thead>
            <tr>
              <th scope="col">{words.number}</th>
              <th scope="col" class="number">
                {words.stated}
              </th>
              {computed && (
                <th scope="col" class="number">
                  {words.computed}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ number, word, again }) => (
              <tr key={number} class={wrong.includes(number) ? 'wrong' : undefined}>
                <th scope="row">{number}</th>
                <td class="number">{word}</td>
                {computed && (
                  <td class="number">
                    {again} <Same isSame={word === again} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > shown.length && <p class="quiet">{words.more(rows.length - shown.length)}</p>}
    </Step>
  )
}
