// A party tracker for a fifth-edition table: hit points, spell slots, rolls and rests, live on every screen at the table.
// The service stores everything and rolls the dice. This server keeps its API key, and shows one page.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { ApiError, Guildhall } from '@guildhall/client'

const { GUILDHALL_URL: baseUrl = 'http://127.0.0.1:8080', GUILDHALL_API_KEY: apiKey, HOST = '127.0.0.1', PORT = '8095' } = process.env
if (!apiKey) {
  console.error('GUILDHALL_API_KEY is not set. Set it to an API key of the service.')
  process.exit(1)
}
const gh = new Guildhall({ baseUrl, apiKey })

// The table: a company, its dungeon master and a campaign. A later start finds them again.
const [known] = (await gh.companies.list({ external_id: 'party-tracker', limit: 1 })).items
const { id: companyId } = known ?? (await gh.companies.create({ name: 'Party tracker', external_id: 'party-tracker' }))
const company = gh.company(companyId)
const master = company.as((await company.users.link('master', { name: 'Dungeon master', role: 'STORYTELLER' })).id)
const [running] = (await master.campaigns.list({ mine: true, limit: 1 })).items
const { id: campaign_id, name } = running ?? (await master.campaigns.create({ name: 'The Lost Mine' }))
const campaign = master.campaign(campaign_id)

const heroes = () => campaign.characters.list({ type: 'PLAYER', sort: 'date_created' }).all(20)

/** Everything that the page shows. The list has no trackers, so each hero is a request of its own. */
async function readParty() {
  const [listed, rolls] = await Promise.all([heroes(), master.diceRolls.list({ campaign_id, sort: '-date_created', limit: 8 })])
  const party = await Promise.all(listed.map(({ id }) => campaign.characters.get(id, { include: ['trackers', 'player'] })))
  return { name, heroes: party, rolls: rolls.items }
}

/** Everyone reads the same copy, until something changes. */
let copy
const party = () =>
  (copy ??= readParty().catch((error) => {
    copy = undefined
    throw error
  }))

/** What the page may do. The master acts, except where somebody makes a character of their own. */
const actions = {
  async add({ player, name, concept, hit_points, armor_class, dex_mod, slots }) {
    const user = await company.users.link(`player:${player.toLowerCase()}`, { name: player, role: 'PLAYER' })
    const own = company.as(user.id).campaign(campaign_id)
    const { id } = await own.characters.create({ name, concept, traits: { armor_class, dex_mod } })
    const { trackers } = own.character(id)
    await trackers.set('hit_points', { label: 'Hit points', value: hit_points, maximum: hit_points })
    for (const [i, maximum] of slots.entries())
      await trackers.set(`slots_${i + 1}`, { label: `Level ${i + 1}`, value: maximum, maximum, style: 'BOXES' })
  },
  // Two people may press at the same moment: `by` counts both, and `clamp` stops at 0 and at the maximum.
  move: ({ id, key, by }) => campaign.character(id).trackers.adjust(key, { by, clamp: true }),
  roll: ({ id, notation, comment }) => master.diceRolls.create({ notation, comment, character_id: id }),
  rest: async () => Promise.all((await heroes()).map(({ id }) => campaign.character(id).trackers.reset())),
}

/** The open pages, which are told that there is something new. */
const pages = new Set()

async function follow() {
  for await (const _ of campaign.events()) {
    copy = undefined
    for (const page of pages) page.write('data: changed\n\n')
  }
}

const files = { '/': ['page.html', 'text/html'], '/page.js': ['page.js', 'text/javascript'], '/page.css': ['page.css', 'text/css'] }

const server = createServer(async (request, response) => {
  const { method, url = '/', headers } = request
  const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    if (method === 'GET' && Object.hasOwn(files, url)) {
      const [file, type] = files[url]
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-security-policy': "default-src 'self'; img-src data:" })
      return response.end(await readFile(new URL(file, import.meta.url)))
    }
    if (url === '/party') return send(200, await party())
    if (url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: connected\n\n')
      pages.add(response)
      return request.on('close', () => pages.delete(response))
    }
    const action = url.slice(1)
    // A page of another origin cannot send this type without permission.
    const isOurs = method === 'POST' && headers['content-type'] === 'application/json'
    if (!isOurs || !Object.hasOwn(actions, action)) return send(404, { message: 'There is nothing here.' })
    await actions[action](await json(request))
    send(200, {})
  } catch (error) {
    if (!(error instanceof ApiError)) console.error(error)
    send(error.status ?? 500, {
      message: error instanceof ApiError ? error.message : 'That did not work. The party tracker printed the reason.',
    })
  }
})
server.listen(Number(PORT), HOST, () => console.log(`The party tracker listens on http://${HOST}:${server.address().port}`))
await follow()
