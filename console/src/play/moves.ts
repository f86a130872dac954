import { useRef } from 'preact/hooks'
import { useAction } from '../ui/action.ts'

/** A change of a number: by an amount, or to a value. */
export type Move = { by: number } | { to: number }

/**
 * Sends presses of plus and minus to the service, one request at a time. Presses during a request are summed up and sent after it, so that ten quick presses count as ten and need
 * two requests.
 */
export function useMoves(send: (move: Move) => Promise<unknown>): { move: (move: Move) => void; busy: boolean } {
  const waiting = useRef<Move>(undefined)
  const { run, busy } = useAction(async (first: Move) => {
    for (let next: Move | undefined = first; next; ) {
      waiting.current = undefined
      await send(next)
      next = waiting.current
    }
  })
  const isRunning = useRef(false)
  const move = async (next: Move) => {
    if (isRunning.current) {
      waiting.current = sum(waiting.current, next)
      return
    }
    isRunning.current = true
    await run(next)
    // After a failure, waiting presses are dropped: they assumed a value that was not reached.
    waiting.current = undefined
    isRunning.current = false
  }
  return { move, busy }
}

/** Two moves as one. A value that is set replaces what came before it. */
function sum(before: Move | undefined, next: Move): Move {
  if (!before || 'to' in next) return next
  return 'to' in before ? { to: before.to + next.by } : { by: before.by + next.by }
}
