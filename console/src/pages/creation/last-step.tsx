import type { CharacterVisibility, Creation } from '@guildhall/client'
import { useCampaign } from '../../data/acting.ts'
import { visibilityWords } from '../../play/character-words.ts'
import { navigate } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormProblem, submit } from '../../ui/form-problem.tsx'
import { optionsOf } from '../../ui/options.ts'
import { tell } from '../../ui/toast.tsx'
import { inOwnWords } from './faults.ts'
import type { Screen } from './progress.tsx'
import { text as all } from './text.ts'

const text = all.last

interface LastStepProps {
  creation: Creation
  /** The steps that have no answer yet. */
  open: readonly Screen[]
  onBack: () => void
}

/** Names the character and creates it, once all steps are done. */
export function LastStep({ creation: { id, type, faults }, open, onBack }: LastStepProps) {
  const { api, path } = useCampaign()
  const form = useForm({ name: '', concept: '', visibility: 'OPEN' as CharacterVisibility }, async ({ values }) => {
    const { name, concept, visibility } = values
    try {
      const character = await api.creations.finish(id, { name, concept: concept || null, ...(type === 'NPC' && { visibility }) })
      tell(text.done(character.name))
      navigate(`${path}/characters/${character.id}`)
    } catch (error) {
      throw inOwnWords(error)
    }
  })
  return (
    <form class="step-form" noValidate onSubmit={submit(form)}>
      {open.length > 0 ? (
        <OpenSteps open={open} />
      ) : (
        <>
          <TextField label={text.name} {...form.input('name')} maxlength={100} />
          <TextField label={text.concept} hint={text.conceptHint} {...form.input('concept')} maxlength={500} />
          {type === 'NPC' && (
            <Select
              label={text.visibility}
              hint={text.visibilityHint}
              options={optionsOf(visibilityWords)}
              {...form.select('visibility')}
            />
          )}
          {faults.length > 0 && <p class="error">{text.broken}</p>}
        </>
      )}
      <FormProblem of={form} />
      <footer class="step-end">
        <Button onClick={onBack}>{all.back}</Button>
        {open.length === 0 && (
          <Button type="submit" look="primary" icon="check" busy={form.busy}>
            {text.action}
          </Button>
        )}
      </footer>
    </form>
  )
}

function OpenSteps({ open }: { open: readonly Screen[] }) {
  return (
    <div class="notice">
      <p>{text.open}</p>
      <ul>
        {open.map(({ id, label, href }) => (
          <li key={id}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}
