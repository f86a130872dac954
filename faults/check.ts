import { waitForAnswer } from '../bench/parts.ts'
import { compile } from '../server/src/db/sql.ts'
import { invariants } from '../server/src/resources/declarations.ts'
import { attempt, type Client, rowsIn } from './client.ts'
import type { Company } from './company.ts'
import { compareEvents, compareKeys, compareRows, type Differences } from './compare.ts'
import { type Deployment, hasEnded } from './deployment.ts'
import { foreignIds } from './known.ts'

export interface Found extends Differences {
  leaked: string[]
  failures: string[]
}

const MAX_REPORTED = 5

/** Checks that every confirmed write is stored once, that all sums add up, and that the service still answers. */
export async function check(deployment: Deployment, client: Client, companies: Company[]): Promise<Found> {
  const found: Found = { lost: [], doubled: [], leaked: [], failures: [] }
  for (const { method, path } of client.unanswered) found.lost.push(`${method} ${path} never got a final answer`)
  for (const { child } of deployment.services) if (hasEnded(child)) found.failures.push('a process of the service ended unexpectedly')
  for (const { port } of deployment.services)
    await waitForAnswer(port, '/health/ready').catch((error) => found.failures.push(String(error)))
  for (const compare of [compareRows, compareKeys, compareEvents]) {
    const { lost, doubled } = await compare(deployment, client.confirmed, companies)
    found.lost.push(...lost)
    found.doubled.push(...doubled)
  }
  found.failures.push(...swappedAnswers(client), ...(await violatedInvariants(deployment)))
  for (const company of companies) {
    for (const checkCompany of [balance, numbers, totals]) found.failures.push(...(await checkCompany(deployment, client, company)))
    found.leaked.push(...(await foreignRows(deployment, companies, company)))
  }
  return found
}

/** Finds answers that belong to another request. */
function swappedAnswers({ confirmed }: Client): string[] {
  return confirmed.flatMap(({ path, body, text }) =>
    rowsIn(text).flatMap((row) =>
      ['name', 'comment', 'reason']
        .filter((field) => field in body && row[field] !== body[field])
        .map((field) => `POST ${path} with ${field} ${body[field]} was answered with ${row[field]}`),
    ),
  )
}

/** Finds violated invariants, the same ones that the doctor checks. */
async function violatedInvariants(deployment: Deployment): Promise<string[]> {
  const faults: string[] = []
  for (const { check, violations, holds } of invariants()) {
    const { text, values } = compile(violations())
    const rows = await deployment.query(text, values)
    faults.push(...rows.slice(0, MAX_REPORTED).map((row) => `${check}: not ${holds}: ${JSON.stringify(row)}`))
  }
  return faults
}

/** Reads from both processes, and compares the answers. */
async function read(
  deployment: Deployment,
  { company_id, base, developer }: Company,
  path: string,
): Promise<{ text: string; faults: string[] }> {
  const request = { method: 'GET', path: `${base}${path}`, key: developer.key }
  const [one, other] = await Promise.all(deployment.services.map(({ port }) => attempt(port, request)))
  if (one?.status !== 200 || other?.status !== 200)
    return { text: '', faults: [`GET ${path} of ${company_id} answers ${one?.status} ${one?.lost} and ${other?.status} ${other?.lost}`] }
  return { text: one.text, faults: one.text === other.text ? [] : [`GET ${path} of ${company_id} differs between the processes`] }
}

async function balance(deployment: Deployment, { confirmed }: Client, company: Company): Promise<string[]> {
  const { player, campaign, company_id } = company
  const sum = (kind: string) =>
    confirmed
      .filter((write) => write.kind === kind && write.company_id === company_id)
      .reduce((total, { body }) => total + Number(body.amount), 0)
  const [earned, spent] = [sum('award'), sum('spend')]
  const { text, faults } = await read(deployment, company, `/users/${player}/campaigns/${campaign}/experience`)
  if (!text) return faults
  const expected = { user_id: player, campaign_id: campaign, earned, spent, available: earned - spent }
  const [actual] = JSON.parse(text).items
  const different = Object.entries(expected).filter(([field, value]) => actual?.[field] !== value)
  return [...faults, ...different.map(([field, value]) => `the client's record of ${field} is ${value}, the balance is ${actual?.[field]}`)]
}

/** Checks that books are numbered 1 to n, in the order in which they were confirmed. */
async function numbers(deployment: Deployment, { confirmed }: Client, company: Company): Promise<string[]> {
  const books = confirmed.filter(({ kind, company_id }) => kind === 'book' && company_id === company.company_id)
  const given = books.flatMap(({ text }) => rowsIn(text)).map(({ id, number }) => ({ id, number }))
  const listed: { id: string; number: number }[] = []
  for (let offset = 0; offset === 0 || listed.length === offset; offset += 100) {
    const path = `/users/${company.teller}/campaigns/${company.campaign}/books?limit=100&offset=${offset}`
    const { text, faults } = await read(deployment, company, path)
    if (faults.length > 0) return faults
    const { items, total } = JSON.parse(text)
    if (total !== given.length) return [`there are ${total} books, but ${given.length} were confirmed`]
    listed.push(...items)
  }
  const gaps = listed
    .map(({ number }) => number)
    .sort((a, b) => a - b)
    .flatMap((number, i) => (number === i + 1 ? [] : [`book ${i + 1} has the number ${number}`]))
  const confirmedNumbers = new Map(given.map(({ id, number }) => [id, number]))
  const moved = listed
    .filter(({ id, number }) => confirmedNumbers.get(id) !== number)
    .map(({ id, number }) => `book ${id} was confirmed as number ${confirmedNumbers.get(id)} and is ${number}`)
  return [...gaps, ...moved].slice(0, MAX_REPORTED)
}

/** Checks the totals of lists. */
async function totals(deployment: Deployment, { confirmed }: Client, company: Company): Promise<string[]> {
  const { teller, campaign } = company
  const lists = {
    user: '/users',
    roll: `/users/${teller}/dice-rolls`,
    character: `/users/${teller}/campaigns/${campaign}/characters`,
    campaign: `/users/${teller}/campaigns`,
  }
  const found: string[] = []
  for (const [kind, path] of Object.entries(lists)) {
    const count = confirmed.filter((write) => write.kind === kind && write.company_id === company.company_id).length
    const { text, faults } = await read(deployment, company, `${path}?limit=0`)
    const total = text && JSON.parse(text).total
    found.push(...faults)
    if (text && total !== count) found.push(`the total of ${path} is ${total}, but ${count} were confirmed`)
  }
  return found
}

/** Finds ids of the other company in the lists of one. */
async function foreignRows(deployment: Deployment, companies: Company[], company: Company): Promise<string[]> {
  const known = new Map(
    companies.flatMap(({ company_id, teller, player, campaign, character }) =>
      [company_id, teller, player, campaign, character].map((id) => [id, company_id] as const),
    ),
  )
  const pages = await Promise.all(['/users?limit=100', '/audit-logs?limit=100'].map((path) => read(deployment, company, path)))
  return pages.flatMap(({ text }) => foreignIds(known, company.company_id, text)).map((id) => `a list contains ${id} of another company`)
}
