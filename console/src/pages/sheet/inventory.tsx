import type { ItemListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { curl } from '../../data/curl.ts'
import { useLiveList } from '../../data/live-list.ts'
import { useMoves } from '../../play/moves.ts'
import { useAction } from '../../ui/action.ts'
import { IconButton } from '../../ui/button.tsx'
import { Badge } from '../../ui/marks.tsx'
import { tell } from '../../ui/toast.tsx'
import { ArchivedPart } from './archived-part.tsx'
import { ItemDialog } from './item-dialog.tsx'
import { ListTab } from './list-tab.tsx'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

/** An item of the list, or of an event, which is not cut. */
type ShownItem = Omit<ItemListItem, 'truncated'>

const NAMES = new Intl.Collator(undefined, { numeric: true })
const byName = (a: ShownItem, b: ShownItem) => NAMES.compare(a.name, b.name) || a.id.localeCompare(b.id)
const words = text.inventory

/** The items of a character. */
export function Inventory({ sheet }: { sheet: SheetScope }) {
  const { character, api, path, rights } = sheet
  const items = useLiveList<ShownItem>(
    {
      load: (signal) => api.inventory.list({}, { signal }).all(),
      type: 'item',
      accepts: ({ character_id }) => character_id === character.id,
      compare: byName,
    },
    [character.id],
  )
  return (
    <ListTab
      title={text.tabs.inventory}
      words={words}
      items={items}
      mayAdd={rights.mayEditSheet}
      call={curl('POST', `${path}/inventory`, { name: 'Silver key' })}
      look="rows"
      row={(item) => <ItemRow item={item} sheet={sheet} />}
      dialog={(close) => <ItemDialog sheet={sheet} onClose={close} />}
    >
      {rights.mayEditSheet && (
        <ArchivedPart
          load={(signal) => api.inventory.list({ archived: true, sort: 'name' }, { signal }).all(100)}
          type="item"
          characterId={character.id}
          title={words.archivedTitle}
          restore={(id) => api.inventory.restore(id)}
        />
      )}
    </ListTab>
  )
}

function ItemRow({ item, sheet: { api, rights }, sheet }: { item: ShownItem; sheet: SheetScope }) {
  const { id, name, description, kind, quantity } = item
  const [isOpen, setOpen] = useState(false)
  const { move, busy } = useMoves(async (change) => {
    if ('by' in change && change.by !== 0) await api.inventory.adjust(id, { quantity: change.by })
  })
  const archive = useAction(async () => {
    await api.inventory.delete(id)
    tell(words.archived(name))
  })
  return (
    <div class="item-row">
      <div class="item-words">
        <span class="item-name">
          <strong>{name}</strong>
          {kind !== 'OTHER' && <Badge>{words.kinds[kind]}</Badge>}
        </span>
        {description && <p class="quiet">{description}</p>}
      </div>
      <div class="item-controls">
        <span class="quantity" aria-busy={busy || undefined}>
          {rights.mayEditSheet && (
            <IconButton label={words.less(name)} icon="minus" disabled={quantity === 0} onClick={() => move({ by: -1 })} />
          )}
          <span class="quantity-value">
            <span class="visually-hidden">{words.pieces(quantity)}</span>
            <span aria-hidden="true">{rights.mayEditSheet ? quantity : `× ${quantity}`}</span>
          </span>
          {rights.mayEditSheet && <IconButton label={words.more(name)} icon="plus" onClick={() => move({ by: 1 })} />}
        </span>
        {rights.mayEditSheet && (
          <span class="row-buttons">
            <IconButton label={words.edit(name)} icon="edit" onClick={() => setOpen(true)} />
            <IconButton label={words.archive(name)} icon="archive" busy={archive.busy} onClick={() => archive.run()} />
          </span>
        )}
      </div>
      {isOpen && <ItemDialog sheet={sheet} itemId={id} onClose={() => setOpen(false)} />}
    </div>
  )
}
