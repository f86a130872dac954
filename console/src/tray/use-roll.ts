import { ApiError, type DiceRoll, type QuickRoll, type RollGroup, type RollVisibility } from '@guildhall/client'
import { useRef, useState } from 'preact/hooks'
import { useActing } from '../data/acting.ts'
import { noticeEnd } from '../data/load.ts'
import { sentenceOf } from '../ui/problem.tsx'
import type { Dice } from './request.ts'

/** For whom dice are rolled, and who sees them. */
export interface RollContext {
  campaignId: string | undefined
  characterId: string | undefined
  comment: string
  visibility: RollVisibility
}

export interface Rolling {
  busy: boolean
  /** The sentence of the service, if it refused the last roll. */
  problem: string | undefined
  clear: () => void
  fail: (sentence: string) => void
  roll: (dice: Dice) => Promise<boolean>
  rollQuick: (quick: QuickRoll) => Promise<boolean>
}

/** The faults of the request as sentences. They are more precise than the detail of the problem. */
function problemOf(error: unknown): string {
  if (!ApiError.is(error) || !error.faults.length) return sentenceOf(error)
  return error.faults.map(({ message }) => `${message[0]?.toUpperCase()}${message.slice(1)}.`).join(' ')
}

/** Rolls dice, one request at a time: pressing again while the dice roll does nothing. */
export function useRoll({ campaignId, characterId, comment, visibility }: RollContext, onRolled: (rolls: DiceRoll[]) => void): Rolling {
  const { api } = useActing()
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (send: () => Promise<DiceRoll | RollGroup>): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setProblem(undefined)
    try {
      const reply = await send()
      onRolled('items' in reply ? reply.items : [reply])
      return true
    } catch (error) {
      noticeEnd(error)
      setProblem(problemOf(error))
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  const common = { visibility, ...(comment.trim() && { comment: comment.trim() }) }
  const place = { ...(campaignId && { campaign_id: campaignId }), ...(characterId && { character_id: characterId }) }
  return {
    busy,
    problem,
    clear: () => setProblem(undefined),
    fail: setProblem,
    roll: (dice) => run(() => api.diceRolls.create({ ...dice, ...place, ...common })),
    rollQuick: ({ id, campaign_id, character_id }) =>
      run(() => {
        if (!campaign_id) return api.quickRolls.roll(id, { ...place, ...common })
        const campaign = api.campaign(campaign_id)
        if (character_id) return campaign.character(character_id).quickRolls.roll(id, common)
        return campaign.quickRolls.roll(id, { ...(characterId && { character_id: characterId }), ...common })
      }),
  }
}
