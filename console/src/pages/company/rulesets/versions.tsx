import type { RulesetVersionListItem } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { hrefOf } from '../../../router.ts'
import { useAction } from '../../../ui/action.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Badge } from '../../../ui/marks.tsx'
import { Time } from '../../../ui/time.tsx'
import { useRights } from '../rights.ts'
import { nameOfVersion } from './changes.tsx'
import { downloadDocument } from './download.ts'
import { Attribution, License } from './license.tsx'
import { text as all } from './text.ts'

const text = all.versions
const TONES = { DRAFT: 'accent', PUBLISHED: 'good', RETIRED: 'plain' } as const

export type AskedOfVersion = 'publish' | 'retire' | 'delete'

interface VersionRowProps {
  version: RulesetVersionListItem
  onAsk: (asked: AskedOfVersion) => void
}

/** A version in the list: what it is, and what can be done with it. */
export function VersionRow({ version, onAsk }: VersionRowProps) {
  const { path } = useActing()
  const { writesRules } = useRights()
  const { id, ruleset_id, status, game, license, attribution, valid, used, traits, derived, rolls } = version
  const name = nameOfVersion(version)
  const href = hrefOf(`${path}/company/rulesets/${ruleset_id}/${id}`)
  const isDraft = status === 'DRAFT'
  return (
    <li class="row version">
      <div class="row-main">
        <span class="row-title">
          <a href={href}>{name}</a>
          {!isDraft && <Badge tone={TONES[status]}>{all.states[status]}</Badge>}
          {isDraft && <Badge tone={valid ? 'good' : 'bad'}>{valid ? text.valid : text.faulty}</Badge>}
          {used && <Badge>{text.used}</Badge>}
        </span>
        <span>{game ?? text.noGame}</span>
        {license ? <License of={license} /> : <span class="quiet">{text.noLicense}</span>}
        <Attribution of={attribution} />
        <VersionDates of={version} counts={text.counts(traits, derived, rolls)} />
      </div>
      <div class="row-actions">
        <ExportButton version={version} name={name} />
        {writesRules && isDraft && (
          <Button look="quiet" onClick={() => onAsk('delete')} aria-label={text.removeOne}>
            {text.remove}
          </Button>
        )}
        {writesRules && status === 'PUBLISHED' && (
          <Button look="quiet" onClick={() => onAsk('retire')} aria-label={text.retireOne(name)}>
            {text.retire}
          </Button>
        )}
        {writesRules && isDraft && <Button onClick={() => onAsk('publish')}>{text.publish}</Button>}
        {writesRules && isDraft && (
          <ButtonLink look="primary" icon="edit" href={href}>
            {text.edit}
          </ButtonLink>
        )}
      </div>
    </li>
  )
}

function VersionDates({ of: { date_published, date_modified }, counts }: { of: RulesetVersionListItem; counts: string }) {
  return (
    <span class="quiet facts">
      <span>{counts}</span>
      <span>
        {date_published ? text.published : text.changed} <Time at={date_published ?? date_modified} />
      </span>
    </span>
  )
}

function ExportButton({ version: { id, ruleset_id, game }, name }: { version: RulesetVersionListItem; name: string }) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () =>
    downloadDocument(game ?? name, (await companyApi.ruleset(ruleset_id).versions.getDocument(id, options)) as Record<string, unknown>),
  )
  return (
    <Button look="quiet" icon="down" busy={busy} aria-label={text.exportOne(name)} onClick={() => run()}>
      {text.export}
    </Button>
  )
}
