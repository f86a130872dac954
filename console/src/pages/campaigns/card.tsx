import type { CampaignListItem } from '@guildhall/client'
import { useRef } from 'preact/hooks'
import { useActing } from '../../data/acting.ts'
import { Gauge } from '../../play/tide.tsx'
import { hrefOf, navigate } from '../../router.ts'
import { useAction } from '../../ui/action.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Initials } from '../../ui/marks.tsx'
import { Time } from '../../ui/time.tsx'
import { tell } from '../../ui/toast.tsx'
import { type CampaignDetails, useCampaignDetails } from './details.ts'
import { text } from './text.ts'

const TONES = { PLANNED: 'plain', ACTIVE: 'good', PAUSED: 'plain', COMPLETED: 'accent' } as const
const MAX_INITIALS = 6
/** The highest danger and desperation. */

interface CardProps {
  campaign: CampaignListItem
  /** The acting user is not a member, and may become one. */
  canJoin?: boolean
}

/** A campaign in the list. */
export function CampaignCard({ campaign, canJoin = false }: CardProps) {
  const { path } = useActing()
  const { id, name, description, status, danger, desperation, levels_display, access, joining } = campaign
  const element = useRef<HTMLElement>(null)
  const details = useCampaignDetails(id, element)
  return (
    <article class="card campaign-card" ref={element}>
      <header>
        <h3>
          <a href={hrefOf(`${path}/campaigns/${id}`)}>{name}</a>
        </h3>
        <span class="campaign-badges">
          <Badge tone={TONES[status]}>{text.statuses[status]}</Badge>
          {access === 'MEMBERS' && <Badge>{text.private}</Badge>}
        </span>
      </header>
      {description && <p class="card-text">{description}</p>}
      {levels_display === 'SHOWN' && (
        <div class="campaign-pips">
          <Gauge label={text.danger} value={danger} />
          <Gauge label={text.desperation} value={desperation} isDespair />
        </div>
      )}
      <footer class="campaign-foot">
        <Details details={details} />
        {canJoin && joining === 'OPEN' && <Join campaign={campaign} />}
        {canJoin && joining === 'INVITE' && <span class="quiet">{text.byInvite}</span>}
      </footer>
    </article>
  )
}

function Details({ details }: { details: CampaignDetails | undefined }) {
  if (!details) return <span class="campaign-people" />
  const { members, membersTotal, lastPlayed } = details
  const shown = members.slice(0, MAX_INITIALS)
  return (
    <>
      <span
        class="campaign-people"
        role="img"
        aria-label={text.members(
          shown.map(({ name }) => name),
          membersTotal,
        )}
        title={members.map(({ name }) => name).join(', ')}
      >
        {shown.map(({ id, name }) => (
          <Initials key={id} name={name} />
        ))}
        {membersTotal > shown.length && <span class="quiet">+{membersTotal - shown.length}</span>}
      </span>
      <span class="quiet campaign-played">
        {lastPlayed ? (
          <>
            {text.played} <Time at={lastPlayed} />
          </>
        ) : (
          text.neverPlayed
        )}
      </span>
    </>
  )
}

function Join({ campaign: { id, name } }: { campaign: CampaignListItem }) {
  const { api, path } = useActing()
  const { run, busy } = useAction(async () => {
    await api.campaign(id).members.join()
    tell(text.joined(name))
    navigate(`${path}/campaigns/${id}`)
  })
  return (
    <Button busy={busy} onClick={() => run()}>
      {text.join}
      <span class="visually-hidden"> {name}</span>
    </Button>
  )
}
