import type { ApiError } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { hrefOf, navigate } from '../../../router.ts'
import { text as shared } from '../../../text.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { useMedia } from '../../../ui/media.ts'
import { Page } from '../../../ui/page.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text as company } from '../text.ts'
import { nameOfVersion, PublishVersion } from './changes.tsx'
import { DraftConflict } from './conflict.tsx'
import { FaultList, Findings } from './findings.tsx'
import { Preview } from './preview.tsx'
import { placeOf, type Span } from './source.ts'
import { text as all } from './text.ts'
import { useDraft } from './use-draft.ts'
import { type Sample, useValidation } from './use-validation.ts'
import type { LoadedVersion } from './version.tsx'

const text = all.editor
type Part = (typeof text.parts)[number][0]

interface EditorProps {
  loaded: LoadedVersion
  reload: () => Promise<void>
  notice: ComponentChildren
}

/** The document of a version next to the sheet that it describes. That of a draft can be changed. */
export function Editor({ loaded, reload, notice }: EditorProps) {
  const { path } = useActing()
  const { writesRules, isOwn } = useRights()
  const { ruleset, version, previous } = loaded
  const isEditable = writesRules && version.status === 'DRAFT'
  const draft = useDraft(loaded, reload)
  const [sample, setSample] = useState<Sample>({})
  const [isPublishing, setPublishing] = useState(false)
  const [refused, setRefused] = useState<ApiError>()
  const [part, setPart] = useState<Part>('document')
  const isNarrow = useMedia('(max-width: 1000px)')
  const field = useRef<HTMLTextAreaElement>(null)
  const validation = useValidation(draft.source, sample, previous?.id)
  const { read, found } = validation

  const save = useAction(async (options?: { isForced: boolean }) => {
    await draft.save(options)
    tell(shared.saved)
  })
  const select = (span: Span) => {
    if (part === 'document') return field.current && selectIn(field.current, span)
    // On a small screen the text is hidden until the next rendering.
    setPart('document')
    requestAnimationFrame(() => field.current && selectIn(field.current, span))
  }
  const goTo = (name: string) => {
    const place = 'places' in read && placeOf(read.places, name)
    if (place) select(place)
  }
  const type = (source: string) => {
    setRefused(undefined)
    draft.type(source)
  }
  const home = `${path}/company/rulesets/${ruleset.id}`
  const above = (
    <>
      <a href={hrefOf(`${path}/company/rulesets`)}>
        {company.title} · {all.title}
      </a>
      {' · '}
      <a href={hrefOf(home)}>{ruleset.name}</a>
    </>
  )
  const actions = isEditable && (
    <>
      {draft.isChanged && <Badge tone="accent">{text.unsaved}</Badge>}
      {draft.isChanged && (
        <Button look="quiet" onClick={draft.discard}>
          {text.discard}
        </Button>
      )}
      <Button busy={save.busy} disabled={!draft.isChanged} onClick={() => void save.run()}>
        {text.save}
      </Button>
      <Button look="primary" onClick={() => setPublishing(true)}>
        {text.publish}
      </Button>
    </>
  )
  const keys = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    if (isEditable && draft.isChanged) void save.run()
  }
  return (
    <Page title={`${ruleset.name}: ${nameOfVersion(version)}`} above={above} actions={actions} isWide>
      {(isOwn || !writesRules) && notice}
      {isEditable && draft.isConflict && !save.busy && (
        <DraftConflict source={loaded.document} onKeep={() => void save.run({ isForced: true })} onTake={draft.discard} />
      )}
      {refused && (
        <div class="problem refused" role="alert">
          <p>
            <strong>{all.publish.refused}</strong>
          </p>
          <FaultList of={refused.faults} onGoTo={goTo} />
        </div>
      )}
      <Tabs label={text.title} tabs={text.parts} value={part} onChange={setPart} isOff={!isNarrow}>
        <div class="editor">
          <div class="editor-document" hidden={isNarrow && part !== 'document'}>
            <Field label={text.document} hint={isEditable && text.keys}>
              {(attributes) => (
                <textarea
                  {...attributes}
                  ref={field}
                  class="editor-source"
                  spellcheck={false}
                  autocomplete="off"
                  autocapitalize="off"
                  readOnly={!isEditable}
                  value={draft.source}
                  onInput={(event) => type(event.currentTarget.value)}
                  onKeyDown={keys}
                />
              )}
            </Field>
            <Findings
              of={validation}
              previous={previous && nameOfVersion(previous).toLowerCase()}
              isEditable={isEditable}
              onGoTo={goTo}
              onGoToIndex={(index) => select({ start: index, end: index })}
            />
          </div>
          <div class="editor-sheet" hidden={isNarrow && part !== 'sheet'}>
            <Preview of={validation.drawn} isUnreadable={'fault' in read} sample={sample} onSample={setSample} />
          </div>
        </div>
      </Tabs>
      {isPublishing && (
        <PublishVersion
          version={version}
          breaking={found?.changes.filter(({ breaking }) => breaking).length ?? 0}
          save={draft.save}
          onClose={() => setPublishing(false)}
          onPublished={async () => {
            draft.discard()
            navigate(home)
          }}
          onRefused={setRefused}
        />
      )}
    </Page>
  )
}

/** Selects a part of a text, and scrolls to it. */
function selectIn(field: HTMLTextAreaElement, { start, end }: Span): void {
  const { value } = field
  // Browsers scroll to the cursor when a field gets the focus, but not to a selection that is made in it.
  field.setSelectionRange(start, start)
  field.blur()
  field.focus()
  field.setSelectionRange(start, end)
  const lines = value.split('\n').length
  const line = value.slice(0, start).split('\n').length
  field.scrollTop = Math.max(0, (line / lines) * field.scrollHeight - field.clientHeight / 2)
}
