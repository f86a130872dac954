import { labelIn } from '../../../rules/document.ts'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import type { CreationDocument, Method } from '../document.ts'
import { text } from '../text.ts'

interface ChooseProps {
  document: CreationDocument
  method: Method
  value: string
  onChange: (option: string) => void
}

/** A choice of one option, with the traits that it is good with. */
export function Choose({ document, method: { slot = '' }, value, onChange }: ChooseProps) {
  const options = document.choices?.[slot]?.options ?? {}
  const hintOf = (name: string) => {
    const { description, favours: favored = [] } = options[name] ?? {}
    const traits = favored.map((trait) => labelIn(document.traits, trait)).join(', ')
    return description ?? (traits && text.choose.favors(traits))
  }
  return (
    <RadioCards
      label={labelIn(document.choices, slot)}
      isLabelHidden
      value={value}
      cards={Object.keys(options).map((name) => ({ value: name, label: labelIn(options, name), hint: hintOf(name) }))}
      onChange={onChange}
    />
  )
}
