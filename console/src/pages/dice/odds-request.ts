import type { OddsRequest, RollCompare } from '@guildhall/client'

/** The roll as it is typed in. Numbers are texts, because they may be empty or half typed. */
export interface OddsDraft {
  mode: 'notation' | 'pool'
  notation: string
  target: string
  compare: RollCompare
  naturals: boolean
  dice: string
  sides: string
  difficulty: string
  needed: string
  modifier: string
  desperation: string
  characterId: string
}

export const FIRST_DRAFT: OddsDraft = {
  mode: 'notation',
  notation: '4d6kh3',
  target: '',
  compare: 'AT_LEAST',
  naturals: false,
  dice: '6',
  sides: '10',
  difficulty: '6',
  needed: '',
  modifier: '',
  desperation: '',
  characterId: '',
}

/** An empty field is left out. The service says what is wrong with anything else. */
const numberOf = (typed: string) => (typed.trim() === '' ? undefined : Number(typed))

const isNumber = (typed: string) => /^\s*-?\d+\s*$/.test(typed)

/** The request for the odds of a draft, or undefined if the draft is empty. */
export function oddsRequestOf(draft: OddsDraft, campaign_id: string): OddsRequest | undefined {
  const { mode, notation, target, compare, naturals, dice, characterId } = draft
  const names = { campaign_id, character_id: characterId || undefined }
  if (mode === 'notation') {
    if (!notation.trim()) return undefined
    const aim = target.trim() ? { target: numberOf(target), compare, naturals: naturals || undefined } : {}
    return { notation, ...aim, ...names }
  }
  if (!dice.trim()) return undefined
  const options = {
    sides: numberOf(draft.sides),
    difficulty: numberOf(draft.difficulty),
    needed: numberOf(draft.needed),
    modifier: numberOf(draft.modifier),
    desperation_dice: numberOf(draft.desperation),
  }
  const traits = dice.split('+').map((name) => name.trim())
  return { pool: isNumber(dice) ? { dice: Number(dice), ...options } : { traits: traits.filter(Boolean), ...options }, ...names }
}
