import type { CharactersGenerate, CharacterVisibility, GeneratedCharacters } from '@guildhall/client'
import { useRef, useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { labelOf, visibilityWords } from '../../play/character-words.ts'
import { hrefOf } from '../../router.ts'
import { labelIn } from '../../rules/document.ts'
import { useRuleset } from '../../rules/use-ruleset.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { optionsOf } from '../../ui/options.ts'
import { Empty, Page, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { type CreationDocument, hasCreation } from './document.ts'
import { inOwnWords } from './faults.ts'
import { Generated } from './generated.tsx'
import { text as all } from './text.ts'

const text = all.generate

/** Generates random NPCs by the ruleset of the campaign. */
export default function Generate() {
  const { campaign, isStoryteller, path } = useCampaign()
  const ruleset = useRuleset()
  return (
    <Page title={text.title} above={campaign.name}>
      <Show of={ruleset}>
        {(played) =>
          isStoryteller && hasCreation(played?.document) ? (
            <GenerateForm document={played?.document as CreationDocument} />
          ) : (
            <Empty
              title={text.unavailable.title}
              action={<ButtonLink href={hrefOf(`${path}/characters`)}>{text.unavailable.action}</ButtonLink>}
            >
              {text.unavailable.text}
            </Empty>
          )
        }
      </Show>
    </Page>
  )
}

/** The characters of the last request, and whether they were stored. */
interface Result extends GeneratedCharacters {
  isPreview: boolean
}

function GenerateForm({ document }: { document: CreationDocument }) {
  const { api } = useCampaign()
  const [result, setResult] = useState<Result>()
  // Both buttons send the same form, whose fields show the faults.
  const wanted = useRef<'preview' | 'characters'>('characters')
  const press = (what: 'preview' | 'characters') => {
    wanted.current = what
    form.run()
  }
  const slots = Object.keys(document.choices ?? {})
  const tiers = document.creation?.tiers ?? {}
  const empty = { count: '3', name: '', tier: '', visibility: 'STORYTELLER' as CharacterVisibility }
  const form = useForm<typeof empty & { choices: Record<string, string> }>({ ...empty, choices: {} }, () =>
    generate(wanted.current === 'preview'),
  )
  const { count, name, tier, visibility, choices } = form.values
  const generate = async (isPreview: boolean) => {
    const body: CharactersGenerate = {
      count: Number(count),
      choices: Object.fromEntries(Object.entries(choices).filter(([, option]) => option)),
      visibility,
      dry_run: isPreview,
      ...(name && { name }),
      ...(tier && { tier }),
    }
    try {
      const generated = await api.characters.generate(body)
      setResult({ ...generated, isPreview })
      if (!isPreview) tell(text.created(generated.items.length))
    } catch (error) {
      throw inOwnWords(error)
    }
  }
  return (
    <div class="generate">
      <form
        class="form card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          press('characters')
        }}
      >
        <p class="quiet">{text.intro(document.name ?? '')}</p>
        <div class="form-row">
          <TextField type="number" label={text.count} hint={text.countHint} min={1} max={10} {...form.input('count')} />
          {Object.keys(tiers).length > 0 && (
            <Select
              label={text.tier}
              options={[
                ['', text.noTier],
                ...Object.entries(tiers).map(([each, spent]): [string, string] => [each, text.tierOf(labelOf(each), spent)]),
              ]}
              {...form.select('tier')}
            />
          )}
        </div>
        <TextField label={text.name} hint={text.nameHint} maxlength={96} {...form.input('name')} />
        {slots.map((slot) => {
          const options = document.choices?.[slot]?.options ?? {}
          return (
            <Select
              key={slot}
              label={labelIn(document.choices, slot)}
              value={choices[slot] ?? ''}
              options={[['', text.random], ...Object.keys(options).map((each): [string, string] => [each, labelIn(options, each)])]}
              onChange={(option) => form.set('choices')({ ...choices, [slot]: option })}
              error={form.errorOf(`choices.${slot}`)}
            />
          )
        })}
        <Select label={text.visibility} options={optionsOf(visibilityWords)} {...form.select('visibility')} />
        <FormProblem of={form} />
        <div class="generate-end">
          <Button icon="dice" busy={form.busy} onClick={() => press('preview')}>
            {result?.isPreview ? text.again : text.preview}
          </Button>
          <Button type="submit" look="primary" icon="plus" busy={form.busy}>
            {text.create}
          </Button>
        </div>
      </form>
      {result ? <Generated result={result} document={document} /> : <Empty title={text.none}>{text.noneText}</Empty>}
    </div>
  )
}
