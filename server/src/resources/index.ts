import { options } from './options/routes.ts'

/** The whole API, one line per resource. Routes may import any resource; all other files of a resource import only resources listed before it. */
const resources = await Promise.all([
  import('./developers/routes.ts'),
  import('./keys/routes.ts'),
  import('./admin/routes.ts'),
  import('./companies/routes.ts'),
  import('./grants/routes.ts'),
  import('./dice-seeds/routes.ts'),
  import('./users/routes.ts'),
  import('./tokens/routes.ts'),
  import('./sign-in-links/routes.ts'),
  import('./console-session/routes.ts'),
  import('./audit-logs/routes.ts'),
  import('./packs/routes.ts'),
  import('./rulesets/routes.ts'),
  import('./ruleset-versions/routes.ts'),
  import('./campaigns/routes.ts'),
  import('./members/routes.ts'),
  import('./invites/routes.ts'),
  import('./characters/routes.ts'),
  import('./inventory/routes.ts'),
  import('./trackers/routes.ts'),
  import('./conditions/routes.ts'),
  import('./campaign-rulesets/routes.ts'),
  import('./books/routes.ts'),
  import('./chapters/routes.ts'),
  import('./notes/routes.ts'),
  import('./search/routes.ts'),
  import('./dice-rolls/routes.ts'),
  import('./sheet-rolls/routes.ts'),
  import('./creations/routes.ts'),
  import('./quick-rolls/routes.ts'),
  import('./dice/routes.ts'),
  import('./statistics/routes.ts'),
  import('./experience/routes.ts'),
  import('./costs/routes.ts'),
  import('./history/routes.ts'),
  import('./terms/routes.ts'),
  import('./webhooks/routes.ts'),
  import('./changes/routes.ts'),
  import('./streams/routes.ts'),
  import('./webhook-deliveries/routes.ts'),
])

const listed = resources.flatMap((routes) => Object.values(routes).flat())

export const operations = [...listed, ...options(listed)]
