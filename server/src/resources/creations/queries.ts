import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import type { Listed } from '../../core/page.ts'
import { conflict, invalid, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { InCampaign } from '../characters/hidden-sheets.ts'
import { holdUser } from '../users/queries.ts'
import { creationRuleset, refuseUnknown } from './campaign-creation.ts'
import { createByRules } from './create-by-rules.ts'
import {
  type Answered,
  type CreationFinish,
  type CreationStart,
  type CreationsQuery,
  LIFETIME_MS,
  MAX_OPEN_CREATIONS,
  type StepAnswer,
} from './schema.ts'
import { checkAnswer, goThrough, isDone } from './steps.ts'
import { answering, creations, isSeen, lockOpen, lockToWrite, rulesetOf, scopeOf, secretOf, shown, write } from './store.ts'

export const listCreations = (db: Db, context: InCampaign, { status, ...listed }: CreationsQuery) =>
  creations.where(isSeen(db, context)).list(db, { ...scopeOf(context), ...(status && { status }) }, listed as Listed)

export async function getCreation(db: Db, context: InCampaign, id: string) {
  const row = await creations.where(isSeen(db, context)).get(db, { ...scopeOf(context), id })
  return shown(db, context, await rulesetOf(db, row), row)
}

/** Checks, before a stored reply is replayed, that the acting user still sees the creation. */
export function refuseCreationReplay({ actor, campaign }: InCampaign, { user_id, type }: { user_id: string; type: string }): void {
  if ((user_id !== actor.id || type === 'NPC') && !campaign.isStoryteller) notFound('Creation')
}

/** Rejects a choice that a step would have had another answer for. */
function refuseSecondWays({ creation }: Ruleset, others: Record<string, string>): void {
  const faults = creation.flatMap(({ id, methods }) =>
    methods.flatMap(({ method: { slot } }) =>
      slot !== undefined && Object.hasOwn(others, slot)
        ? [{ field: `choices.${slot}`, message: `must be left out: the step ${id} has another answer already` }]
        : [],
    ),
  )
  if (faults.length) invalid(faults)
}

/** Locks the user, so that requests at the same time cannot exceed the maximum together. */
async function refuseTooMany(db: Tx, context: InCampaign, user_id: string): Promise<void> {
  const { company_id, campaign_id } = scopeOf(context)
  await db.query(sql`SELECT id FROM users WHERE company_id = ${company_id} AND id = ${user_id} FOR NO KEY UPDATE`)
  const [{ count } = { count: 0 }] = await db.query<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM creations
    WHERE company_id = ${company_id} AND user_id = ${user_id} AND campaign_id = ${campaign_id} AND status = 'OPEN' AND date_expires > ${db.now()}`)
  if (count >= MAX_OPEN_CREATIONS)
    conflict(
      'too_many_creations',
      `The user is creating ${MAX_OPEN_CREATIONS} characters in this campaign, the maximum. Finish or delete one.`,
    )
}

export async function startCreation(db: Tx, context: InCampaign, { type, choices, ...body }: CreationStart) {
  const { ruleset, version_id } = await creationRuleset(db, context)
  refuseUnknown(ruleset, { choices })
  const user_id = body.user_id ?? context.actor.id
  if (type === 'NPC' && user_id !== context.actor.id)
    invalid([{ field: 'user_id', message: 'must be the acting user, or left out, because an NPC has no player' }])
  if (user_id !== context.actor.id) await holdUser(db, context.actor.company_id, user_id)
  await refuseTooMany(db, context, user_id)
  const answers: Record<string, Answered> = {}
  const others = { ...choices }
  for (const { id, methods } of ruleset.creation) {
    const method = methods.findIndex(({ method: { kind, slot = '' } }) => kind === 'choose' && Object.hasOwn(others, slot))
    const slot = methods[method]?.method.slot
    if (slot === undefined) continue
    answers[id] = { method, answer: others[slot] as string }
    delete others[slot]
  }
  refuseSecondWays(ruleset, others)
  const { after } = await creations.insert(db, {
    ...scopeOf(context),
    version_id,
    user_id,
    type,
    status: 'OPEN',
    character_id: null,
    choices: others,
    answers,
    rolled: {},
    raised: {},
    date_expires: new Date(db.now().getTime() + LIFETIME_MS).toISOString(),
  })
  return { before: null, after, partOf: secretOf(after), reply: await shown(db, context, ruleset, after) }
}

export async function answerStep(db: Tx, context: InCampaign, id: string, step: string, body: StepAnswer) {
  const { row, ruleset } = await lockToWrite(db, context, id)
  const change = await write(db, row, answering(row, step, checkAnswer(ruleset, row, step, body)))
  return { ...change, reply: await shown(db, context, ruleset, change.after) }
}

export async function finishCreation(db: Tx, context: InCampaign, id: string, body: CreationFinish) {
  const { row, ruleset } = await lockToWrite(db, context, id)
  const { steps, sheet } = goThrough(ruleset, row)
  const open = steps.filter((step) => !isDone(step)).map(({ step }) => step.id)
  if (open.length) conflict('creation_unfinished', `These steps are open, or their answers break a rule: ${open.join(', ')}.`)
  const [fault] = (await shown(db, context, ruleset, row)).faults
  if (fault) conflict('creation_unfinished', `The sheet breaks a rule: ${fault.replace(/\.$/, '')}.`)
  const created = await createByRules(db, context, ruleset, {
    ...body,
    type: row.type,
    user_id: row.type === 'NPC' ? null : row.user_id,
    traits: { ...sheet.traits },
    choices: { ...sheet.choices },
  })
  const change = await write(db, row, { status: 'FINISHED', character_id: created.after.id })
  return { ...created, sideEvents: [{ type: 'creation.finished' as const, ...change }, ...created.sideEvents] }
}

export async function abandonCreation(db: Tx, context: InCampaign, id: string) {
  return write(db, await lockOpen(db, context, id), { status: 'ABANDONED' })
}
