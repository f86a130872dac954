import pg from 'pg'
import { migrate } from '../server/src/db/migrate.ts'
import { call, type OutgoingRequest, wire } from './load.ts'
import { compare, type Figures, ratioOf, type Subject, statements } from './measure.ts'
import { database, service, stop } from './parts.ts'
import { figure, table } from './report.ts'
import { inBatches, newCompany, newDevelopers } from './seed.ts'

/** The most characters that a list with sheets has. */
const LISTED = 20
const PLAN = { rounds: 10, ms: 250, warm: 2000 }

/** A request by the ruleset, and the one that it is compared with. */
interface Pair {
  name: string
  without: OutgoingRequest
  with: OutgoingRequest
  /** The most that the median of its time may be, as a multiple of that of the other. */
  max: number | null
}

/** Creates a campaign that is played by the fifth-edition pack, with as many characters as a list with sheets has, and the same campaign without a ruleset. */
async function newCampaigns(port: number, key: string) {
  const company = await newCompany(port, key)
  const { base, userPath, campaign } = company
  const { teller } = company as typeof company & { teller: string }
  const send = (method: string, path: string, body?: unknown) => call(port, { method, path, key, body } as OutgoingRequest)
  const { published_version_id } = (await send('POST', `${base}/rulesets`, { pack: 'srd-5.2' })) as unknown as Record<string, string>
  const free = (await send('POST', `${base}/users/${teller}/campaigns`, { name: 'Without a ruleset' })).id
  const R = `${userPath}/campaigns/${campaign}`
  await send('PUT', `${base}/users/${teller}/campaigns/${campaign}/ruleset`, {
    version_id: published_version_id,
    mode: 'ADVISORY',
    accept_faults: true,
  })
  const sheet = {
    traits: { strength: 16, dexterity: 14, constitution: 13, intelligence: 12, wisdom: 10, charisma: 8, level: 5, athletics: 1 },
    choices: { class: 'fighter' },
  }
  const make = (campaign_path: string) => async (i: number) =>
    (await send('POST', `${campaign_path}/characters`, { name: `Hero ${i}`, ...sheet })).id
  const ruled = await inBatches(LISTED, make(R))
  const F = `${userPath}/campaigns/${free}`
  const plain = await inBatches(LISTED, make(F))
  for (const path of [`${R}/characters/${ruled[0]}`, `${F}/characters/${plain[0]}`])
    for (let i = 0; i < 5; i++) {
      await send('POST', `${path}/inventory`, { name: `Item ${i}` })
      await send('POST', `${path}/notes`, { title: `Note ${i}` })
    }
  // The ruleset gives a character four trackers.
  for (const name of ['hp', 'mp', 'luck', 'ammo'])
    await send('PUT', `${F}/characters/${plain[0]}/trackers/${name}`, { value: 3, maximum: 9 })
  return { userPath, R, F, H: `${R}/characters/${ruled[0]}`, P: `${F}/characters/${plain[0]}`, character_id: plain[0] as string }
}

/** Measures what a ruleset costs: sheets and rolls by it, each compared with the same request without. Returns false if a bound is missed. */
export async function measureRulesets(log: (message: string) => void): Promise<boolean> {
  const db = await database({ shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'off' })
  await migrate(db.url)
  const client = new pg.Client(db.url)
  await client.connect()
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements').catch(() => {})
  const guildhall = await service(db.url, 1, { MAX_IN_FLIGHT: '10000' })
  const { owner } = await newDevelopers(db.url)
  const { userPath, R, F, H, P, character_id } = await newCampaigns(guildhall.port, owner.key)
  await client.query('VACUUM ANALYZE')
  const get = (path: string): OutgoingRequest => ({ method: 'GET', path })
  const whole = 'inventory,notes,trackers,experience,rolls,player'
  const pairs: Pair[] = [
    { name: 'whole sheet', without: get(`${P}?include=${whole}`), with: get(`${H}?include=${whole},sheet`), max: 1.3 },
    { name: 'character with its sheet', without: get(H), with: get(`${H}?include=sheet`), max: null },
    {
      name: `list of ${LISTED} with sheets`,
      without: get(`${F}/characters?limit=${LISTED}`),
      with: get(`${R}/characters?limit=${LISTED}&include=sheet`),
      max: null,
    },
    {
      name: 'roll by name',
      without: { method: 'POST', path: `${userPath}/dice-rolls`, body: { notation: '1d20+{strength}', character_id } },
      with: { method: 'POST', path: `${H}/rolls/check`, body: { inputs: { ability: 'str' } } },
      max: 1.25,
    },
  ]
  const rows: (string | number)[][] = []
  const missed: string[] = []
  for (const { name, max, ...requests } of pairs) {
    const subjects = [requests.without, requests.with].map(
      (request): Subject => ({ port: guildhall.port, next: () => wire({ key: owner.key, ...request }) }),
    ) as [Subject, Subject]
    for (const request of [requests.without, requests.with]) await call(guildhall.port, { key: owner.key, ...request })
    const [without, withRuleset] = (await compare(subjects, { ...PLAN, groups: [[guildhall.pid], db.pid ? [db.pid] : []] })) as [
      Figures,
      Figures,
    ]
    const ratio = 1 / ratioOf(withRuleset, without, 'perSecond')
    if (max !== null && ratio > max) missed.push(`${name}: ${ratio.toFixed(2)} times, at most ${max}`)
    const cpu = ({ cpu: [ours, postgres] }: Figures) => `${figure(ours, 0)} + ${figure(postgres, 0)}`
    const counted = [await statements(client, subjects[0]), await statements(client, subjects[1])]
    rows.push([
      name,
      figure(without.perSecond, 0),
      figure(withRuleset.perSecond, 0),
      figure(ratio, 2),
      max ?? '-',
      cpu(without),
      cpu(withRuleset),
      counted.join(' / '),
    ])
    log(`${name}: ${ratio.toFixed(2)}`)
  }
  await client.end()
  await stop(guildhall.child)
  await db.stop()
  console.log(table(['', 'without/s', 'with/s', 'times', 'at most', 'CPU µs without', 'with', 'statements'], rows))
  for (const line of missed) console.log(`MISSED ${line}`)
  return missed.length === 0
}
