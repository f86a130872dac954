import type { DiceRoll, RollVisibility } from '@guildhall/client'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { Button } from '../ui/button.tsx'
import { Select, TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { ModeSwitch } from './mode-switch.tsx'
import { Odds } from './odds.tsx'
import { QuickRolls, useQuickRolls } from './quick-rolls.tsx'
import { addDie, type Draft, isFinished, type Mode, readDraft, toggleTrait } from './request.ts'
import { SaveDialog } from './save-dialog.tsx'
import { text } from './text.ts'
import { TraitChips } from './trait-chips.tsx'
import { TrayDice } from './tray-dice.tsx'
import { useRoll } from './use-roll.ts'

/** A character that the user may roll for. */
export interface TrayCharacter {
  id: string
  name: string
  traits: Record<string, number> | null
}

interface TrayProps {
  campaign?: { id: string; desperation: number } | undefined
  isStoryteller?: boolean
  /** The characters that the user may roll for. */
  characters: readonly TrayCharacter[]
  /** The characters are loading. Until they are known, nothing is rolled: it would be the user's own roll. */
  isWaiting?: boolean
  /** The character to begin with, and traits that are in the pool at once. */
  characterId?: string | undefined
  traits?: readonly string[] | undefined
  /** The mode to begin with, which may be known later than the rest: that of the last roll at the table. */
  firstMode?: Mode | undefined
  onRolled?: (rolls: DiceRoll[]) => void
}

const EMPTY: Draft = { mode: 'notation', notation: '', target: '', pool: '', difficulty: '6', desperation: 0 }
const VISIBILITIES: readonly [RollVisibility, string][] = (['PUBLIC', 'STORYTELLER', 'BLIND'] as const).map((value) => [
  value,
  text.visibility[value],
])

/** The dice tray: one field for dice, with everything that a roll may have around it. */
export function Tray(props: TrayProps) {
  const { campaign, isStoryteller = false, characters, isWaiting = false, characterId, traits, firstMode, onRolled } = props
  const { user } = useActing()
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [chosen, setChosen] = useState(characterId)
  const [comment, setComment] = useState('')
  const [visibility, setVisibility] = useState<RollVisibility>('PUBLIC')
  const [isOpen, setOpen] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const options = useId()
  useEffect(() => setChosen(characterId), [characterId])
  useEffect(() => {
    if (!traits?.length) return
    setDraft((before) => ({ ...before, mode: 'pool', pool: traits.join(' + ') }))
    field.current?.focus()
  }, [traits?.join()])

  // Whoever has begun to type goes on in the mode that they see, and so does everyone when others roll in another one.
  const hasMode = useRef(false)
  useEffect(() => {
    if (firstMode && !hasMode.current && draft === EMPTY) setDraft({ ...EMPTY, mode: firstMode })
    if (firstMode) hasMode.current = true
  }, [firstMode])

  const character = characters.find(({ id }) => id === chosen)
  const context = { campaignId: campaign?.id, characterId: character?.id, comment, visibility }
  const rolling = useRoll(context, (rolls) => {
    setComment('')
    onRolled?.(rolls)
  })
  const quickRolls = useQuickRolls(context)
  // Storytellers may lower the desperation while dice are chosen.
  const desperation = Math.min(draft.desperation, campaign?.desperation ?? 0)
  const parsed = readDraft({ ...draft, desperation })
  const dice = 'dice' in parsed ? parsed.dice : undefined
  const isPool = draft.mode === 'pool'
  const change = (part: Partial<Draft>) => {
    setDraft({ ...draft, ...part })
    rolling.clear()
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isWaiting) return
    if ('fault' in parsed) return rolling.fail(parsed.fault)
    await rolling.roll(parsed.dice)
  }
  const place = { ...(campaign && { campaign_id: campaign.id }), ...(character && { character_id: character.id }) }

  return (
    <section class={rolling.busy ? 'tray rolling' : 'tray'} aria-label={text.title}>
      <form onSubmit={submit}>
        <div class="tray-head">
          <ModeSwitch mode={draft.mode} onChange={(mode) => change({ mode })} />
          <button
            type="button"
            class={visibility === 'PUBLIC' ? 'chip tray-more' : 'chip tray-more secret'}
            aria-expanded={isOpen}
            aria-controls={options}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name={visibility === 'PUBLIC' ? 'eye' : 'secret'} />
            <span>{text.options(isWaiting ? '…' : (character?.name ?? user.name), text.visibility[visibility])}</span>
          </button>
        </div>
        <div class="tray-options" id={options} hidden={!isOpen}>
          {characters.length > 0 && (
            <Select
              label={text.as}
              value={character?.id ?? ''}
              options={[['', user.name], ...characters.map(({ id, name }) => [id, name] as const)]}
              onChange={setChosen}
            />
          )}
          <Select label={text.visibility.label} value={visibility} options={VISIBILITIES} onChange={setVisibility} />
          <TextField label={text.comment} value={comment} onInput={setComment} maxlength={500} />
        </div>
        {!isPool && <TrayDice onPress={(die) => change(addDie(draft, die))} />}
        {character && <TraitChips character={character} draft={draft} onPress={(name) => change(toggleTrait(draft, name))} />}
        <div class={isPool ? 'tray-line labeled' : 'tray-line'}>
          <TextField
            label={isPool ? text.pool.label : text.notation.label}
            isLabelHidden={!isPool}
            placeholder={isPool ? text.pool.placeholder : text.notation.placeholder}
            value={isPool ? draft.pool : draft.notation}
            onInput={(value) => change(isPool ? { pool: value } : { notation: value })}
            error={rolling.problem}
            spellcheck={false}
            inputRef={field}
          />
          {!isPool && (
            <TextField
              label={text.against}
              isLabelHidden
              placeholder={text.against.toLowerCase()}
              value={draft.target}
              onInput={(target) => change({ target })}
              inputmode="numeric"
            />
          )}
          {isPool && (
            <TextField
              label={text.difficulty}
              value={draft.difficulty}
              onInput={(difficulty) => change({ difficulty })}
              type="number"
              min={2}
              max={10}
            />
          )}
          {isPool && campaign && campaign.desperation > 0 && (
            <Select
              label={text.desperation}
              value={String(desperation)}
              options={Array.from({ length: campaign.desperation + 1 }, (_, count) => [String(count), String(count)] as const)}
              onChange={(value) => change({ desperation: Number(value) })}
            />
          )}
          <Button type="submit" look="primary" busy={rolling.busy} disabled={isWaiting}>
            {rolling.busy ? text.rolling : text.roll}
          </Button>
        </div>
      </form>
      <Odds request={dice && isFinished(dice) ? { ...dice, ...place } : undefined} />
      <QuickRolls
        quickRolls={quickRolls}
        busy={rolling.busy || isWaiting}
        onRoll={rolling.rollQuick}
        onSave={dice && (() => setSaving(true))}
      />
      {isSaving && dice && (
        <SaveDialog
          dice={dice}
          campaignId={campaign?.id}
          character={character}
          isStoryteller={isStoryteller}
          onClose={() => setSaving(false)}
        />
      )}
    </section>
  )
}
