import type { CharacterType, CharacterVisibility } from '@guildhall/client'
import { useRef, useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { typeWords, visibilityWords } from '../../play/character-words.ts'
import { PlayerSelect } from '../../play/player-select.tsx'
import { navigate } from '../../router.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { tell } from '../../ui/toast.tsx'
import { inOwnWords } from '../creation/faults.ts'
import { createFrom, type TemplateName } from './templates.ts'
import { text } from './text.ts'

const words = text.form

interface CreateDialogProps {
  /** The name of the game whose rules can lead through the creation, if the campaign has such a ruleset. */
  game: string | undefined
  onClose: () => void
}

/** Creates a character, and opens its sheet, or starts to create it step by step. Players create characters for themselves, storytellers anybody. */
export function CreateDialog({ game, onClose }: CreateDialogProps) {
  const { api, path, campaign, isStoryteller } = useCampaign()
  const { user } = useActing()
  const [chosen, setChosen] = useState<'guided' | 'blank'>()
  const [template, setTemplate] = useState<TemplateName>('blank')
  const made = useRef({})
  // With a ruleset, its own sheet has what a template would bring.
  const hasTemplates = campaign.ruleset_version_id === null && (isStoryteller || campaign.trait_changes !== 'STORYTELLER')
  const start = async (type: CharacterType, user_id: string) => {
    try {
      const { id } = await api.creations.create({ ...(isStoryteller && { type }), ...(isStoryteller && type === 'PLAYER' && { user_id }) })
      navigate(`${path}/characters/creations/${id}`)
    } catch (error) {
      throw inOwnWords(error)
    }
  }
  const form = useForm(
    {
      name: '',
      concept: '',
      type: (isStoryteller ? 'NPC' : 'PLAYER') as CharacterType,
      user_id: user.id,
      visibility: 'OPEN' as CharacterVisibility,
    },
    async ({ values: { name, concept, type, user_id, visibility } }) => {
      if (isGuided) return start(type, user_id)
      const role = type === 'NPC' ? { type, visibility } : { type, user_id }
      const body = { name, concept: concept || null, ...(isStoryteller && role) }
      const character = await createFrom(hasTemplates ? template : 'blank', api, body, made.current)
      tell(words.created(character.name))
      navigate(`${path}/characters/${character.id}`)
    },
  )
  // The ruleset may arrive after the dialog was opened. A name that is typed by then stays.
  const isNamed = form.values.name !== '' || form.values.concept !== ''
  const way = chosen ?? (game === undefined || isNamed ? 'blank' : 'guided')
  const isGuided = way === 'guided'
  return (
    <FormDialog title={words.title} action={isGuided ? words.start : words.action} of={form} onClose={onClose}>
      {game !== undefined && (
        <RadioCards
          label={words.way}
          value={way}
          cards={[
            { value: 'guided', label: words.guided, hint: words.guidedHint(game) },
            { value: 'blank', label: words.blank, hint: words.blankHint },
          ]}
          onChange={setChosen}
        />
      )}
      {hasTemplates && <RadioCards label={words.template} value={template} cards={words.templates} onChange={setTemplate} />}
      {!isGuided && (
        <>
          <TextField label={words.name} {...form.input('name')} maxlength={100} autofocus />
          <TextField label={words.concept} hint={words.conceptHint} {...form.input('concept')} maxlength={500} />
        </>
      )}
      {isStoryteller && (
        <div class="form-row">
          <Select label={words.type} options={optionsOf(typeWords)} {...form.select('type')} />
          {form.values.type === 'PLAYER' ? (
            <PlayerSelect label={words.player} {...form.select('user_id')} />
          ) : isGuided ? null : (
            <Select
              label={words.visibility}
              hint={words.visibilityHint}
              options={optionsOf(visibilityWords)}
              {...form.select('visibility')}
            />
          )}
        </div>
      )}
    </FormDialog>
  )
}
