import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

// Tests do not depend on luck: on the speed of the machine, on unprinted random numbers, or on the end of a loop.

const root = new URL('../../', import.meta.url).pathname

/** Patterns of tests that pass or fail by luck, each with its replacement. */
const HABITS = {
  timer: [
    /(?<![.\w])(sleep|setTimeout|setInterval)\(/,
    'Wait for an event: a promise, until() of until.ts, or untilBlocked() of locks.ts.',
  ],
  'upper bound': [
    /\bnow\(\)[^=]*[^=]<=? |(?<=[^=])<=? [^,]*\bnow\(\)|([mM]s|fastest|median)\b < \d/,
    'Assert the order of events. A test that judges speed belongs in bench/.',
  ],
  random: [/\bMath\.random\b|(?<![.\w])random\(\) /, 'Take randomOf() of random.ts, which TEST_SEED repeats.'],
  'endless loop': [/\bwhile \(|\bfor \([^;]*;\s*;/, 'Give the loop a bound, or use until() or repeat() of until.ts.'],
} as const
type Habit = keyof typeof HABITS

const SPEED = 'Judges speed, by a bound far above what is measured alone.'
const NEAR = 'Compares a date with the time of the test: nothing waits for it.'

/** The only files with such lines, and the reason. */
const EXCEPTIONS: Record<string, Partial<Record<Habit, string>>> = {
  'server/src/deliver/failing.test.ts': { timer: 'Gives a deliverer that polls all the time the chance to send too early.' },
  'server/src/core/shares/fair-queue.test.ts': { timer: 'The burst lasts longer than the bound of an overload.' },
  'server/src/outbound/post.test.ts': { timer: 'The endpoint sends its response slowly.' },
  'server/src/resources/dice/dice.test.ts': { 'upper bound': SPEED },
  'server/src/resources/keys/keys.test.ts': { 'upper bound': NEAR },
  'server/src/resources/dice-rolls/void.test.ts': { 'upper bound': NEAR },
  'server/src/resources/search/search.test.ts': { 'upper bound': SPEED },
  'server/src/resources/streams/races.test.ts': { timer: 'Gives the streams that are open the time to read what came before.' },
  'server/src/resources/streams/streams.test.ts': { timer: 'Gives a stream the chance to send what was read too early.' },
  'server/src/resources/tokens/tokens.test.ts': { 'upper bound': NEAR },
  'server/test/backup.test.ts': { timer: 'Reads the memory of a process while it runs.' },
  'server/test/bodies.test.ts': { 'upper bound': SPEED },
  'server/test/discord-bot.test.ts': { timer: 'The proxy in front of the service is slow.' },
  'server/test/embedded.test.ts': { timer: 'Ends a start at moments that no event marks.' },
  'server/test/stream-clients.test.ts': { timer: 'The client waits as long as the service asks it to.' },
  'server/test/webhook-mirror.test.ts': { timer: 'Moves the clock from time to time while others work.' },
}

/** The lines of a source that have the habit. */
const linesWith = (habit: Habit, source: string) =>
  source.split('\n').flatMap((line, i) => (HABITS[habit][0].test(line.replace(/^\s*(\/\/|\*).*/, '')) ? [`${i + 1}: ${line.trim()}`] : []))

const files = globSync(['server/{src,test}/**/*.test.ts', '{client,console}/test/**/*.test.ts', '{dice,rules}/src/**/*.test.ts'], {
  cwd: root,
})

test('no test depends on the speed of the machine, on unprinted random numbers, or on an endless loop', () => {
  assert.ok(files.length > 200)
  const found = files.flatMap((file) =>
    file === 'server/test/luck.test.ts'
      ? []
      : (Object.keys(HABITS) as Habit[]).flatMap((habit) =>
          EXCEPTIONS[file]?.[habit]
            ? []
            : linesWith(habit, readFileSync(root + file, 'utf8')).map((line) => `${file}:${line}\n  ${habit}. ${HABITS[habit][1]}`),
        ),
  )
  assert.deepEqual(found, [], found.join('\n'))
})

test('every exception is used', () => {
  const unused = Object.entries(EXCEPTIONS).flatMap(([file, habits]) =>
    (Object.keys(habits) as Habit[])
      .filter((habit) => !linesWith(habit, readFileSync(root + file, 'utf8')).length)
      .map((habit) => [file, habit]),
  )
  assert.deepEqual(unused, [])
})

test('each habit is recognized', () => {
  const examples: [Habit, bad: string, good: string][] = [
    ['timer', 'await sleep(50)', 'await db.query(sql`SELECT pg_sleep(1)`)'],
    ['timer', 'await new Promise((resolve) => setTimeout(resolve, 150))', 'app.server.setTimeout(300)'],
    ['upper bound', 'assert.ok(performance.now() - startedAt < 2000)', 'assert.ok(performance.now() - startedAt > 990)'],
    ['upper bound', 'for (const end = Date.now() + 5000; Date.now() < end; )', 'new Date(Date.now() + clock.ahead)'],
    ['upper bound', 'assert.ok(waitedMs < 900)', 'assert.ok(waitedMs >= 990)'],
    ['random', 'const port = 20_000 + Math.floor(Math.random() * 20_000)', 'random.below(20)'],
    ['random', 'sql`SELECT pid FROM pg_stat_activity ORDER BY random() LIMIT 3`', 'random.next()'],
    ['endless loop', 'while (going) await send()', 'const stop = repeat(send)'],
    ['endless loop', 'for (;;) {', 'for (let i = 0; i < 3; i++) {'],
    ['endless loop', 'for (let offset = 0; ; offset += 7) {', 'for (const [i] of list.entries()) {'],
  ]
  for (const [habit, bad, good] of examples) assert.deepEqual([linesWith(habit, bad).length, linesWith(habit, good)], [1, []], bad)
})
