import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { sheetWords, statusWords, typeWords } from '../../play/character-words.ts'
import { navigate } from '../../router.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Badge, Secret } from '../../ui/marks.tsx'
import { tell } from '../../ui/toast.tsx'
import { EditDialog } from './edit-dialog.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

/** The concept, the status and the player, below the name. */
export function Summary({ sheet: { character, rights } }: { sheet: SheetScope }) {
  const { concept, status, type, visibility, sheet_visibility, player } = character
  return (
    <div class="sheet-summary">
      {concept && <p class="quiet">{concept}</p>}
      <p class="marks">
        <Badge tone={status === 'DEAD' ? 'bad' : status === 'ACTIVE' ? 'good' : 'plain'}>{statusWords[status]}</Badge>
        {type === 'NPC' && <Badge>{typeWords.NPC}</Badge>}
        {rights.isOwn ? <Badge tone="accent">{text.yours}</Badge> : player && <Badge>{text.playedBy(player.name)}</Badge>}
        {visibility === 'STORYTELLER' && <Secret />}
        {rights.seesSheet && sheet_visibility === 'PLAYER' && <Badge>{text.onlyPlayer}</Badge>}
        {rights.seesSheet && sheet_visibility === 'STORYTELLER' && <Secret>{text.onlyStorytellers}</Secret>}
        {!rights.seesSheet && <Badge>{text.hidden}</Badge>}
      </p>
      {!rights.seesSheet && (
        <p class="notice" title={sheetWords[sheet_visibility]}>
          {text.hiddenText}
        </p>
      )}
    </div>
  )
}

/** The things to do with the character as a whole. */
export function Actions({ sheet, onChanged }: { sheet: SheetScope; onChanged: () => Promise<void> }) {
  const [open, setOpen] = useState<'edit' | 'archive'>()
  const { api, path } = useCampaign()
  const { id, name } = sheet.character
  const archive = useAction(async () => {
    await api.characters.delete(id)
    tell(text.archived(name))
    navigate(`${path}/characters`)
  })
  return (
    <>
      <Button icon="edit" onClick={() => setOpen('edit')}>
        {text.edit}
      </Button>
      <Button icon="archive" onClick={() => setOpen('archive')}>
        {text.archive}
      </Button>
      {open === 'edit' && <EditDialog sheet={sheet} onChanged={onChanged} onClose={() => setOpen(undefined)} />}
      {open === 'archive' && (
        <Confirm
          title={text.archiveTitle(name)}
          action={text.archive}
          busy={archive.busy}
          onConfirm={() => archive.run()}
          onClose={() => setOpen(undefined)}
        >
          <p>{text.archiveText}</p>
        </Confirm>
      )}
    </>
  )
}
