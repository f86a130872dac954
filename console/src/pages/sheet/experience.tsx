import type { Campaign, ExperienceBalance, ExperienceEntryListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useLiveLoad } from '../../data/live-load.ts'
import { useUserNames } from '../../data/names.ts'
import { AwardDialog } from '../../play/award-dialog.tsx'
import { labelOf } from '../../play/character-words.ts'
import { mayUndo } from '../../play/may-undo.ts'
import { Button } from '../../ui/button.tsx'
import { Badge } from '../../ui/marks.tsx'
import { Empty, Section, Show } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { useEntries } from './ledger.ts'
import type { SheetScope } from './rights.ts'
import { TraitCosts } from './ruled/costs.tsx'
import { SpendDialog } from './spend-dialog.tsx'
import { text } from './text.ts'
import { UndoButton } from './undo.tsx'

const words = text.experience

/** The experience of a character, or of its player: the balance, and the entries that it is the sum of. */
export function Experience({ sheet }: { sheet: SheetScope }) {
  const { api, campaign, path } = useCampaign()
  const { character, rights } = sheet
  const [isOpen, setOpen] = useState(false)
  const [isAwarding, setAwarding] = useState(false)
  const balance = useLiveLoad<ExperienceBalance | null>(
    async (signal) => (await api.characters.get(character.id, { include: ['experience'] }, { signal })).experience ?? null,
    ['experience'],
    [character.id],
  )
  const entries = useEntries(sheet)
  const nameOf = useUserNames((entries.data ?? []).map(({ awarded_by }) => awarded_by))
  const maySpend = rights.isStoryteller || rights.isOwn
  const { available = 0, earned = 0, spent = 0 } = balance.data ?? {}
  return (
    <Section
      title={text.tabs.experience}
      class="tab-section"
      actions={
        maySpend &&
        available > 0 && (
          <Button look="primary" onClick={() => setOpen(true)}>
            {words.spend}
          </Button>
        )
      }
    >
      <Show of={balance}>
        {() => (
          <dl class="figures">
            <Figure label={words.available} value={available} />
            <Figure label={words.earned} value={earned} />
            <Figure label={words.spent} value={spent} />
          </dl>
        )}
      </Show>
      {campaign.experience_per === 'USER' && character.player && <p class="quiet small">{words.ofPlayer(character.player.name)}</p>}
      {maySpend && campaign.ruleset_version_id && <TraitCosts sheet={sheet} />}
      <Show of={entries}>
        {(all) =>
          all.length ? (
            <>
              <h3 class="list-title">{words.entries}</h3>
              <ul class="rows">
                {all.map((entry) => (
                  <li key={entry.id}>
                    <Entry entry={entry} sheet={sheet} writer={nameOf(entry.awarded_by)} />
                  </li>
                ))}
              </ul>
            </>
          ) : (
            <Empty
              title={words.none}
              action={
                rights.isStoryteller && (
                  <Button look="primary" onClick={() => setAwarding(true)}>
                    {words.award}
                  </Button>
                )
              }
              call={rights.isStoryteller && curl('POST', `${path}/experience/awards`, sampleAward(sheet, campaign.experience_per))}
            >
              {words.noneText}
            </Empty>
          )
        }
      </Show>
      {isOpen && <SpendDialog sheet={sheet} available={available} onClose={() => setOpen(false)} />}
      {isAwarding && <AwardDialog onClose={() => setAwarding(false)} />}
    </Section>
  )
}

const sampleAward = ({ character: { id, user_id } }: SheetScope, per: Campaign['experience_per']) => ({
  reason: 'Saved the lighthouse',
  awards: [{ ...(per === 'USER' ? { user_id } : { character_id: id }), amount: 2 }],
})

function Figure({ label, value }: { label: string; value: string | number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function Entry({ entry, sheet, writer }: { entry: ExperienceEntryListItem; sheet: SheetScope; writer: string }) {
  const { delta, kind, trait, reason, reversed_by, date_created } = entry
  return (
    <div class="entry">
      <strong class={delta < 0 ? 'delta minus' : 'delta'}>{delta > 0 ? `+${delta}` : delta < 0 ? `−${-delta}` : '0'}</strong>
      <div class="entry-words">
        <p>
          {reversed_by ? <s>{reason}</s> : reason}
          {trait && <span class="raise">{words.raise(labelOf(trait.name), trait.from, trait.to)}</span>}
        </p>
        <p class="quiet small">
          {words.kinds[kind]} {words.by(writer)}, <Time at={date_created} />
        </p>
      </div>
      {reversed_by && <Badge>{words.undone}</Badge>}
      {mayUndo({ ...sheet.rights, isOwner: sheet.rights.isOwn }, entry) && <UndoButton entry={entry} />}
    </div>
  )
}
