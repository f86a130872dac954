import type { RulesetListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { curl } from '../../../data/curl.ts'
import { useLivePages } from '../../../data/pages.ts'
import { hrefOf, navigate } from '../../../router.ts'
import { Button } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { Empty, Section } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { useRights } from '../rights.ts'
import { CreateRuleset } from './create.tsx'
import { text } from './text.ts'

const LIMIT = 20

/** The rulesets of the company. */
export function Rulesets() {
  const { companyApi, company, path } = useActing()
  const { options, writesRules } = useRights()
  const [isAdding, setAdding] = useState(false)
  const rulesets = useLivePages<RulesetListItem>(
    (after, signal) => companyApi.rulesets.list({ limit: LIMIT, sort: 'name', after }, { ...options, signal }),
    ['ruleset'],
    [companyApi, options.onBehalfOf],
  )
  const add = writesRules && (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  const isEmpty = rulesets.data?.items.length === 0
  return (
    <Section title={text.title} actions={!isEmpty && add}>
      <p class="lead">{text.intro}</p>
      <PagedList
        of={rulesets}
        count={text.count}
        row={(ruleset) => <RulesetRow key={ruleset.id} ruleset={ruleset} />}
        empty={
          <Empty
            title={text.empty}
            action={add}
            call={writesRules && curl('POST', `/companies/${company.id}/rulesets`, { pack: 'd10-pool' })}
          >
            {writesRules ? text.emptyText : text.emptyReader}
          </Empty>
        }
      />
      {isAdding && (
        <CreateRuleset
          onClose={() => setAdding(false)}
          onCreated={({ id, draft_version_id }) =>
            navigate(`${path}/company/rulesets/${id}${draft_version_id ? `/${draft_version_id}` : ''}`)
          }
        />
      )}
    </Section>
  )
}

function RulesetRow({ ruleset: { id, name, description, draft_version_id, number, game, license } }: { ruleset: RulesetListItem }) {
  const { path } = useActing()
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <a href={hrefOf(`${path}/company/rulesets/${id}`)}>{name}</a>
          {number === null ? <Badge>{text.notPublished}</Badge> : <Badge tone="good">{text.version(number)}</Badge>}
          {draft_version_id && <Badge tone="accent">{text.draft}</Badge>}
        </span>
        {description && <span class="quiet">{description}</span>}
        <span class="quiet facts">
          {game && game !== name && <span>{game}</span>}
          {license && (
            <span>
              {text.license} {license}
            </span>
          )}
        </span>
      </div>
    </li>
  )
}
