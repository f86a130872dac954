import type { CharacterHandle, DiceRoll, RollVisibility, RuledSheet } from '@guildhall/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { labelOf } from '../play/character-words.ts'
import { Roll } from '../play/roll.tsx'
import { text as tray } from '../tray/text.ts'
import { Select, TextField } from '../ui/field.tsx'
import { type Form, useForm } from '../ui/form.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { labelIn, type SheetDocument, type SheetRoll } from './document.ts'
import { RollOdds } from './roll-odds.tsx'
import { firstAnswers, isAnswered, optionsOfInput, type RollAnswers, requestOf } from './roll-request.ts'
import { text } from './text.ts'

interface Values extends RollAnswers {
  comment: string
  visibility: RollVisibility
}

const VISIBILITIES = (['PUBLIC', 'STORYTELLER', 'BLIND'] as const).map((value) => [value, tray.visibility[value]] as const)

interface RollDialogProps {
  name: string
  document: SheetDocument
  sheet: RuledSheet
  api: CharacterHandle
  /** The name of the character. */
  roller: string
  /** The answers of the last time. */
  before?: RollAnswers | undefined
  onRolled: (answers: RollAnswers) => void
  onClose: () => void
}

/** Asks for everything that a roll of the ruleset needs, with the odds, rolls it, and shows the result. */
export function RollDialog({ name, document, sheet, api, roller, before, onRolled, onClose }: RollDialogProps) {
  const roll = document.rolls?.[name] ?? {}
  const [present] = useState<Values>(() => ({ ...firstAnswers(roll), ...before, comment: '', visibility: 'PUBLIC' }))
  const [result, setResult] = useState<DiceRoll>()
  const [sent, setSent] = useState<RollAnswers>(present)
  const form = useForm(present, async ({ values }) => {
    const { comment, visibility } = values
    setSent(values)
    const made = await api.sheetRolls.create(name, {
      ...requestOf(roll, values),
      visibility,
      ...(comment.trim() && { comment: comment.trim() }),
    })
    setResult(made)
    // Pressing the button twice must not pay twice.
    form.set('spends')({})
    onRolled({ inputs: values.inputs, spends: {} })
  })
  const request = isAnswered(roll, form.values) ? requestOf(roll, form.values) : undefined
  return (
    <FormDialog
      title={labelIn(document.rolls, name)}
      action={form.busy ? tray.rolling : result ? text.roll.again : tray.roll}
      icon="dice"
      of={form}
      onClose={onClose}
      class="roll-form"
      closeWords={result && text.roll.done}
    >
      {roll.description && <p class="quiet">{roll.description}</p>}
      <Inputs roll={roll} document={document} sheet={sheet} form={form} sent={sent} />
      <Spends roll={roll} document={document} sheet={sheet} form={form} />
      <div class="form-row">
        <Select label={tray.visibility.label} options={VISIBILITIES} {...form.select('visibility')} />
        <TextField label={tray.comment} {...form.input('comment')} maxlength={500} />
      </div>
      <RollOdds api={api} name={name} codes={(roll.outcomes ?? []).map(({ code }) => code)} request={request} />
      {result && <Result key={result.id} roll={result} roller={roller} />}
    </FormDialog>
  )
}

interface PartProps {
  roll: SheetRoll
  document: SheetDocument
  sheet: RuledSheet
  form: Form<Values>
}

function Inputs({ roll: { inputs = {} }, document, sheet, form, sent }: PartProps & { sent: RollAnswers }) {
  const names = Object.keys(inputs)
  if (!names.length) return null
  const answer = (name: string) => (value: string) => form.set('inputs')({ ...form.values.inputs, [name]: value })
  return (
    <div class="form-row">
      {Object.entries(inputs).map(([name, input]) => {
        const value = form.values.inputs[name] ?? ''
        const fault = form.errorOf(`inputs.${name}`)
        // The fault is that of the answer that was sent.
        const common = { label: labelOf(name), value, error: sent.inputs[name] === value ? fault : undefined }
        if (!input.number)
          return <Select key={name} {...common} options={optionsOfInput(document, sheet.traits, input)} onChange={answer(name)} />
        const { min, max } = input.number
        return <TextField key={name} {...common} type="number" min={min} max={max} onInput={answer(name)} />
      })}
    </div>
  )
}

/** The most that a list of numbers is scrolled through for. */
const MAX_LISTED = 20

function Spends({ roll: { spends = {} }, document, sheet, form }: PartProps) {
  const pay = (name: string) => (times: string) => form.set('spends')({ ...form.values.spends, [name]: times })
  return (
    <>
      {Object.entries(spends).map(([name, { label = labelOf(name), tracker, amount, most }]) => {
        const { value = 0, min = 0, max = 0 } = sheet.trackers[tracker] ?? {}
        const times = Math.floor(amount > 0 ? (value - min) / amount : amount < 0 ? (max - value) / -amount : most)
        const highest = Math.max(0, Math.min(times, most, MAX_LISTED))
        return (
          <Select
            key={name}
            label={label}
            hint={text.roll.price(labelIn(document.trackers, tracker), amount, value)}
            value={form.values.spends[name] ?? '0'}
            options={Array.from({ length: highest + 1 }, (_, count) => [String(count), text.roll.times(count)] as const)}
            onChange={pay(name)}
            error={form.errorOf(`spends.${name}`)}
          />
        )
      })}
    </>
  )
}

/** The result comes into view: on a phone it is below the answers. */
function Result({ roll, roller }: { roll: DiceRoll; roller: string }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <div class="roll-made" role="status" ref={element}>
      <Roll roll={{ ...roll, truncated: false }} roller={roller} />
    </div>
  )
}
