import { ApiError, type RuledSheet } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../../data/acting.ts'
import { labelOf } from '../../../play/character-words.ts'
import type { SheetDocument } from '../../../rules/document.ts'
import { RollDialog } from '../../../rules/roll-dialog.tsx'
import type { RollAnswers } from '../../../rules/roll-request.ts'
import { RulesetSheet, type SheetChange } from '../../../rules/ruleset-sheet.tsx'
import { SheetFaults } from '../../../rules/sheet-faults.tsx'
import { type PlayedRuleset, useRuleset } from '../../../rules/use-ruleset.ts'
import { text as shared } from '../../../text.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading, Section, Show } from '../../../ui/page.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { tell } from '../../../ui/toast.tsx'
import type { SheetScope } from '../rights.ts'
import { text } from '../text.ts'
import { changedDraft, EMPTY, patchOf, type SheetDraft, withDraft } from './draft.ts'
import { OtherTraits } from './other-traits.tsx'
import { useMoving } from './use-moving.ts'

const words = text.ruled

interface RuledTraitsProps {
  sheet: SheetScope
  onChanged: () => Promise<void>
}

/** The sheet as the ruleset of the campaign describes it. */
export function RuledTraits({ sheet, onChanged }: RuledTraitsProps) {
  const ruleset = useRuleset()
  const { sheet: ruled } = sheet.character
  if (!sheet.rights.seesSheet) return null
  return (
    <Show of={ruleset}>
      {(played) =>
        // After another version was chosen, one of the two arrives first.
        played && ruled?.version_id === played.version.id ? (
          <Drawn sheet={sheet} ruled={ruled} played={played} onChanged={onChanged} />
        ) : (
          <Loading />
        )
      }
    </Show>
  )
}

interface DrawnProps extends RuledTraitsProps {
  ruled: RuledSheet
  played: PlayedRuleset
}

function Drawn({ sheet, ruled, played: { version, document }, onChanged }: DrawnProps) {
  const { campaign } = useCampaign()
  const { character, rights } = sheet
  const [rolling, setRolling] = useState<string>()
  // Most rolls of an evening are alike.
  const [answers, setAnswers] = useState<Record<string, RollAnswers>>({})
  const [draft, setDraft] = useState<SheetDraft>()
  const { move, withMoving } = useMoving(sheet, onChanged)
  const mayChange = (part: SheetChange['part'], name: string) => {
    if (part === 'traits' || part === 'choices') return draft !== undefined
    if (part === 'conditions') return rights.mayEditSheet
    if (rights.isStoryteller) return true
    const isMover = part === 'campaign' ? rights.isMember : rights.mayEditSheet
    return isMover && document.trackers?.[name]?.writers !== 'STORYTELLER'
  }
  const change = (changed: SheetChange) => {
    if (changed.part === 'traits' || changed.part === 'choices') setDraft((before) => changedDraft(before ?? EMPTY, changed))
    else move(changed)
  }
  const edit = rights.mayChangeTraits && !draft && (
    <Button look="quiet" icon="edit" onClick={() => setDraft(EMPTY)}>
      {words.edit}
    </Button>
  )
  return (
    <Section title={words.title} actions={edit} class="traits-section ruled">
      {rights.mayEditSheet && !rights.mayChangeTraits && (
        <p class="quiet">{campaign.trait_changes === 'EXPERIENCE' ? text.traits.byExperience : text.traits.byStoryteller}</p>
      )}
      <RulesetSheet
        document={document}
        sheet={withMoving(draft ? withDraft(document, ruled, draft) : ruled)}
        onChange={change}
        mayChange={mayChange}
        isLazy
        onRoll={rights.mayEditSheet ? setRolling : null}
      />
      <OtherTraits
        traits={character.traits ?? {}}
        document={document}
        draft={draft?.traits}
        onChange={(name, value) => setDraft((before) => changedDraft(before ?? EMPTY, { part: 'traits', name, value }))}
      />
      {draft && (
        <SaveBar sheet={sheet} ruled={ruled} document={document} draft={draft} onChanged={onChanged} onClose={() => setDraft(undefined)} />
      )}
      {rolling && (
        <RollDialog
          name={rolling}
          document={document}
          sheet={ruled}
          api={sheet.api}
          roller={character.name}
          before={answers[rolling]}
          onRolled={(given) => setAnswers({ ...answers, [rolling]: given })}
          onClose={() => setRolling(undefined)}
        />
      )}
      <p class="quiet small ruled-by">
        {words.by(version.game ?? labelOf('ruleset'), version.number)} {version.attribution}
      </p>
    </Section>
  )
}

interface SaveBarProps extends RuledTraitsProps {
  ruled: RuledSheet
  document: SheetDocument
  draft: SheetDraft
  onClose: () => void
}

/** Saves the draft in one request, and says which rules it would break if the service refuses. */
function SaveBar({ sheet, ruled, document, draft, onChanged, onClose }: SaveBarProps) {
  const { api } = useCampaign()
  const { character } = sheet
  const save = useAction(
    async () => {
      const patch = patchOf(draft, character, ruled)
      if (patch) {
        await api.characters.update(character.id, patch)
        await onChanged()
        tell(shared.saved)
      }
      onClose()
    },
    { isShownByForm: true },
  )
  const faults = ApiError.is(save.error) ? save.error.faults.map((fault) => ({ ...fault, field: fault.field.replace(/^body\./, '') })) : []
  return (
    <section class="trait-tray save-bar" aria-label={words.changes}>
      {faults.length > 0 && (
        <div class="problem" role="alert">
          <p>{words.refused}</p>
          <SheetFaults faults={faults} document={document} />
        </div>
      )}
      {save.error !== undefined && !faults.length && <Problem error={save.error} />}
      <span class="quiet">{words.afterSaving}</span>
      <Button onClick={onClose}>{shared.cancel}</Button>
      <Button look="primary" busy={save.busy} onClick={() => void save.run()}>
        {shared.save}
      </Button>
    </section>
  )
}
