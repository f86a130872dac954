import type { ExperienceEntryListItem, ExperienceKind, SheetListItem } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { curl } from '../../data/curl.ts'
import { useUserNames } from '../../data/names.ts'
import { useLivePages } from '../../data/pages.ts'
import { navigate, useQuery } from '../../router.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Empty, Section } from '../../ui/page.tsx'
import { PagedList } from '../../ui/paged-list.tsx'
import { Entry } from './entry.tsx'
import type { Owner } from './owners.ts'
import { text } from './text.ts'
import { UndoDialog } from './undo-dialog.tsx'

interface EntriesProps {
  owners: Owner[]
  characters: SheetListItem[]
  characterName: (id: string) => string
  /** The button that awards experience, for those who may. */
  award: ComponentChildren
}

/** The entries of the ledger, newest first. */
export function Entries({ owners, characters, characterName, award }: EntriesProps) {
  const { user } = useActing()
  const { campaign, api, path, isStoryteller } = useCampaign()
  const [owner, setOwner] = useQuery('of')
  const [kind, setKind] = useQuery('kind')
  const [undoing, setUndoing] = useState<ExperienceEntryListItem>()
  const isPerUser = campaign.experience_per === 'USER'
  const entries = useLivePages<ExperienceEntryListItem>(
    (after, signal) =>
      api.experienceEntries.list(
        {
          limit: 30,
          after,
          sort: '-date_created',
          ...(owner && { [isPerUser ? 'player_id' : 'character_id']: owner }),
          ...(kind && { kind: kind as ExperienceKind }),
        },
        { signal },
      ),
    ['experience'],
    [path, owner, kind],
  )
  const names = useUserNames(entries.data?.items.flatMap(({ user_id, awarded_by }) => [user_id, awarded_by]) ?? [])
  const isFiltered = Boolean(owner || kind)
  return (
    <Section title={text.entries}>
      {(isFiltered || entries.data?.items.length !== 0) && (
        <div class="ledger-filters">
          <Select
            label={isPerUser ? text.ofPlayer : text.ofCharacter}
            value={owner ?? ''}
            options={[['', text.everyone], ...owners.map(({ id, name }) => [id, name] as const)]}
            onChange={(value) => setOwner(value || null)}
          />
          <Select
            label={text.kind}
            value={kind ?? ''}
            options={[['', text.anyKind], ...Object.entries(text.kinds)]}
            onChange={(value) => setKind(value || null)}
          />
        </div>
      )}
      <PagedList
        of={entries}
        count={text.count}
        class="entries"
        row={(entry) => (
          <Entry
            key={entry.id}
            entry={entry}
            names={names}
            characterName={characterName}
            isOwnCharacter={characters.some(({ id, user_id }) => id === entry.character_id && user_id === user.id)}
            onUndo={() => setUndoing(entry)}
          />
        )}
        empty={
          isFiltered ? (
            <Empty
              title={text.emptyFilter}
              action={<Button onClick={() => navigate(`${path}/ledger`, { replace: true })}>{text.clearFilters}</Button>}
            />
          ) : (
            <Empty
              title={text.empty}
              action={award}
              call={isStoryteller ? curl('POST', `${path}/experience/awards`, SAMPLE_AWARD) : undefined}
            >
              {isStoryteller ? text.emptyText : text.emptyPlayer}
            </Empty>
          )
        }
      />
      {undoing && <UndoDialog entry={undoing} onClose={() => setUndoing(undefined)} />}
    </Section>
  )
}

const SAMPLE_AWARD = { reason: 'Saved the lighthouse', amount: 2, to: 'MEMBERS' }
