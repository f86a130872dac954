import { useEffect, useRef } from 'preact/hooks'

/** Calls a function when the person returns to the page, and at an interval while it is visible. It is for data without events. */
export function useReturn(run: () => void, everyMs?: number): void {
  const current = useRef(run)
  current.current = run
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === 'visible') current.current()
    }
    addEventListener('focus', check)
    document.addEventListener('visibilitychange', check)
    const timer = everyMs ? setInterval(check, everyMs) : undefined
    return () => {
      removeEventListener('focus', check)
      document.removeEventListener('visibilitychange', check)
      clearInterval(timer)
    }
  }, [everyMs])
}
