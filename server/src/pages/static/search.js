// Searches the documentation. The index is a file that is loaded when the field gets the focus; nothing that is typed leaves the page.
const box = document.querySelector('.search')
const field = box.querySelector('input')
const results = box.querySelector('ul')
const state = box.querySelector('[role=status]')
const MAX_RESULTS = 12
const CONTEXT = 60

let index
const load = () =>
  (index ??= fetch(box.dataset.index)
    .then((response) => response.json())
    .then((entries) => entries.map((entry) => ({ entry, words: entry.map((text) => text.toLowerCase()) }))))

/** How well an entry answers: every word must be in it, and a word in a title counts more than one in the text. */
function score(words, asked) {
  const [page, section, , text] = words
  let sum = 0
  for (const word of asked) {
    const title = section || page
    const found = title.startsWith(word) ? 12 : title.includes(word) ? 8 : page.includes(word) ? 3 : text.includes(word) ? 1 : 0
    if (found === 0) return 0
    sum += found
  }
  return sum
}

/** The part of a text around the first word that was found. */
function excerpt(text, asked) {
  const at = Math.max(0, Math.min(...asked.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0), text.length))
  const start = at === text.length ? 0 : Math.max(0, at - CONTEXT)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 2.5 * CONTEXT)}${text.length > start + 2.5 * CONTEXT ? '…' : ''}`
}

function resultOf([page, section, address, text], asked) {
  const link = Object.assign(document.createElement('a'), { href: address })
  const title = Object.assign(document.createElement('b'), { textContent: section || page })
  const where = Object.assign(document.createElement('span'), { textContent: section ? page : '' })
  const context = Object.assign(document.createElement('small'), { textContent: excerpt(text, asked) })
  link.append(title, where, context)
  const item = document.createElement('li')
  item.append(link)
  return item
}

async function search() {
  const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  box.classList.toggle('asked', asked.length > 0)
  if (asked.length === 0) {
    results.replaceChildren()
    state.textContent = ''
    return
  }
  const entries = await load().catch(() => undefined)
  index = entries && index
  // Somebody may have typed on while the index was loaded.
  if (!entries || field.value.toLowerCase().split(/\s+/).filter(Boolean).join() !== asked.join()) {
    if (!entries) state.textContent = 'The search cannot be loaded. Try again.'
    return
  }
  const found = entries
    .map(({ entry, words }) => ({ entry, score: score(words, asked) }))
    .filter((one) => one.score > 0)
    .sort((a, b) => b.score - a.score)
  const shown = found.slice(0, MAX_RESULTS)
  results.replaceChildren(...shown.map(({ entry }) => resultOf(entry, asked)))
  state.textContent =
    found.length > MAX_RESULTS
      ? `${MAX_RESULTS} of ${found.length} results`
      : `${found.length || 'No'} result${found.length === 1 ? '' : 's'}`
}

box.hidden = false
field.addEventListener('focus', () => load().catch(() => {}))
field.addEventListener('input', search)
box.addEventListener('submit', (event) => {
  event.preventDefault()
  results.querySelector('a')?.click()
})
box.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && field.value) {
    event.preventDefault()
    field.value = ''
    field.focus()
    search()
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const stops = [field, ...results.querySelectorAll('a')]
  const next = stops[stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1)]
  if (!next) return
  event.preventDefault()
  next.focus()
})
// A link within the same page closes the menu of a phone, which would cover the section.
results.addEventListener('click', () => document.getElementById('pages').hidePopover?.())
document.addEventListener('keydown', (event) => {
  if (
    event.key !== '/' ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)
  )
    return
  event.preventDefault()
  const pages = document.getElementById('pages')
  if (getComputedStyle(pages).display === 'none') pages.showPopover?.()
  field.focus()
})
