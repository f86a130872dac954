import { useEffect, useState } from 'preact/hooks'

/** The pause in typing after which the odds are asked for. */
const PAUSE_MS = 250

type State<Odds> = { of: string; odds: Odds | undefined } | undefined

/** Asks for the odds of a request that is being typed. An outdated request is aborted. There are none if the service refuses the request. */
export function useOdds<Request, Odds>(
  request: Request | undefined,
  ask: (request: Request, options: { signal: AbortSignal; retries: 0 }) => Promise<Odds>,
): { state: State<Odds>; isOutdated: boolean } {
  const [state, setState] = useState<State<Odds>>()
  const key = request ? JSON.stringify(request) : ''
  useEffect(() => {
    if (!key) return setState(undefined)
    const attempt = new AbortController()
    const timer = setTimeout(async () => {
      const odds = await ask(JSON.parse(key), { signal: attempt.signal, retries: 0 }).catch(() => undefined)
      if (!attempt.signal.aborted) setState({ of: key, odds })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      attempt.abort()
    }
  }, [key])
  return { state: key ? state : undefined, isOutdated: state?.of !== key }
}
