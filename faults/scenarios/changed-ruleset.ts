import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../../bench/parts.ts'
import { attempt } from '../client.ts'
import { newDevelopers } from '../company.ts'
import type { Deployment } from '../deployment.ts'
import type { Scenario, Stage } from '../perform.ts'

const MAX_CHANGE_MS = 30_000
const AT_ONCE = 8
/** Starts are slow on a busy machine, so the number of kills may be lower than planned; the table shows it. */
const MAX_RUN_MS = { quick: 30_000, full: 600_000 }

/** A version of a game, which renames the trait and the tracker of the version before. */
const versionOf = (number: number) => ({
  format: 1,
  name: 'Tides',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 9 } },
  traits: { [`might_${number}`]: { group: 'stats' } },
  trackers: { [`vigor_${number}`]: { max: `might_${number} + 3` } },
  ...(number > 1 && { upgrade: { rename: { [`might_${number - 1}`]: `might_${number}`, [`vigor_${number - 1}`]: `vigor_${number}` } } }),
})

type Post = (path: string, body?: object) => Promise<Record<string, string>>

/** Publishes versions of a ruleset. Returns their ids. */
async function publishVersions(post: Post, count: number): Promise<string[]> {
  const { id, draft_version_id } = await post('rulesets', { document: versionOf(1) })
  const ids = [draft_version_id as string]
  await post(`rulesets/${id}/versions/${draft_version_id}/publish`)
  for (let number = 2; number <= count; number++) {
    const draft = await post(`rulesets/${id}/versions`, { document: versionOf(number) })
    await post(`rulesets/${id}/versions/${draft.id}/publish`)
    ids.push(draft.id as string)
  }
  return ids
}

/** Returns the number of the version that the campaign is played by, or 0, after checking that each of its characters was carried to it. */
async function versionNow({ deployment, fail }: Pick<Stage, 'deployment' | 'fail'>, campaign: string, ids: string[]): Promise<number> {
  const rows = await deployment.query<{ version_id: string | null; traits: string[]; trackers: string[] }>(
    `SELECT c.ruleset_version_id AS version_id, array_agg(DISTINCT t.name) AS traits, array_agg(DISTINCT tracker.key) FILTER (WHERE tracker.by_ruleset) AS trackers
     FROM campaigns c JOIN characters x ON x.company_id = c.company_id AND x.campaign_id = c.id CROSS JOIN jsonb_object_keys(x.traits) AS t (name)
     LEFT JOIN trackers tracker ON tracker.company_id = x.company_id AND tracker.character_id = x.id
     WHERE c.id = $1 GROUP BY 1`,
    [campaign],
  )
  const [{ version_id, traits, trackers } = { version_id: null, traits: [], trackers: [] }] = rows
  const number = version_id ? ids.indexOf(version_id) + 1 : 0
  const expected = JSON.stringify(number ? [[`might_${number}`], [`vigor_${number}`]] : [['might_1'], null])
  if (JSON.stringify([traits, trackers]) !== expected)
    fail(`a campaign of version ${number} has characters with ${traits.join(', ')} and ${trackers?.join(', ')}`)
  return number
}

/** A process is killed while it carries all characters of a campaign to another version of their ruleset. */
export const changedRuleset: Scenario = {
  name: 'ruleset changed, service killed',
  run: async (stage) => {
    const { deployment, part, fail, quick } = stage
    const [kills, characters] = [part(100), part(500)]
    const { base, send, post, teller, campaign } = await newTable(deployment, characters)
    const ids = await publishVersions((path, body) => post(`${base}/${path}`, body), kills + 1)
    const change = (version_id: string | undefined, port?: number) =>
      send('PUT', `${base}/users/${teller}/campaigns/${campaign}/ruleset`, { version_id }, port)
    const first = await change(ids[0])
    if (first.status !== 200) fail(`the first version answers ${first.status} ${first.text.slice(0, 300)}`)
    const outcomes = { before: 0, after: 0 }
    let slowest = first.ms
    const [killed] = deployment.services
    const end = Date.now() + MAX_RUN_MS[quick ? 'quick' : 'full']
    for (let number = 2; number <= ids.length && Date.now() < end; number++) {
      const cut = change(ids[number - 1], killed.port)
      await sleep(Math.random() * slowest)
      await stop(killed.child, 'SIGKILL')
      await cut
      const restarted = deployment.restart(killed)
      // What the killed process had begun is undone, or complete.
      const now = await versionNow(stage, campaign, ids)
      if (now === number) outcomes.after++
      else if (now === number - 1) outcomes.before++
      else fail(`after version ${number - 1}, a kill left version ${now}`)
      slowest = Math.max(slowest, await changeFully(stage, () => change(ids[number - 1])))
      if ((await versionNow(stage, campaign, ids)) !== number) fail(`version ${number} was confirmed, and is not there`)
      await restarted
    }
    const done = outcomes.before + outcomes.after
    return `${done === kills ? done : `${done} of ${kills}`} kills with ${characters} characters: ${outcomes.before} unchanged, ${outcomes.after} complete; a change takes up to ${Math.round(slowest)} ms`
  },
}

/** Creates a campaign with many characters. Its company is not one of the stage, whose rows never change. */
async function newTable(deployment: Deployment, count: number) {
  const [developer] = await newDevelopers(deployment.url, 1)
  const send = (method: string, path: string, body?: object, port = deployment.services[1].port) =>
    attempt(port, { method, path, key: developer?.key ?? '', ...(body && { body }) })
  const post: Post = async (path, body) => {
    const { status, text, lost } = await send('POST', path, body)
    if (status !== 200 && status !== 201) throw new Error(`POST ${path} answers ${status} ${lost} ${text.slice(0, 300)}`)
    return JSON.parse(text)
  }
  const base = `/api/v1/companies/${(await post('/api/v1/companies', { name: 'Tides' })).id}`
  const { id: teller } = await post(`${base}/users`, { name: 'Teller', role: 'STORYTELLER' })
  const { id: campaign } = await post(`${base}/users/${teller}/campaigns`, { name: 'Many' })
  let made = 0
  const work = Array.from({ length: AT_ONCE }, async () => {
    while (made++ < count)
      await post(`${base}/users/${teller}/campaigns/${campaign}/characters`, { name: 'Hero', type: 'NPC', traits: { might_1: 3 } })
  })
  await Promise.all(work)
  return { base, send, post, teller: teller as string, campaign: campaign as string }
}

/** Sends the change until it succeeds. Returns the milliseconds of the last try. */
async function changeFully({ fail }: Stage, change: () => ReturnType<typeof attempt>): Promise<number> {
  for (const end = Date.now() + MAX_CHANGE_MS; Date.now() < end; await sleep(20)) {
    const { status, text, ms } = await change()
    if (status === 200) return ms
    if (status && status !== 503) {
      fail(`the change answers ${status} ${text.slice(0, 300)}`)
      return ms
    }
  }
  fail('the change did not succeed')
  return 0
}
