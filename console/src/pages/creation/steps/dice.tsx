import type { CreationStep } from '@guildhall/client'
import { useCampaign } from '../../../data/acting.ts'
import { hrefOf } from '../../../router.ts'
import { labelIn } from '../../../rules/document.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type CreationDocument, type Method, traitsOf, type Values } from '../document.ts'
import { text as all } from '../text.ts'
import { Assign } from './assign.tsx'

const text = all.dice

interface DiceProps {
  document: CreationDocument
  method: Method
  rolled: CreationStep['rolled']
  values: Values
  onChange: (values: Values) => void
  onRoll: () => void
  busy: boolean
  faults: Record<string, string>
}

/** Rolls the dice of a step once. The values are then given to traits, unless each stays with its own. */
export function Dice({ document, method, rolled, values, onChange, onRoll, busy, faults }: DiceProps) {
  const traits = traitsOf(document, method)
  if (!rolled)
    return (
      <div class="before-roll">
        <p>{text.before(method.dice ?? '', traits.length)}</p>
        <Button icon="dice" busy={busy} onClick={onRoll}>
          {text.roll}
        </Button>
      </div>
    )
  return (
    <>
      <Rolled rolled={rolled} labels={method.keep_order ? traits.map((trait) => labelIn(document.traits, trait)) : []} />
      {method.keep_order ? (
        <p class="hint">{text.keepOrder}</p>
      ) : (
        <Assign document={document} traits={traits} given={rolled.values} values={values} onChange={onChange} faults={faults} />
      )}
    </>
  )
}

/** The values of the dice, each with the proof that it was fair. It opens in a new tab, so that nothing that was entered is lost. */
function Rolled({ rolled: { values, roll_ids }, labels }: { rolled: NonNullable<DiceProps['rolled']>; labels: string[] }) {
  const { path } = useCampaign()
  return (
    <ul class="rolled" aria-label={text.rolled}>
      {values.map((value, index) => (
        <li key={roll_ids[index]}>
          {labels[index] && <span>{labels[index]}</span>}
          <strong>{value}</strong>
          <a href={hrefOf(`${path}/dice/verify/${roll_ids[index]}`)} target="_blank" rel="noopener" aria-label={text.verifyOf(value)}>
            <Icon name="seal" />
            {text.verify}
          </a>
        </li>
      ))}
    </ul>
  )
}
