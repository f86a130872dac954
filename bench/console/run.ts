import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { migrate } from '../../server/src/db/migrate.ts'
import { watch } from '../machine.ts'
import { median, quantile } from '../measure.ts'
import { database, service, stop } from '../parts.ts'
import { closePage, newScene, type Scene } from './scene.ts'

// npm run bench -- --only console     how fast the console is in a browser: on a slow phone, at every screen of a table, and at a start

const PAINTS = 5
const ROLLS = 20
const STARTS = 3
/** Without, as the target has it, and as on a slow mobile network. */
const LATENCIES_MS = [0, 150]
const PEOPLE = ['Robin', 'Ada', 'Ben', 'Cleo']

const MAX_PAINT_MS = 2000
const MAX_LANDING_MS = 100
const MAX_LONGER_MS = 2000

/** A phone at four times the CPU time of this machine, on a connection of 1.6 Mbit/s. */
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const CPU_SLOWDOWN = 4
const NETWORK = { offline: false, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 }

/** Notes when the page has drawn the tray and everything that it waits for: the feed with the last roll, and nothing that is loading. */
const NOTE_PAINT = `{
  const isThere = () => document.querySelector('.feed .roll') && document.querySelector('.tray') && !document.querySelector('.loading')
  const watched = new MutationObserver(() => {
    if (!isThere()) return
    watched.disconnect()
    requestAnimationFrame(() => setTimeout(() => { window.paintedMs = performance.now() }))
  })
  watched.observe(document, { childList: true, subtree: true, attributes: true })
}`

/** Opens the Table on a slow phone with an empty cache. Returns the milliseconds until it was drawn. */
async function paintTable(scene: Scene, latencyMs: number): Promise<number> {
  const page = await scene.openAs('Ada', PHONE)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', { ...NETWORK, latency: latencyMs })
  await page.addInitScript(NOTE_PAINT)
  await page.goto(scene.person('Ada').path, { waitUntil: 'commit' })
  await page.waitForFunction('window.paintedMs')
  const ms = Number(await page.evaluate('window.paintedMs'))
  await closePage(page)
  return ms
}

/** Notes when each roll has been drawn, by the words that it was made with, since the epoch. */
const NOTE_ROLLS = `{
  window.landed = {}
  const look = () => {
    for (const { textContent } of document.querySelectorAll('.feed .roll')) {
      const word = textContent.match(/Landing \\d+/)?.[0]
      if (word && !(word in landed)) {
        landed[word] = 0
        requestAnimationFrame(() => setTimeout(() => { landed[word] = performance.timeOrigin + performance.now() }))
      }
    }
  }
  new MutationObserver(look).observe(document, { childList: true, subtree: true })
}`

async function openTable(scene: Scene, name: string): Promise<Page> {
  const page = await scene.openAs(name, { viewport: { width: 1280, height: 860 } })
  await page.addInitScript(NOTE_ROLLS)
  await page.goto(scene.person(name).path)
  await page.locator('.top-bar .live.live').waitFor()
  await page.locator('.feed .roll').first().waitFor()
  return page
}

/** Rolls at a table with four screens. Returns the milliseconds from each answer to each screen. */
async function landRolls(scene: Scene): Promise<number[]> {
  const pages: Page[] = []
  for (const name of PEOPLE) pages.push(await openTable(scene, name))
  const ada = scene.gh.company(scene.table.company_id).as(scene.person('Ada').id)
  const delays: number[] = []
  for (let round = 0; round < ROLLS; round++) {
    const comment = `Landing ${round}`
    await ada.diceRolls.create({ notation: '2d6+3', campaign_id: scene.table.campaign_id, comment })
    const answered = performance.timeOrigin + performance.now()
    for (const page of pages) {
      await page.waitForFunction(`landed[${JSON.stringify(comment)}] > 0`)
      delays.push(Math.max(0, Number(await page.evaluate(`landed[${JSON.stringify(comment)}]`)) - answered))
    }
  }
  for (const page of pages) await closePage(page)
  return delays
}

/** Builds the console, as the first start in a fresh clone does. Returns the milliseconds. */
function build(): number {
  const console = new URL('../../console/', import.meta.url)
  rmSync(new URL('dist/', console), { recursive: true, force: true })
  const began = performance.now()
  const { status } = spawnSync(process.execPath, [new URL('build.mjs', console).pathname], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The console cannot be built.')
  return performance.now() - began
}

/** Returns by how many milliseconds the console delays the first answer of the service: the fastest starts with it and without. */
async function delayStart(): Promise<number> {
  const db = await database()
  await migrate(db.url)
  const fastest = { on: Number.POSITIVE_INFINITY, off: Number.POSITIVE_INFINITY }
  for (let round = 0; round < STARTS; round++) {
    for (const setting of ['on', 'off'] as const) {
      const began = performance.now()
      const { child } = await service(db.url, 1, { CONSOLE: setting })
      fastest[setting] = Math.min(fastest[setting], performance.now() - began)
      await stop(child)
    }
  }
  await db.stop()
  return fastest.on - fastest.off
}

const whole = (ms: number) => ms.toFixed(0)

/** Measures the console in a browser, and says which figures miss their target. */
export async function measureConsole(log: (message: string) => void): Promise<boolean> {
  log('building and starting')
  const buildMs = build()
  const startMs = await delayStart()
  const stopWatching = watch([])
  const scene = await newScene()
  log('painting the Table on a slow phone')
  const paints = LATENCIES_MS.map((latency) => ({ latency, times: [] as number[] }))
  for (const { latency, times } of paints) {
    for (let round = 0; round < PAINTS; round++) times.push(await paintTable(scene, latency))
  }
  log('rolling at a table of four')
  const delays = await landRolls(scene)
  // A page that is drawn while others use the machine says little about the console.
  const othersPercent = 100 * stopWatching().others
  await scene.close()
  const rows: [name: string, figure: string, isMet: boolean][] = [
    ...paints.map(({ latency, times }): [string, string, boolean] => [
      `the Table is drawn on a slow phone with an empty cache and ${latency} ms of latency, ms, median and longest of ${PAINTS}`,
      `${whole(median(times))}, ${whole(Math.max(...times))}`,
      median(times) <= MAX_PAINT_MS || latency > 0,
    ]),
    [
      `a roll is drawn at four screens after its answer, ms, median, 95 % and longest of ${delays.length}`,
      `${whole(median(delays))}, ${whole(quantile(delays, 0.95))}, ${whole(Math.max(...delays))}`,
      quantile(delays, 0.95) <= MAX_LANDING_MS,
    ],
    [
      'a first start takes longer by the build of the console, and by its files, ms',
      `${whole(buildMs)}, ${whole(startMs)}`,
      buildMs + startMs <= MAX_LONGER_MS,
    ],
  ]
  console.log(`Other processes used ${whole(othersPercent)} % of the machine.`)
  for (const [name, value, isMet] of rows) console.log(`${isMet ? 'met   ' : 'missed'}  ${name}: ${value}`)
  return rows.every(([, , isMet]) => isMet)
}
