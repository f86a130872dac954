import { type Me, metaOf } from '@guildhall/client'
import { gh } from '../../data/client.ts'
import { useReturn } from '../../data/focus.ts'
import { useLoad } from '../../data/load.ts'
import { Badge } from '../../ui/marks.tsx'
import { Section, Show } from '../../ui/page.tsx'
import { PublicUrlHelp } from '../../ui/public-url-help.tsx'
import { clockTime } from '../../ui/time.tsx'
import { type Policy, policiesIn } from './limits.ts'
import { text as all } from './text.ts'

const text = all.service
const CHECK_EVERY_MS = 10_000

interface Check {
  isGood: boolean
  ms: number
}

/** Requests a path of the service that is not part of its API, such as a health check. */
async function check(path: string, signal: AbortSignal): Promise<Check> {
  const start = performance.now()
  const isGood = await fetch(path, { signal, cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  return { isGood, ms: Math.round(performance.now() - start) }
}

const versionOf = async (signal: AbortSignal): Promise<string> =>
  ((await (await fetch('/api/v1', { signal, headers: { accept: 'application/json' } })).json()) as { version: string }).version

/** The health of the service, and its rate limits. */
export function Service({ me }: { me: Me }) {
  const health = useLoad(async (signal) => {
    const [live, ready] = await Promise.all([check('/health/live', signal), check('/health/ready', signal)])
    return { live, ready, time: new Date().toISOString() }
  }, [])
  const version = useLoad(versionOf, [])
  const limits = useLoad(async (signal) => policiesIn(metaOf(await gh.account.get({ signal }))?.headers), [])
  useReturn(() => {
    health.reload()
    limits.reload()
  }, CHECK_EVERY_MS)
  return (
    <>
      <Section title={text.health}>
        <Show of={health}>
          {({ live, ready, time }) => (
            <>
              <ul class="rows">
                <HealthRow name={text.live} meaning={text.liveText} check={live} />
                <HealthRow name={text.ready} meaning={text.readyText} check={ready} />
              </ul>
              <p class="hint">{text.checkedAt(clockTime(time))}</p>
            </>
          )}
        </Show>
      </Section>
      <Section title={text.version}>
        <dl class="card values">
          <div>
            <dt>{text.version}</dt>
            <dd>
              <Show of={version}>{(value) => value}</Show>
            </dd>
          </div>
          <div>
            <dt>{text.publicUrl}</dt>
            <dd>
              {me.public_url ?? (
                <>
                  {text.noPublicUrl} <PublicUrlHelp />
                </>
              )}
            </dd>
          </div>
        </dl>
      </Section>
      <Section title={text.limits}>
        <Show of={limits}>{(policies) => <Limits policies={policies} />}</Show>
      </Section>
      <Section title={text.documentation}>
        <ul class="rows">
          {DOCUMENTS.map(([href, name]) => (
            <li key={href}>
              <a class="row" href={href}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

const DOCUMENTS = [
  ['/docs', text.docs],
  ['/docs/operating', text.operating],
  ['/docs/reference', text.reference],
  ['/openapi.json', text.openapi],
] as const

function HealthRow({ name, meaning, check: { isGood, ms } }: { name: string; meaning: string; check: Check }) {
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <strong>{name}</strong>
          <Badge tone={isGood ? 'good' : 'bad'}>{isGood ? text.good : text.bad}</Badge>
        </span>
        <span class="quiet">{meaning}</span>
      </div>
      <span class="end quiet">{text.answered(ms)}</span>
    </li>
  )
}

function Limits({ policies }: { policies: Policy[] }) {
  if (!policies.length) return <p class="quiet">{text.noLimits}</p>
  return (
    <>
      <p class="lead">{text.limitsText}</p>
      <ul class="rows">
        {policies.map(({ name, quota, window, left }) => (
          <li key={name} class="row">
            <strong>{text.limit(quota, window)}</strong>
            {left !== undefined && <span class="end quiet">{text.left(left)}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}
