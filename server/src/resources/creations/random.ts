import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { traitsIn } from '@guildhall/rules/ruleset/creation'
import { answerAtRandom, Effort, withRequired, withTier } from '@guildhall/rules/ruleset/generate'
import { inTurns } from '../../core/in-turns.ts'
import { conflict, invalid } from '../../core/problem.ts'
import { randomBelow } from '../../core/random.ts'
import type { Tx } from '../../db/client.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { readNewSurroundings } from '../characters/surroundings.ts'
import { refuseUnknown } from './campaign-creation.ts'
import { rollDice } from './dice.ts'
import type { CreationRandom, CreationRow } from './schema.ts'
import { goThrough, isDone, stepOf } from './steps.ts'
import { answering, lockToWrite, shown, write } from './store.ts'

function refuseUnknownSteps({ creation }: Ruleset, names: string[]): void {
  const known = creation.map(({ id }) => id)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length) invalid([{ field: 'steps', message: `has no ${unknown.join(', ')}: the steps are ${known.join(', ')}` }])
}

/** Required choices that no step asks for, with a random option where there is none yet. */
function withUnasked(ruleset: Ruleset, { choices, ...row }: CreationRow): Record<string, string> {
  const asked = new Set(ruleset.creation.flatMap(({ methods }) => methods.flatMap(({ method: { slot } }) => slot ?? [])))
  const all = Object.entries(withRequired(ruleset, goThrough(ruleset, { choices, ...row }).sheet.choices ?? {}, randomBelow))
  return Object.fromEntries(all.filter(([slot]) => !asked.has(slot)))
}

export async function answerRandomly(db: Tx, context: InCampaign, id: string, { steps, tier }: CreationRandom) {
  const { row, ruleset } = await lockToWrite(db, context, id)
  refuseUnknown(ruleset, tier === undefined ? {} : { tier })
  const open = steps ?? goThrough(ruleset, row).steps.flatMap((one) => (isDone(one) ? [] : [one.step.id]))
  refuseUnknownSteps(ruleset, open)
  const sideEvents = []
  let changed: CreationRow = row
  // In the order of the ruleset: the answer to one step is on the sheet of the next.
  for (const step of ruleset.creation.filter((one) => open.includes(one.id))) {
    const isReady = Object.hasOwn(changed.rolled, step.id)
    const usable = [...step.methods.entries()].filter(([, { method }]) => method.kind !== 'dice' || isReady)
    const [number, method] = usable[randomBelow(usable.length || 1)] ?? [0, step.methods[0]]
    if (!method) continue
    if (method.method.kind === 'dice' && !isReady) {
      const made = await rollDice(db, context, row, method.method.dice ?? '', traitsIn(method).length, step.label ?? step.id)
      changed = { ...changed, rolled: { ...changed.rolled, [step.id]: made.rolled } }
      sideEvents.push(...made.sideEvents)
    }
    const { before } = stepOf(ruleset, changed, step.id)
    const rolled = changed.rolled[step.id]?.values ?? []
    await nextTurn()
    const { answer, faults } = answerAtRandom(ruleset, method, before, randomBelow, rolled)
    if (faults.length)
      conflict('not_generated', `No random answer to the step ${step.id} follows its rules: ${faults[0]}. Answer it yourself.`)
    const kept = typeof answer === 'string' ? answer : { ...answer }
    changed = { ...changed, ...answering(changed, step.id, { method: number, answer: kept }) }
  }
  if (steps === undefined) changed = { ...changed, choices: withUnasked(ruleset, changed) }
  if (tier !== undefined) {
    const { steps: all, sheet } = goThrough(ruleset, { ...changed, raised: {} })
    if (!all.every(isDone)) conflict('creation_unfinished', 'The experience of a tier is spent last. Answer all steps first.')
    const { levels, campaign_trackers } = await readNewSurroundings(db, context)
    const start = { ...sheet, campaign: { ...campaign_trackers, ...levels } }
    changed = { ...changed, raised: { ...(await inTurns(withTier(ruleset, start, tier, randomBelow, new Effort()))).traits } }
  }
  const change = await write(db, row, changed)
  return { ...change, sideEvents, reply: await shown(db, context, ruleset, change.after) }
}
