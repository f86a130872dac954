// Shows one campaign of Guildhall live, with the SDK. There is no bundler: read it from top to bottom.
import { applyChange, copyKey } from './guildhall-client/client/src/copies.js'
import { ApiError, ConnectionError, Guildhall, StreamReplacedError } from './guildhall-client/client/src/index.js'

// --- Settings ---------------------------------------------------------------------------------------------------------------------------------

const FIELDS = ['server', 'company', 'user', 'campaign', 'token']
const STORED_AS = 'guildhall-live'

/**
 * Takes the settings from the fragment of the address (`#server=…&token=…`), never from its query: browsers send a query to the server of the page, which
 * logs it, and name it in Referer. A fragment stays in the browser. It is removed from the address bar at once, so that it is not copied with it.
 */
function takeSettings() {
  const given = new URLSearchParams(location.hash.slice(1))
  if (!given.has('token')) return storedSettings()
  history.replaceState(null, '', location.pathname + location.search)
  return Object.fromEntries(FIELDS.map((name) => [name, given.get(name) ?? '']))
}

/** The session storage survives a reload, belongs to this tab, and ends with it. */
function storedSettings() {
  try {
    return JSON.parse(sessionStorage.getItem(STORED_AS))
  } catch {
    return null
  }
}

function storeSettings(settings) {
  try {
    if (settings) sessionStorage.setItem(STORED_AS, JSON.stringify(settings))
    else sessionStorage.removeItem(STORED_AS)
  } catch {
    // Without storage, a reload asks again.
  }
}

// --- The copies ---------------------------------------------------------------------------------------------------------------------------------

/** The resources of the campaign as the reader sees them. `applyChange` of the SDK does to them what an event says. */
class Copies extends Map {
  /** Keeps a resource that was just read. */
  put(type, resource) {
    this.set(copyKey(type, resource), resource)
  }

  /** Keeps everything in a list. One that the reader may not see, such as the trackers of a hidden sheet, counts as empty. */
  async putAll(type, list) {
    for (const resource of await list.all().catch(ifHidden([]))) this.put(type, resource)
  }

  all(type) {
    return [...this].filter(([key]) => key.startsWith(`${type} `)).map(([, resource]) => resource)
  }

  find(type, id) {
    return this.all(type).find((resource) => resource.id === id)
  }
}

const SHOWN_ROLLS = 100
/** The types of resources that the page shows. Others are read past. */
const SHOWN = ['campaign', 'member', 'character', 'tracker', 'note', 'dice_roll']

// --- Following ----------------------------------------------------------------------------------------------------------------------------------

const PAUSE_MS = 5000
const REMEMBERED_EVENTS = 2000

/** Keeps copies of the campaign: reads it once, and then follows the stream for as long as the reader has the right to. */
class Follower {
  copies = new Copies()
  #gh
  #user
  #campaign
  #campaignId
  #page
  #isStopped = false
  #attempt = new AbortController()
  /** The place in the feed up to which everything is in the copies. */
  #cursor = ''
  /** The ids of the events that were applied: delivery is at least once. */
  #applied = new Set()

  constructor(gh, settings, page) {
    this.#gh = gh
    this.#user = gh.company(settings.company).as(settings.user)
    this.#campaign = this.#user.campaign(settings.campaign)
    this.#campaignId = settings.campaign
    this.#page = page
  }

  stop() {
    this.#isStopped = true
    this.#attempt.abort()
  }

  /** Does not wait any longer for the next attempt. */
  retryNow() {
    if (this.#page.state === 'reconnecting') this.#attempt.abort()
  }

  /**
   * The cursor comes first, then the lists: a change in between is in the lists already and comes again in the stream, which does no harm. The other way
   * around, it would be in neither.
   */
  async start() {
    const { cursor } = await this.#user.changes.list()
    await this.#readAll()
    this.#cursor = cursor
    this.#page.show(this.copies)
  }

  /** `events` reconnects by itself. It ends with an error if that cannot help, and so does the loop if a list of a RESYNC cannot be read. */
  async follow() {
    while (!this.#isStopped) {
      this.#attempt = new AbortController()
      const { signal } = this.#attempt
      const onState = (state) => this.#page.setState(state === 'live' ? 'live' : 'reconnecting')
      try {
        if (!this.#cursor) await this.start()
        for await (const event of this.#user.events({ campaign_id: this.#campaignId, after: this.#cursor, signal, onState })) {
          await this.#applyOnce(event)
          // Only now: if applying fails, the same event is asked for again.
          this.#cursor = event.cursor
        }
      } catch (error) {
        if (signal.aborted) continue
        if (error instanceof StreamReplacedError)
          return this.#page.setState('ended', 'Stopped: this user has newer streams open in other tabs.')
        if (isFinal(error)) return this.#page.setState('ended', endedBecause(error))
        // The cursor is of no use to this reader, for example because the server has another database now.
        if (error.status === 400) this.#cursor = ''
        this.#page.setState('reconnecting')
        await sleep(PAUSE_MS * (0.5 + Math.random()), signal)
      }
    }
  }

  async #applyOnce(event) {
    if (this.#applied.has(event.id)) return
    await this.#apply(event)
    this.#applied.add(event.id)
    if (this.#applied.size > REMEMBERED_EVENTS) this.#applied.delete(this.#applied.values().next().value)
    this.#page.show(this.copies)
  }

  /**
   * The type of an event says what happened; `change` says what to do with a copy. That is all a copy needs: `character.vanished` is a REMOVE,
   * `sight.changed` and `feed.reset` are a RESYNC of the campaign or the company, or a REMOVE of the campaign.
   */
  async #apply(event) {
    const { change, resource_type: type, id, path, truncated } = event.data
    if (change === 'RESYNC' && type !== 'character') return this.#readAll()
    if (!SHOWN.includes(type) && change !== 'REMOVE') return
    // A large resource is left out of the event. If it has gone since then, an event says so soon.
    const resource = event.data.resource ?? (truncated && path ? await this.#gh.read(path).catch(ifHidden(null)) : null)
    applyChange(this.copies, { ...event, data: { ...event.data, resource } })
    if (type !== 'character' || change === 'UPSERT') return
    if (change === 'RESYNC') return this.#readPartsOf(id)
    // The rolls of an archived character stay in their list. Those of one that vanished do not.
    return this.#readRolls({}, this.copies)
  }

  /** Reads everything again into new copies, so that nothing stays that is hidden now. A campaign that is gone leaves none. */
  async #readAll() {
    const copies = new Copies()
    const reading = this.#user.campaigns.get(this.#campaignId)
    const campaign = await (this.#cursor ? reading.catch(ifHidden(null)) : reading)
    if (campaign) {
      const { members, characters, trackers, notes } = this.#campaign
      copies.put('campaign', campaign)
      await copies.putAll('member', members.list())
      await copies.putAll('tracker', trackers.list())
      await copies.putAll('note', notes.list({ scope: 'all' }))
      const sheets = characters.list({ include: ['trackers'], limit: 20 })
      for (const { trackers, ...character } of await sheets.all().catch(ifHidden([]))) {
        copies.put('character', character)
        // Those of a hidden sheet are null.
        for (const tracker of trackers ?? []) copies.put('tracker', tracker)
      }
      await this.#readRolls({}, copies)
    }
    this.copies = copies
  }

  /** Reads what belongs to a character, which may have become visible with it. */
  async #readPartsOf(id) {
    const { trackers, notes } = this.#campaign.character(id)
    await this.copies.putAll('tracker', trackers.list())
    await this.copies.putAll('note', notes.list())
    await this.#readRolls({ character_id: id }, this.copies)
  }

  async #readRolls(filter, copies) {
    const rolls = this.#user.diceRolls.list({ campaign_id: this.#campaignId, ...filter, sort: '-date_created' })
    for (const roll of await rolls.all(SHOWN_ROLLS).catch(ifHidden([]))) copies.put('dice_roll', roll)
  }
}

const sleep = (ms, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => resolve(clearTimeout(timer)))
  })

/** Returns what stands for a resource or list that the reader may not see, or that is gone. */
const ifHidden = (replacement) => (error) => {
  if (error instanceof ApiError && [403, 404].includes(error.status)) return replacement
  throw error
}

/** True if repeating a request cannot help: the token has ended, or its rights have. */
const isFinal = (error) => error instanceof ApiError && [401, 403, 404].includes(error.status)

function endedBecause({ code, status, detail, explanation }) {
  if (code === 'token_expired') return 'The token has expired. Connect again with a new one.'
  if (status === 401) return 'The token is not valid any more. It may have been revoked. Connect again with a new one.'
  if (status === 403) return `The token has no access here. ${explanation}`
  return `${detail}. It does not exist, or this user may not see it.`
}

// --- The page -----------------------------------------------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id)

/** Makes an element. Texts of users only ever become text nodes. */
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== false) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false && child !== ''))
  return element
}

/** What each element of a list was made from. */
const madeFrom = new WeakMap()

/**
 * Shows resources as the children of a list, in their order. An element is made again only if something in it changed: otherwise it keeps the focus, and is
 * not read out again. The version alone does not tell, because the same one may show more or less of itself after the rights of the reader changed.
 */
function showList(list, resources, make, shownIn = (resource) => resource) {
  const shown = new Map([...list.children].map((child) => [child.dataset.id, child]))
  const isFirst = list.dataset.filled !== 'true'
  let before = null
  for (const resource of resources) {
    // Only lists have `truncated`: without it, a resource is the same from a list and from the stream.
    const content = JSON.stringify(shownIn(resource), (name, value) => (name === 'truncated' ? undefined : value))
    let child = shown.get(resource.id)
    if (!child || madeFrom.get(child) !== content) {
      const made = make(resource)
      made.dataset.id = resource.id
      madeFrom.set(made, content)
      if (!isFirst) made.classList.add('fresh')
      child?.replaceWith(made)
      child = made
    }
    shown.delete(resource.id)
    const next = before ? before.nextSibling : list.firstChild
    if (child !== next) list.insertBefore(child, next)
    before = child
  }
  for (const gone of shown.values()) gone.remove()
  list.dataset.filled = 'true'
  const empty = list.closest('section')?.querySelector('.empty')
  if (empty) empty.hidden = resources.length > 0
}

/** Newest first. Ids are made in the order of time, and decide between two of the same millisecond. */
const byNewest = (a, b) => (a.date_created + a.id < b.date_created + b.id ? 1 : -1)
/** Player characters first, and the dead last. */
const rankOf = ({ type, status }) => (type === 'NPC' ? 1 : 0) + (status === 'ACTIVE' ? 0 : 2)
const byRank = (a, b) => rankOf(a) - rankOf(b) || a.name.localeCompare(b.name)
const words = (text) => text[0].toUpperCase() + text.slice(1).toLowerCase().replaceAll('_', ' ')
const badge = (text, kind = '') => el('span', { class: `badge ${kind}` }, text)

function timeOf(date) {
  const isToday = new Date(date).toDateString() === new Date().toDateString()
  const format = isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' }
  return el('time', { datetime: date }, new Intl.DateTimeFormat(undefined, format).format(new Date(date)))
}

const STATES = { connecting: 'Connecting', live: 'Live', reconnecting: 'Reconnecting', ended: 'Ended' }

class Page {
  state = 'connecting'

  setState(state, notice = '') {
    this.state = state
    $('state').dataset.state = state
    $('state').textContent = STATES[state]
    $('retry').hidden = state !== 'reconnecting'
    $('notice').textContent = notice
    $('notice').hidden = notice === ''
  }

  show(copies) {
    const [campaign] = copies.all('campaign')
    if (campaign) showCampaign(campaign, copies)
    else showNoCampaign()
    const characters = copies.all('character').sort(byRank)
    const trackersOf = (id) => copies.all('tracker').filter(({ character_id }) => character_id === id)
    showList(
      $('characters'),
      characters,
      (character) => characterCard(character, trackersOf(character.id), copies),
      (character) => [character, trackersOf(character.id), nameOf(copies, character.user_id)],
    )
    showList(
      $('notes'),
      copies.all('note').sort(byNewest),
      (note) => noteCard(note, copies),
      (note) => [note, nameOf(copies, note.author_id)],
    )
    showList(
      $('rolls'),
      copies.all('dice_roll').sort(byNewest).slice(0, SHOWN_ROLLS),
      (roll) => rollEntry(roll, copies),
      (roll) => [roll, rollerOf(roll, copies)],
    )
    $('log').setAttribute('aria-busy', 'false')
  }
}

const nameOf = (copies, user_id) => copies.find('member', user_id)?.name
const rollerOf = ({ character_id, user_id }, copies) => copies.find('character', character_id)?.name ?? nameOf(copies, user_id) ?? 'Someone'

function showNoCampaign() {
  $('campaign-name').textContent = 'No campaign'
  $('campaign-facts').textContent = ''
  $('campaign-description').textContent = 'It was deleted, or this user may not see it any more. If it comes back, it appears here.'
  $('levels').replaceChildren()
}

function showCampaign(campaign, copies) {
  document.title = `${campaign.name} · Guildhall live`
  $('campaign-name').textContent = campaign.name
  const facts = [words(campaign.status), campaign.in_game_date, `${copies.all('member').length} members`]
  $('campaign-facts').textContent = facts.filter(Boolean).join(' · ')
  $('campaign-description').textContent = campaign.description ?? ''
  const ofCampaign = copies.all('tracker').filter(({ character_id }) => character_id === null)
  const levels = (campaign.levels_display === 'HIDDEN' ? [] : ['danger', 'desperation']).map((key) => ({
    id: key,
    key,
    label: words(key),
    value: campaign[key],
    minimum: 0,
    maximum: 5,
    style: 'BOXES',
  }))
  showList($('levels'), [...levels, ...ofCampaign], gauge)
}

const MAX_BOXES = 12

/** A tracker: as boxes, as a clock, as a bar, or as a number. One whose value is hidden shows its name only. */
function gauge({ key, label, value, minimum, maximum, style }) {
  const isKnown = value !== null
  const figure = !isKnown ? 'hidden' : maximum === null ? String(value) : `${value} / ${maximum}`
  const share = isKnown && maximum !== null ? (value - minimum) / (maximum - minimum) : null
  const meter = {
    class: 'gauge',
    'data-key': key,
    ...(share !== null && {
      role: 'meter',
      'aria-valuenow': value,
      'aria-valuemin': minimum,
      'aria-valuemax': maximum,
      'aria-label': label,
    }),
  }
  const head = el('span', { class: 'gauge-head' }, el('span', { class: 'gauge-label' }, label), el('span', { class: 'figure' }, figure))
  return el('div', meter, head, share !== null && drawing(style, share, value - minimum, maximum - minimum))
}

function drawing(style, share, filled, size) {
  if (style !== 'NUMBER' && size <= MAX_BOXES) {
    const boxes = Array.from({ length: size }, (_, i) => el('i', { class: i < filled ? 'on' : 'off' }))
    return el('span', { class: style === 'CLOCK' ? 'boxes clock' : 'boxes', 'aria-hidden': 'true' }, ...boxes)
  }
  const bar = el('span')
  bar.style.inlineSize = `${Math.round(share * 100)}%`
  const kind = share <= 0.25 ? 'low' : share <= 0.5 ? 'middle' : 'high'
  return el('span', { class: `bar-track ${kind}`, 'aria-hidden': 'true' }, bar)
}

const SHOWN_TRAITS = 8

function characterCard({ name, type, status, concept, traits, visibility, user_id }, trackers, copies) {
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map(([first]) => first)
    .join('')
  const tags = [
    type === 'NPC' && badge('NPC'),
    status !== 'ACTIVE' && badge(words(status), status === 'DEAD' ? 'bad' : ''),
    visibility !== 'OPEN' && badge('Hidden from players', 'secret'),
  ]
  const player = nameOf(copies, user_id)
  const values = Object.entries(traits ?? {}).slice(0, SHOWN_TRAITS)
  return el(
    'li',
    { class: `card character ${type.toLowerCase()} ${status.toLowerCase()}` },
    el('span', { class: 'portrait', 'aria-hidden': 'true' }, initials),
    el(
      'div',
      { class: 'who' },
      el('h3', {}, name),
      ...tags,
      el('p', { class: 'concept' }, [concept, player && `played by ${player}`].filter(Boolean).join(' · ')),
    ),
    trackers.length > 0 && el('div', { class: 'gauges' }, ...trackers.sort((a, b) => (a.id < b.id ? -1 : 1)).map(gauge)),
    values.length > 0 &&
      el(
        'dl',
        { class: 'traits' },
        ...values.map(([trait, value]) => el('div', {}, el('dt', {}, words(trait)), el('dd', {}, String(value)))),
      ),
  )
}

const READERS = { STORYTELLER: 'Storytellers', AUTHOR: 'Author only' }

function noteCard({ title, body, visibility, author_id, date_created }, copies) {
  return el(
    'li',
    { class: 'card note' },
    el('h3', {}, title),
    READERS[visibility] && badge(READERS[visibility], 'secret'),
    body && el('p', { class: 'body' }, body),
    el('p', { class: 'facts' }, [nameOf(copies, author_id)].filter(Boolean).join(''), ' ', timeOf(date_created)),
  )
}

/** A die in the shape of its kind. Its flags are in its label, because color and shape say nothing to a screen reader. */
function dieOf({ sides, value, flags, kind }) {
  const shape = [4, 6, 8, 10, 12, 20].includes(sides) ? `d${sides}` : 'dx'
  const notes = flags.filter((flag) => flag !== 'kept').map((flag) => flag.replaceAll('_', ' '))
  const label = [kind === 'NORMAL' ? '' : `${kind.toLowerCase()} die`, value, ...notes].filter((part) => part !== '').join(', ')
  const classes = ['die', shape, kind.toLowerCase(), ...flags].join(' ')
  return el('span', { class: classes, title: `d${sides}: ${label}` }, el('span', {}, String(value)))
}

const SHOWN_DICE = 30

function rollEntry(roll, copies) {
  const { label, comment, notation, formula, pool, dice, total, net, outcome, visibility, date_voided, void_reason, source, date_created } =
    roll
  const pooled = pool && `${dice.length} dice${pool.difficulty ? ` against ${pool.difficulty}` : ''}`
  const result = total ?? net
  const tags = [
    outcome && badge(words(outcome), ['SUCCESS', 'CRITICAL'].includes(outcome) ? 'good' : 'bad'),
    visibility !== 'PUBLIC' && badge('Secret', 'secret'),
    source === 'MANUAL' && badge('At the table'),
    date_voided && badge('Voided', 'bad'),
  ]
  return el(
    'li',
    { class: `roll ${date_voided ? 'voided' : ''}` },
    el('div', { class: 'roll-head' }, el('h3', {}, rollerOf(roll, copies)), timeOf(date_created)),
    el('p', { class: 'roll-text' }, [comment, label].filter(Boolean).join(', '), ' ', el('code', {}, formula ?? notation ?? pooled ?? '')),
    el(
      'div',
      { class: 'roll-dice' },
      el(
        'span',
        { class: 'dice' },
        ...dice.slice(0, SHOWN_DICE).map(dieOf),
        dice.length > SHOWN_DICE && `and ${dice.length - SHOWN_DICE} more`,
      ),
      el('span', { class: 'roll-result' }, ...tags, el('strong', {}, result === null ? '' : String(result))),
    ),
    void_reason && el('p', { class: 'facts' }, void_reason),
  )
}

// --- Signing in ---------------------------------------------------------------------------------------------------------------------------------

const NO_KEYS = 'This is an API key. Use a user token: a key must never be in a browser.'

let follower

function showProblem(text) {
  $('problem').textContent = text
  $('problem').hidden = text === ''
}

/** The company and the user of a token, which it knows itself. */
async function complete(gh, settings) {
  const me = await gh.me.get()
  if (me.kind !== 'USER') throw new Error(NO_KEYS)
  $('reader').textContent = `${me.user.name}, ${me.company.name}`
  const known = { ...settings, company: settings.company || me.company.id, user: settings.user || me.user.id }
  if (known.campaign) return known
  const campaigns = await gh.company(known.company).as(known.user).campaigns.list().all()
  if (campaigns.length === 0) throw new Error('This user sees no campaign.')
  if (campaigns.length > 1) return offer(known, campaigns)
  return { ...known, campaign: campaigns[0].id }
}

/** Offers the campaigns to choose from. Returns nothing: choosing one connects. */
function offer(settings, campaigns) {
  const choice = ({ id, name, status }) => {
    const button = el('button', { type: 'button', class: 'quiet' }, name, ' ', badge(words(status)))
    button.addEventListener('click', () => connect({ ...settings, campaign: id }))
    return el('li', {}, button)
  }
  $('choices').replaceChildren(...campaigns.map(choice))
  $('choices').hidden = false
  $('choices').querySelector('button').focus()
}

async function connect(given) {
  showProblem('')
  if (/^glh_/.test(given.token)) return showProblem(NO_KEYS)
  try {
    const gh = new Guildhall({ baseUrl: given.server, token: given.token })
    const settings = await complete(gh, given)
    if (!settings) return
    const page = new Page()
    follower = new Follower(gh, settings, page)
    page.setState('connecting')
    await follower.start()
    storeSettings(settings)
    $('sign-in').hidden = true
    $('live').hidden = false
    await follower.follow()
  } catch (error) {
    showForm(given)
    if (error instanceof ConnectionError)
      showProblem(`${given.server} does not answer. Check the address, and that CORS_ORIGINS allows this page.`)
    else if (isFinal(error)) showProblem(endedBecause(error))
    else showProblem(error.explanation ?? error.message)
  }
}

function showForm(settings) {
  for (const name of FIELDS) $('connect').elements[name].value = settings?.[name] ?? ''
  $('live').hidden = true
  $('sign-in').hidden = false
}

$('connect').addEventListener('submit', (event) => {
  event.preventDefault()
  const form = new FormData($('connect'))
  connect(Object.fromEntries(FIELDS.map((name) => [name, String(form.get(name)).trim()])))
})
$('leave').addEventListener('click', () => {
  follower?.stop()
  storeSettings(null)
  location.reload()
})
$('retry').addEventListener('click', () => follower?.retryNow())
addEventListener('online', () => follower?.retryNow())

const settings = takeSettings()
$('problem').classList.remove('late')
showProblem('')
showForm(settings)
if (settings) connect(settings)
