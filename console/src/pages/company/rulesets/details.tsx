import type { Ruleset, RulesetVersionListItem } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { useLiveLoad } from '../../../data/live-load.ts'
import type { Loaded } from '../../../data/load.ts'
import { type Pages, useLivePages } from '../../../data/pages.ts'
import { hrefOf, navigate } from '../../../router.ts'
import { useAction } from '../../../ui/action.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadedPage } from '../../../ui/loaded-page.tsx'
import { Empty, Page, Section } from '../../../ui/page.tsx'
import { PagedList } from '../../../ui/paged-list.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text as company } from '../text.ts'
import { ArchiveRuleset, DeleteDraft, PublishVersion, RetireVersion } from './changes.tsx'
import { RulesetSettings } from './settings.tsx'
import { starterDocument } from './starter.ts'
import { text } from './text.ts'
import { type AskedOfVersion, VersionRow } from './versions.tsx'

/** One ruleset: its versions, and its name. */
export function RulesetDetails({ id, notice }: { id: string; notice: ComponentChildren }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const ruleset = useLiveLoad(
    (signal) => companyApi.rulesets.get(id, { ...options, signal }),
    ['ruleset'],
    [companyApi, id, options.onBehalfOf],
  )
  const above = (
    <a href={hrefOf(`${path}/company/rulesets`)}>
      {company.title} · {text.back}
    </a>
  )
  return (
    <LoadedPage title={text.title} above={above} of={ruleset}>
      {(loaded) => <LoadedRuleset ruleset={loaded} of={ruleset} above={above} notice={notice} />}
    </LoadedPage>
  )
}

interface LoadedRulesetProps {
  ruleset: Ruleset
  of: Loaded<Ruleset>
  above: ComponentChildren
  notice: ComponentChildren
}

function LoadedRuleset({ ruleset, of, above, notice }: LoadedRulesetProps) {
  const { companyApi } = useActing()
  const { options, writesRules } = useRights()
  const [isArchiving, setArchiving] = useState(false)
  const versions = useLivePages<RulesetVersionListItem>(
    (after, signal) => companyApi.ruleset(ruleset.id).versions.list({ limit: 20, sort: '-date_created', after }, { ...options, signal }),
    ['ruleset_version'],
    [companyApi, ruleset.id, options.onBehalfOf],
  )
  const refresh = async () => void (await Promise.all([of.reload(), versions.reload()]))
  const actions = writesRules && (
    <Button look="danger" icon="archive" onClick={() => setArchiving(true)}>
      {text.archive.action}
    </Button>
  )
  return (
    <Page title={ruleset.name} above={above} actions={actions}>
      {!writesRules && ruleset.description && <p class="lead">{ruleset.description}</p>}
      {notice}
      <Versions ruleset={ruleset} of={versions} onChanged={refresh} />
      {writesRules && <RulesetSettings ruleset={ruleset} onSaved={of.set} />}
      {isArchiving && <ArchiveRuleset ruleset={ruleset} onClose={() => setArchiving(false)} />}
    </Page>
  )
}

interface VersionsProps {
  ruleset: Ruleset
  of: Pages<RulesetVersionListItem>
  onChanged: () => Promise<void>
}

/** The versions of a ruleset, the draft and the newest first. */
function Versions({ ruleset, of, onChanged }: VersionsProps) {
  const { writesRules } = useRights()
  const [asked, setAsked] = useState<{ what: AskedOfVersion; version: RulesetVersionListItem }>()
  const close = () => setAsked(undefined)
  const newest = of.data?.items.find(({ status }) => status !== 'DRAFT')
  const start = writesRules && of.data && !ruleset.draft_version_id && <StartDraft ruleset={ruleset} newestId={newest?.id} />
  const props = asked && { version: asked.version, onClose: close, onChanged }
  return (
    <Section title={text.versions.title} actions={of.data?.items.length !== 0 && start}>
      <PagedList
        of={of}
        row={(version) => <VersionRow key={version.id} version={version} onAsk={(what) => setAsked({ what, version })} />}
        empty={
          <Empty title={text.versions.empty} action={start}>
            {writesRules && text.versions.emptyText}
          </Empty>
        }
      />
      {props && asked?.what === 'publish' && <PublishVersion {...props} onPublished={onChanged} />}
      {props && asked?.what === 'retire' && <RetireVersion {...props} />}
      {props && asked?.what === 'delete' && <DeleteDraft {...props} />}
    </Section>
  )
}

/** Starts the next version with the document of the newest one, and opens it. */
function StartDraft({ ruleset, newestId }: { ruleset: Ruleset; newestId: string | undefined }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    const { versions } = companyApi.ruleset(ruleset.id)
    const document = newestId ? await versions.getDocument(newestId, options) : starterDocument(ruleset.name)
    const { id } = await versions.create({ document: document as Record<string, unknown> }, options)
    tell(text.versions.started)
    navigate(`${path}/company/rulesets/${ruleset.id}/${id}`)
  })
  return (
    <Button look="primary" icon="plus" busy={busy} onClick={() => run()}>
      {text.versions.start}
    </Button>
  )
}
