import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { text } from './text.ts'
import { VisibilityMark } from './visibility.tsx'
import type { Saved } from './write-dialog.tsx'

/** Shows the version that somebody else saved while a text was being written. */
export function Conflict({ theirs, onTake }: { theirs: Saved; onTake: () => void }) {
  return (
    <section class="conflict" role="alert" aria-label={text.conflict.title}>
      <p>
        <strong>{text.conflict.title}</strong>
      </p>
      <p>{text.conflict.text}</p>
      <div class="conflict-theirs">
        <p class="row-line">
          <strong>{theirs.name}</strong>
          {theirs.visibility && <VisibilityMark visibility={theirs.visibility} isOwn />}
        </p>
        {theirs.body ? <Markdown source={theirs.body} /> : <p class="quiet">{text.conflict.noText}</p>}
      </div>
      <Button onClick={onTake}>{text.conflict.takeTheirs}</Button>
    </section>
  )
}
