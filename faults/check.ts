import { answers } from '../bench/parts.ts'
import { compile } from '../server/src/db/sql.ts'
import { invariants } from '../server/src/resources/declarations.ts'
import { attempt, type Client, thingsIn } from './client.ts'
import type { Company } from './company.ts'
import { compareEvents, compareKeys, compareRows, type Differences } from './compare.ts'
import { type House, hasEnded } from './house.ts'
import { foreignIds } from './known.ts'

export interface Found extends Differences {
  leaked: string[]
  amiss: string[]
}

const MOST_TOLD = 5

/** Whether all that the client was told is there, once, and adds up; and whether the service still answers. */
export async function check(house: House, client: Client, companies: Company[]): Promise<Found> {
  const found: Found = { lost: [], doubled: [], leaked: [], amiss: [] }
  for (const { method, path } of client.unanswered) found.lost.push(`${method} ${path} was never decided`)
  for (const { child } of house.services) if (hasEnded(child)) found.amiss.push('a process of the service has ended by itself')
  for (const { port } of house.services) await answers(port, '/health/ready').catch((error) => found.amiss.push(String(error)))
  for (const compare of [compareRows, compareKeys, compareEvents]) {
    const { lost, doubled } = await compare(house, client.told, companies)
    found.lost.push(...lost)
    found.doubled.push(...doubled)
  }
  found.amiss.push(...strangers(client), ...(await sums(house)))
  for (const company of companies) {
    for (const look of [balance, numbers, totals]) found.amiss.push(...(await look(house, client, company)))
    found.leaked.push(...(await mixedUp(house, companies, company)))
  }
  return found
}

/** Answers that were meant for another request. */
function strangers({ told }: Client): string[] {
  return told.flatMap(({ path, body, text }) =>
    thingsIn(text).flatMap((thing) =>
      ['name', 'comment', 'reason']
        .filter((field) => field in body && thing[field] !== body[field])
        .map((field) => `POST ${path} with ${field} ${body[field]} was answered with ${thing[field]}`),
    ),
  )
}

/** The violated invariants: the same ones that the doctor checks. */
async function sums(house: House): Promise<string[]> {
  const faults: string[] = []
  for (const { check, violations, holds } of invariants()) {
    const { text, values } = compile(violations())
    const rows = await house.query(text, values)
    faults.push(...rows.slice(0, MOST_TOLD).map((row) => `${check}: not ${holds}: ${JSON.stringify(row)}`))
  }
  return faults
}

/** Reads as the client would, from both processes. */
async function read(house: House, { company_id, base, developer }: Company, path: string): Promise<{ text: string; faults: string[] }> {
  const ask = { method: 'GET', path: `${base}${path}`, key: developer.key }
  const [one, other] = await Promise.all(house.services.map(({ port }) => attempt(port, ask)))
  if (one?.status !== 200 || other?.status !== 200)
    return { text: '', faults: [`GET ${path} of ${company_id} answers ${one?.status} ${one?.lost} and ${other?.status} ${other?.lost}`] }
  return { text: one.text, faults: one.text === other.text ? [] : [`GET ${path} of ${company_id} is not the same from both processes`] }
}

async function balance(house: House, { told }: Client, company: Company): Promise<string[]> {
  const { player, campaign, company_id } = company
  const sum = (kind: string) =>
    told.filter((wish) => wish.kind === kind && wish.company_id === company_id).reduce((total, { body }) => total + Number(body.amount), 0)
  const [earned, spent] = [sum('award'), sum('spend')]
  const { text, faults } = await read(house, company, `/users/${player}/campaigns/${campaign}/experience`)
  if (!text) return faults
  const expected = { user_id: player, campaign_id: campaign, earned, spent, available: earned - spent }
  const [actual] = JSON.parse(text).items
  const wrong = Object.entries(expected).filter(([field, value]) => actual?.[field] !== value)
  return [...faults, ...wrong.map(([field, value]) => `the client's record of ${field} is ${value}, the balance is ${actual?.[field]}`)]
}

/** Books are numbered 1 to n, in the order they were told of. */
async function numbers(house: House, { told }: Client, company: Company): Promise<string[]> {
  const books = told.filter(({ kind, company_id }) => kind === 'book' && company_id === company.company_id)
  const given = books.flatMap(({ text }) => thingsIn(text)).map(({ id, number }) => ({ id, number }))
  const listed: { id: string; number: number }[] = []
  for (let offset = 0; offset === 0 || listed.length === offset; offset += 100) {
    const path = `/users/${company.teller}/campaigns/${company.campaign}/books?limit=100&offset=${offset}`
    const { text, faults } = await read(house, company, path)
    if (faults.length > 0) return faults
    const { items, total } = JSON.parse(text)
    if (total !== given.length) return [`there are ${total} books, the client was told of ${given.length}`]
    listed.push(...items)
  }
  const gaps = listed
    .map(({ number }) => number)
    .sort((a, b) => a - b)
    .flatMap((number, i) => (number === i + 1 ? [] : [`where book ${i + 1} should be, there is ${number}`]))
  const then = new Map(given.map(({ id, number }) => [id, number]))
  const moved = listed
    .filter(({ id, number }) => then.get(id) !== number)
    .map(({ id, number }) => `book ${id} was number ${then.get(id)} and is ${number}`)
  return [...gaps, ...moved].slice(0, MOST_TOLD)
}

/** What lists say there is, is what there is. */
async function totals(house: House, { told }: Client, company: Company): Promise<string[]> {
  const { teller, campaign } = company
  const lists = {
    user: '/users',
    roll: `/users/${teller}/dice-rolls`,
    character: `/users/${teller}/campaigns/${campaign}/characters`,
    campaign: `/users/${teller}/campaigns`,
  }
  const found: string[] = []
  for (const [kind, path] of Object.entries(lists)) {
    const count = told.filter((wish) => wish.kind === kind && wish.company_id === company.company_id).length
    const { text, faults } = await read(house, company, `${path}?limit=0`)
    const total = text && JSON.parse(text).total
    found.push(...faults)
    if (text && total !== count) found.push(`the total of ${path} is ${total}, the client was told of ${count}`)
  }
  return found
}

/** What one company reads holds no id of the other's. */
async function mixedUp(house: House, companies: Company[], company: Company): Promise<string[]> {
  const known = new Map(
    companies.flatMap(({ company_id, teller, player, campaign, character }) =>
      [company_id, teller, player, campaign, character].map((id) => [id, company_id] as const),
    ),
  )
  const pages = await Promise.all(['/users?limit=100', '/audit-logs?limit=100'].map((path) => read(house, company, path)))
  return pages.flatMap(({ text }) => foreignIds(known, company.company_id, text)).map((id) => `a list tells ${id} of another company`)
}
