import { type Saved, WriteDialog } from '../../notes/write-dialog.tsx'
import { text } from './text.ts'

/** The fields of a book or a chapter that the dialog changes. */
export interface Summarized {
  name: string
  description: string | null
  version: number
}

export interface SummaryDialogProps {
  title: string
  /** The book or chapter that is edited; without it, a new one is created. */
  of?: Summarized
  save: (body: { name: string; description: string | null }, ifMatch: { version: number } | undefined) => Promise<unknown>
  read?: () => Promise<Summarized>
  onClose: () => void
}

const savedOf = ({ name, description, version }: Summarized): Saved => ({ name, body: description ?? '', version })

/** Writes the name and the summary of a book or a chapter. */
export function SummaryDialog({ title, of, save, read, onClose }: SummaryDialogProps) {
  return (
    <WriteDialog
      title={title}
      labels={{ name: text.name, body: text.summary }}
      fields={{ name: 'name', body: 'description' }}
      initial={of ? savedOf(of) : { name: '', body: '' }}
      save={({ name, body }, ifMatch) => save({ name, description: body || null }, ifMatch)}
      {...(read && { read: async () => savedOf(await read()) })}
      onClose={onClose}
    />
  )
}
