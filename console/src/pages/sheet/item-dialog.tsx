import type { Item, ItemCreate } from '@guildhall/client'
import { useLoad } from '../../data/load.ts'
import { Select, TextArea, TextField } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { LoadedDialog } from '../../ui/loaded-dialog.tsx'
import { optionsOf } from '../../ui/options.ts'
import { numberOf } from './number.ts'
import type { SheetScope } from './rights.ts'
import { text } from './text.ts'

const words = text.inventory

interface ItemDialogProps {
  sheet: SheetScope
  /** The item to change. Without it, a new one is added. */
  itemId?: string
  onClose: () => void
}

/** Adds or changes an item. An item is read first, because the list cuts long descriptions. */
export function ItemDialog({ sheet, itemId, onClose }: ItemDialogProps) {
  const item = useLoad<Item | null>(
    async (signal) => (itemId ? sheet.api.inventory.get(itemId, { signal }) : null),
    [sheet.character.id, itemId],
  )
  return (
    <LoadedDialog title={words.dialogNew} of={item} onClose={onClose}>
      {(loaded) => <ItemForm sheet={sheet} item={loaded} onClose={onClose} />}
    </LoadedDialog>
  )
}

function ItemForm({ sheet: { api }, item, onClose }: { sheet: SheetScope; item: Item | null; onClose: () => void }) {
  const form = useForm(
    {
      name: item?.name ?? '',
      kind: item?.kind ?? 'OTHER',
      quantity: String(item?.quantity ?? 1),
      description: item?.description ?? '',
    },
    async ({ values, changes }) => {
      const send = ({ quantity, description, ...rest }: Partial<typeof values>) =>
        ({
          ...rest,
          ...(quantity !== undefined && { quantity: numberOf(quantity) ?? quantity }),
          ...(description !== undefined && { description: description || null }),
        }) as ItemCreate
      // Only changes are sent: the number of pieces may change while somebody writes.
      if (!item) await api.inventory.create(send(values))
      else if (Object.keys(changes).length) await api.inventory.update(item.id, send(changes))
      onClose()
    },
  )
  return (
    <FormDialog title={item ? words.dialogEdit(item.name) : words.dialogNew} of={form} onClose={onClose}>
      <TextField label={words.name} {...form.input('name')} maxlength={100} autofocus />
      <div class="form-row">
        <Select label={words.kind} options={optionsOf(words.kinds)} {...form.select('kind')} />
        <TextField label={words.quantity} {...form.input('quantity')} inputmode="numeric" />
      </div>
      <TextArea label={words.description} {...form.input('description')} />
    </FormDialog>
  )
}
