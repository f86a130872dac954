import { useEffect, useRef, useState } from 'preact/hooks'
import { gh } from '../data/client.ts'
import { noticeEnd } from '../data/load.ts'
import { findSample, isUnfinished, type SampleTable, type Step, setUpTable } from './run.ts'

/** The state of the setup on this page. */
export type Setup =
  | { state: 'idle'; hasBegun: boolean }
  | { state: 'running'; step: Step }
  | { state: 'failed'; step: Step; error: unknown }
  | { state: 'ready'; table: SampleTable }

/** Runs the setup when it is told to. A second press while it runs does nothing. */
export function useSetup(): [setup: Setup, start: () => Promise<void>] {
  const [setup, setSetup] = useState<Setup>({ state: 'idle', hasBegun: false })
  const isRunning = useRef(false)
  useEffect(() => {
    const asked = new AbortController()
    findSample(gh, asked.signal).then(
      (company) => !isRunning.current && company && setSetup({ state: 'idle', hasBegun: isUnfinished(company) }),
      // A failure is ignored: the result only decides which sentence is shown.
      () => undefined,
    )
    return () => asked.abort()
  }, [])
  const start = async () => {
    if (isRunning.current) return
    isRunning.current = true
    let step: Step = 'company'
    try {
      const table = await setUpTable(gh, (next) => {
        step = next
        setSetup({ state: 'running', step })
      })
      setSetup({ state: 'ready', table })
    } catch (error) {
      noticeEnd(error)
      setSetup({ state: 'failed', step, error })
    }
    isRunning.current = false
  }
  return [setup, start]
}
