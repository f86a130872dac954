import type { RuledSheet } from '@guildhall/client'
import { useRef, useState } from 'preact/hooks'
import { useCampaign } from '../../../data/acting.ts'
import type { SheetChange } from '../../../rules/ruleset-sheet.tsx'
import { useAction } from '../../../ui/action.ts'
import type { SheetScope } from '../rights.ts'

/** Values that are on their way to the service, by part and name. */
type Moving = Map<string, { part: SheetChange['part']; name: string; value: number }>

/** Stores conditions and trackers at once, one request at a time. Of several values of one of them, the last is sent. */
export function useMoving({ api }: SheetScope, onChanged: () => Promise<void>) {
  const campaign = useCampaign()
  const waiting = useRef<Moving>(new Map())
  const [shown, setShown] = useState<Moving>(new Map())
  const send = async (part: SheetChange['part'], name: string, value: number) => {
    if (part === 'conditions') await api.conditions.set(name, { level: value })
    if (part === 'trackers') await api.trackers.adjust(name, { to: value, clamp: true })
    if (part === 'campaign') await campaign.api.trackers.adjust(name, { to: value, clamp: true })
  }
  const { run } = useAction(async () => {
    try {
      for (let [next] = waiting.current; next; [next] = waiting.current) {
        const [key, { part, name, value }] = next
        waiting.current.delete(key)
        await send(part, name, value)
        await onChanged()
      }
    } finally {
      // After a failure, values that wait are dropped: they assumed one that was not reached.
      waiting.current.clear()
      setShown(new Map())
    }
  })
  const move = ({ part, name, value }: SheetChange) => {
    const next = { part, name, value: Number(value ?? 0) }
    waiting.current.set(`${part}.${name}`, next)
    setShown((before) => new Map(before).set(`${part}.${name}`, next))
    void run()
  }
  /** The sheet with the values that are on their way. */
  const withMoving = (sheet: RuledSheet): RuledSheet => {
    const { conditions, trackers } = { conditions: { ...sheet.conditions }, trackers: { ...sheet.trackers } }
    for (const { part, name, value } of shown.values()) {
      const tracker = trackers[name]
      if (part === 'conditions') conditions[name] = value
      else if (tracker) trackers[name] = { ...tracker, value }
    }
    return { ...sheet, conditions, trackers }
  }
  return { move, withMoving }
}
