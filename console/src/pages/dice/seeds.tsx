import type { DiceSeed, RevealedSeed, WriteOptions } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { text as shared } from '../../text.ts'
import { useAction } from '../../ui/action.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { Secret } from '../../ui/marks.tsx'
import { Section, Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { text } from './text.ts'

/** The operations of one seed, of a user or a campaign. */
export interface SeedApi {
  get: (options: { signal: AbortSignal }) => Promise<DiceSeed>
  rotate: (options?: WriteOptions) => Promise<{ revealed: RevealedSeed }>
}

/** The seeds that the dice of the acting user and of the campaign follow from. */
export function Seeds() {
  const { api: user, path } = useActing()
  const {
    api: campaign,
    isStoryteller,
    campaign: { id },
  } = useCampaign()
  const words = text.seeds
  return (
    <Section title={words.title}>
      <p class="seeds-about">
        {words.about}{' '}
        <a href="/docs/fairness" target="_blank" rel="noopener">
          {words.docs}
        </a>
      </p>
      <ul class="cards seeds">
        <Seed key={`campaign ${id}`} title={words.campaign} api={campaign.diceSeeds} canRotate={isStoryteller} />
        {isStoryteller && <Seed key={`secret ${id}`} title={words.secret} api={campaign.secretDiceSeeds} canRotate isSecret />}
        <Seed key={path} title={words.mine} api={user.diceSeeds} canRotate />
      </ul>
    </Section>
  )
}

interface SeedProps {
  title: string
  api: SeedApi
  canRotate: boolean
  isSecret?: boolean
}

function Seed({ title, api, canRotate, isSecret = false }: SeedProps) {
  const words = text.seeds
  // Each roll takes the next number.
  const seed = useLiveLoad((signal) => api.get({ signal }), ['dice_seed', 'dice_roll'], [title])
  const [isAsking, setAsking] = useState(false)
  const [revealed, setRevealed] = useState<RevealedSeed>()
  const { run, busy } = useAction(async () => {
    setRevealed((await api.rotate()).revealed)
    setAsking(false)
    tell(words.done)
    await seed.reload()
  })
  return (
    <li class="card seed">
      <h3>
        {title} {isSecret && <Secret />}
      </h3>
      <Show of={seed}>
        {({ commitment, next_nonce }) => (
          <>
            <HexValue label={words.commitment} value={commitment} copyLabel={words.copyCommitment} />
            <p class="quiet">{words.next(next_nonce)}</p>
          </>
        )}
      </Show>
      {canRotate ? (
        <Button icon="seal" aria-label={`${words.rotate}: ${title}`} onClick={() => setAsking(true)}>
          {words.rotate}
        </Button>
      ) : (
        <p class="quiet">{words.onlyStorytellers}</p>
      )}
      {revealed && <HexValue label={words.revealed(revealed.rolls)} value={revealed.server_seed} copyLabel={words.copySeed} />}
      {isAsking && (
        <Confirm title={words.rotateTitle} action={words.rotate} busy={busy} onConfirm={() => run()} onClose={() => setAsking(false)}>
          <p>{words.rotateText}</p>
        </Confirm>
      )}
    </li>
  )
}

/** Hex digits in four-letter groups, with a button that copies them. */
function HexValue({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  const copy = async () => {
    if (await copyText(value)) tell(shared.copied)
  }
  return (
    <div class="hex">
      <span class="hex-label">{label}</span>
      <code>{value}</code>
      <IconButton label={copyLabel} icon="copy" onClick={copy} />
    </div>
  )
}
