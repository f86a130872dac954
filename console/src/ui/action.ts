import { useRef, useState } from 'preact/hooks'
import { noticeEnd } from '../data/load.ts'
import { tellProblem } from './toast.tsx'

/** An action that a person starts, and its state. */
export interface Action<A extends unknown[]> {
  /** Returns false if the action failed, or is running already. */
  run: (...args: A) => Promise<boolean>
  busy: boolean
  /** The error of the last attempt. */
  error: unknown
}

/** Runs an action once at a time. An error is shown as a message, unless a form shows it: nobody can reach the messages while a dialog is open. */
export function useAction<A extends unknown[]>(
  action: (...args: A) => Promise<unknown>,
  { isShownByForm = false }: { isShownByForm?: boolean } = {},
): Action<A> {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: undefined })
  // A ref, because a second press may come before the state is rendered.
  const isRunning = useRef(false)
  const run = async (...args: A): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setState({ busy: true, error: undefined })
    try {
      await action(...args)
      setState({ busy: false, error: undefined })
      return true
    } catch (error) {
      noticeEnd(error)
      setState({ busy: false, error })
      if (!isShownByForm) tellProblem(error)
      return false
    } finally {
      isRunning.current = false
    }
  }
  return { run, ...state }
}
