// The page shows /party, asks for it again whenever /events says that something changed, and posts what is pressed.

const $ = (id) => document.getElementById(id)

function showProblem(text = '') {
  $('problem').textContent = text
  $('problem').hidden = text === ''
}

async function ask(path, body) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(path, init).catch(() => undefined)
  const reply = await response?.json().catch(() => undefined)
  showProblem(response?.ok ? '' : (reply?.message ?? 'The party tracker does not answer.'))
  return response?.ok ? reply : undefined
}

function button(text, label, press) {
  const made = document.createElement('button')
  Object.assign(made, { type: 'button', textContent: text, ariaLabel: label })
  made.addEventListener('click', press)
  return made
}

/** A press adds to what the others at the table pressed, so the page never sends a value that it has seen. */
const move = (id, key, by) => () => ask('/move', { id, key, by })

function slotsOf({ id, name }, { key, label, value, maximum }) {
  const row = document.createElement('p')
  const boxes = Array.from({ length: maximum }, (_, i) => {
    const isFull = i < value
    const made = button('', `${isFull ? 'Spend' : 'Regain'} a slot of ${name}, ${label}`, move(id, key, isFull ? -1 : 1))
    made.className = isFull ? 'full' : 'spent'
    return made
  })
  row.append(Object.assign(document.createElement('span'), { textContent: label }), ...boxes)
  return row
}

function cardOf({ id, name, concept, player, traits, trackers }) {
  const card = $('hero').content.cloneNode(true).firstElementChild
  const find = (selector) => card.querySelector(selector)
  const health = trackers.find(({ key }) => key === 'hit_points') ?? { value: 0, maximum: 0 }
  find('h2').textContent = name
  find('.concept').textContent = [concept, player?.name].filter(Boolean).join(' · ')
  find('.armor strong').textContent = traits?.armor_class ?? '?'
  find('.health strong').textContent = `${health.value} / ${health.maximum}`
  const low = health.maximum / 3
  Object.assign(find('meter'), { max: health.maximum, low, high: low * 2, optimum: health.maximum, value: health.value })
  find('meter').ariaLabel = `Hit points of ${name}`
  const moves = [-5, -1, 1, 5].map((by) => {
    const text = by < 0 ? `−${-by}` : `+${by}`
    return button(text, `${by < 0 ? 'Hit' : 'Heal'} ${name} for ${Math.abs(by)}`, move(id, 'hit_points', by))
  })
  find('.moves').append(...moves)
  find('.slots').append(...trackers.filter(({ key }) => key.startsWith('slots_')).map((slots) => slotsOf({ id, name }, slots)))
  find('.initiative').ariaLabel = `Roll initiative for ${name}`
  find('.initiative').addEventListener('click', () => ask('/roll', { id, notation: '1d20+{dex_mod}', comment: 'Initiative' }))
  card.classList.toggle('down', health.value === 0)
  return card
}

async function show() {
  const party = await ask('/party')
  if (!party) return
  // The cards are made again, so the button that had the focus is found by its label.
  const focused = document.activeElement?.ariaLabel
  $('name').textContent = document.title = party.name
  $('heroes').replaceChildren(...party.heroes.map(cardOf))
  $('empty').hidden = party.heroes.length > 0
  const entries = party.rolls.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text }))
  $('rolls').replaceChildren(...entries)
  if (focused) [...$('heroes').querySelectorAll('button')].find(({ ariaLabel }) => ariaLabel === focused)?.focus()
}

$('rest').addEventListener('click', () => ask('/rest', {}))
$('add').addEventListener('submit', async (event) => {
  event.preventDefault()
  const form = event.target
  const hero = Object.fromEntries(new FormData(form))
  for (const field of ['hit_points', 'armor_class', 'dex_mod']) hero[field] = Number(hero[field])
  hero.slots = hero.slots.trim().split(/\s+/).filter(Boolean).map(Number)
  if (await ask('/add', hero)) form.reset()
})

const events = new EventSource('/events')
const setState = (state, text) => Object.assign($('state'), { textContent: text }).setAttribute('data-state', state)
events.addEventListener('open', () => setState('live', 'Live'))
events.addEventListener('error', () => setState('lost', 'Connection lost'))
events.addEventListener('message', show)
