import { Button } from '../../ui/button.tsx'
import { text } from './text.ts'

/** Tells a player, who has no API key, how to sign in again. */
export function ForPlayer({ hasEnded, onKey }: { hasEnded: boolean; onKey: () => void }) {
  return (
    <div class="card">
      <h1>{text.title}</h1>
      {hasEnded && (
        <p class="sign-in-ended" role="status">
          {text.player.ended}
        </p>
      )}
      <p>{text.player.ask}</p>
      <Button onClick={onKey}>{text.failed.withKey}</Button>
    </div>
  )
}
