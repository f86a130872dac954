import type { IssuedSignInLink, Me } from '@guildhall/client'
import { useEffect, useRef } from 'preact/hooks'
import { gh } from '../data/client.ts'
import { useLoad } from '../data/load.ts'
import { hrefOf } from '../router.ts'
import { text as shared } from '../text.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { copyText } from '../ui/copy-text.ts'
import { Icon } from '../ui/icon.tsx'
import { Initials } from '../ui/marks.tsx'
import { Show } from '../ui/page.tsx'
import { PublicUrlHelp } from '../ui/public-url-help.tsx'
import { Qr } from '../ui/qr.tsx'
import { fullTime } from '../ui/time.tsx'
import { tell } from '../ui/toast.tsx'
import { heroes, type PlayerKey } from './adventure.ts'
import type { SampleTable } from './run.ts'
import { text } from './text.ts'

const LINK_SECONDS = 86_400
const PLAYERS = Object.keys(heroes) as PlayerKey[]

interface PlayerLink {
  player: PlayerKey
  name: string
  link: IssuedSignInLink
}

async function makeLinks({ company, people }: SampleTable, signal: AbortSignal): Promise<PlayerLink[]> {
  const made: PlayerLink[] = []
  for (const player of PLAYERS) {
    const { id, name } = people[player]
    const link = await gh.company(company.id).as(id).signInLinks.create({ expires_in: LINK_SECONDS }, { signal })
    made.push({ player, name, link })
  }
  return made
}

/** The table is made: the links for the players, and the way to the table. */
export function Ready({ me, table }: { me: Me; table: SampleTable }) {
  const links = useLoad((signal) => makeLinks(table, signal), [table.campaign.id])
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { company, people, campaign } = table
  return (
    <section class="setup" aria-labelledby="setup-title">
      <h2 id="setup-title" ref={title} tabIndex={-1}>
        {text.ready.title}
      </h2>
      <p>{text.ready.text(people.storyteller.name)}</p>
      {me.public_url === null && (
        <p class="setup-note">
          <Icon name="link" />
          <span>
            <strong>{text.ready.localOnly}</strong> {text.ready.localHint} <PublicUrlHelp />
          </span>
        </p>
      )}
      <Show of={links}>
        {(made) => (
          <>
            <ul class="player-links" aria-label={text.ready.links}>
              {made.map((each) => (
                <Player key={each.link.id} {...each} />
              ))}
            </ul>
            <p class="hint">
              {made[0] && text.ready.each(fullTime(made[0].link.date_expires))} {text.ready.once}
            </p>
          </>
        )}
      </Show>
      <div class="setup-actions">
        <ButtonLink look="primary" class="big" href={hrefOf(`/c/${company.id}/as/${people.storyteller.id}/campaigns/${campaign.id}`)}>
          {text.ready.open}
        </ButtonLink>
        {links.data && (
          <Button look="quiet" busy={links.isLoading} onClick={links.reload}>
            {text.ready.make}
          </Button>
        )}
      </div>
    </section>
  )
}

function Player({ player, name, link }: PlayerLink) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    field.current?.select()
    tell((await copyText(link.url)) ? text.ready.copied(name) : text.ready.select)
  }
  return (
    <li>
      <Initials name={name} />
      <span class="player-name">
        <strong>{name}</strong> <span class="quiet">{text.ready.plays(heroes[player].name)}</span>
      </span>
      <Qr of={link.url} label={text.ready.qr(name)} />
      <input ref={field} readOnly value={link.url} aria-label={text.ready.link(name)} onFocus={(event) => event.currentTarget.select()} />
      <Button icon="copy" aria-label={text.ready.copy(name)} onClick={copy}>
        {shared.copy}
      </Button>
    </li>
  )
}
