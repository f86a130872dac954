import { Button } from '../../../ui/button.tsx'
import { formatDocument } from './format.ts'
import { text as all } from './text.ts'

const text = all.editor.conflict

interface DraftConflictProps {
  /** The document that somebody else has saved. */
  source: Record<string, unknown>
  onKeep: () => void
  onTake: () => void
}

/** Says that somebody else saved the draft while it was edited, and asks which text to keep. */
export function DraftConflict({ source, onKeep, onTake }: DraftConflictProps) {
  return (
    <section class="problem" role="alert" aria-label={text.title}>
      <p>
        <strong>{text.title}</strong>
      </p>
      <p>{text.text}</p>
      <details class="conflict-source">
        <summary>{text.show}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard */}
        <pre tabIndex={0}>
          <code>{formatDocument(source)}</code>
        </pre>
      </details>
      <div class="page-actions">
        <Button onClick={onKeep}>{text.keepMine}</Button>
        <Button onClick={onTake}>{text.takeTheirs}</Button>
      </div>
    </section>
  )
}
