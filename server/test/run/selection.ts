import { globSync } from 'node:fs'

/** Where the tests run: on the embedded server, on another one, or with something between the tests and the service. */
export type Target = 'embedded' | 'pooled' | 'citus' | 'proxied' | 'client'

/** A test file, relative to the server, with the tests of it that run: all, or those whose names match. */
export interface Selected {
  file: string
  names?: RegExp
}

/** Test files that run in one process, one after the other, on one database. */
export interface Job {
  files: string[]
  names?: RegExp
}

const tests = (names: string) => new RegExp(`^test/(${names})\\.test\\.ts$`)

/** Tests that start a Citus cluster of their own, beside the embedded server. They run if they are named. */
const OF_CLUSTERS = tests('distribute|scaling-guide')

/** Tests that start their own servers, use none, or run no statement that other tests do not run: they are not repeated on another server. */
const NOT_REPEATED = tests(
  [
    'embedded|embedded-log|data-folder|start|start-failures|cli|cluster|backup|restore|deploy|redis|overload|observe|log',
    'docs|docs-pages|docs-browser|live-page|party|discord-bot|console|webhook-commands|openapi|openapi-webhooks|parameter-names|stated-rules',
    'architecture|language|mutants|new-resource|split-statements|core|bodies|naughty|negotiation|compression|response-size|wire|sockets|rate-limit',
    'fairness|fairness-of-pool|rules|example-rulesets|pack-examples|formula-reference|hostile-rulesets|verify-named-roll|excerpts',
    // Every operation with every kind of caller: conformance.test.ts runs the operations, and the tests of tokens and sessions the callers.
    'conformance-sessions|conformance-tokens',
  ].join('|'),
)

/** Tests that are repeated on another target if none are named: those that prove what is different there. `npm run proof` repeats all of them. */
interface Part {
  files: RegExp
  names?: RegExp
}
const STORIES = /^src\/(resources|deliver)\//
/** Titles of tests with parallel requests, or that count statements. */
const CONCURRENT = /concurrent|parallel|at once|two processes|same time|races with|a removal happen|statements?\b|without gaps/
const DIFFERENT: Record<Exclude<Target, 'embedded'>, Part[]> = {
  // No state in a session, an older PostgreSQL, and two processes.
  pooled: [
    { files: tests('client|migrate|sequencer|caller-cache|idempotency|processes|revoked|cursor-plans|settled-counts') },
    { files: tests('conformance'), names: /declared status|replays/ },
    { files: STORIES, names: CONCURRENT },
    { files: /^src\/resources\/(search|statistics|streams)\/|\/lists\.test/ },
  ],
  // Every statement is routed to the shard of its company, and takes as many round trips as expected.
  citus: [
    { files: tests('routing|statements|sequencer|settled-counts') },
    { files: tests('conformance'), names: /declared status/ },
    { files: STORIES, names: CONCURRENT },
  ],
  // An independent validator, and our own client: what they refuse does not depend on the tests, so a few stories of each kind of request are enough.
  proxied: [{ files: /^src\/resources\/(users|campaigns|characters|dice-rolls|notes|books|tokens|rulesets|webhooks)\/[a-z-]+\.test/ }],
  client: [
    {
      files:
        /^src\/resources\/(users|campaigns|characters|dice-rolls|notes|books|tokens|rulesets|webhooks|invites|experience)\/[a-z-]+\.test/,
    },
  ],
}

/** The tests of a file that the words choose: `users` all of them, `users:link` those whose title matches. */
function chosenBy(words: string[], file: string): { names?: RegExp } | undefined {
  const matching = words.map((word) => word.split(':')).filter(([path]) => file.includes(path as string))
  if (matching.length === 0) return undefined
  const patterns = matching.map(([, pattern]) => pattern)
  return patterns.every((pattern) => pattern !== undefined) ? { names: new RegExp(patterns.join('|')) } : {}
}

/** Returns the tests to run: those that words choose, or, without words, all or the part for the target. */
export function selectTests(root: string, target: Target, words: string[], all: boolean): Selected[] {
  // The engines of dice and rules need no database; client and console are tested once, on one server.
  const others = ['../{dice,rules}/src/**/*.test.ts', '../client/test/**/*.test.ts', '../console/test/**/*.test.ts']
  const files = globSync(['{src,test}/**/*.test.ts', ...(target === 'embedded' ? others : [])], { cwd: root }).toSorted()
  const can = files.filter((file) => {
    if (target === 'embedded') return words.length > 0 || !OF_CLUSTERS.test(file)
    if (NOT_REPEATED.test(file) || OF_CLUSTERS.test(file)) return false
    return target === 'pooled' || target === 'citus' || file.startsWith('src/resources/')
  })
  return can.flatMap((file) => {
    const chosen =
      words.length > 0 ? chosenBy(words, file) : target === 'embedded' || all ? {} : DIFFERENT[target].find(({ files }) => files.test(file))
    return chosen ? [{ file, ...(chosen.names && { names: chosen.names }) }] : []
  })
}

/**
 * Tests that can share a process and a database, because each makes its own company: loading the service and cloning a database takes longer than
 * most of them. Tests of a whole database or process are not among them, nor are those that move the clock ahead: the ids of a process do not go back, so
 * that for some time everything that it makes has the same date.
 */
const SHARED: RegExp[] = [
  /^src\/resources\/(?!(admin|statistics|streams|invites|keys|tokens|sign-in-links)\/|dice-rolls\/fold|experience\/experience|\w+(-\w+)*\/rules\.test)/,
  tests(
    'application-data|bodies|compression|docs-pages|example-rulesets|excerpts|formula-reference|hostile-rulesets|lists|negotiation|openapi-webhooks|pack-examples|paging|parameter-names|secrets-rulesets|stated-rules|verify-named-roll',
  ),
  // They share a browser, too.
  /^\.\.\/console\/test\/(?!build|generate|size|routes)|^test\/party\.test/,
  /^\.\.\/(dice|rules)\/|^src\/(core|db|events|http|outbound|pages)\/|^src\/resources\/\w+(-\w+)*\/rules\.test|^test\/(architecture|fairness-of-pool|language|mutants|openapi|response-size)\.test/,
]

/** Divides test files into jobs: shared ones into at most `parts` for each kind, which take about as long as each other. */
export function intoJobs(selected: Selected[], parts: number): Job[] {
  const kinds = new Map<string, Selected[]>()
  for (const one of selected) {
    const kind = SHARED.findIndex((files) => files.test(one.file))
    const name = kind === -1 ? one.file : `${kind} ${one.names ?? ''}`
    kinds.set(name, [...(kinds.get(name) ?? []), one])
  }
  return [...kinds.values()].flatMap((kind) => {
    const { names } = kind[0] as Selected
    // The files are sorted by the time that they take, so every part gets some of the long ones.
    const files = Array.from({ length: Math.min(parts, kind.length) }, (_, part) =>
      kind.flatMap(({ file }, i) => (i % parts === part ? [file] : [])),
    )
    return files.map((part) => ({ files: part, ...(names && { names }) }))
  })
}
