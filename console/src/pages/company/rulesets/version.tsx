import type { Ruleset, RulesetVersion } from '@guildhall/client'
import type { ComponentChildren } from 'preact'
import { useActing } from '../../../data/acting.ts'
import { useLiveLoad } from '../../../data/live-load.ts'
import { hrefOf } from '../../../router.ts'
import { Unavailable } from '../../../ui/unavailable.tsx'
import { useRights } from '../rights.ts'
import { Editor } from './editor.tsx'
import { text } from './text.ts'

/** A version with its document, and the newest one that was published before it. */
export interface LoadedVersion {
  ruleset: Ruleset
  version: RulesetVersion
  document: Record<string, unknown>
  /** The newest published version, if the version is a draft. */
  previous: RulesetVersion | undefined
}

interface VersionPageProps {
  rulesetId: string
  id: string
  notice: ComponentChildren
}

/** One version of a ruleset: the editor of a draft, and the document of a published version. */
export function VersionPage({ rulesetId, id, notice }: VersionPageProps) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const loaded = useLiveLoad<LoadedVersion>(
    async (signal) => {
      const request = { ...options, signal }
      const { versions } = companyApi.ruleset(rulesetId)
      const [ruleset, version, document] = await Promise.all([
        companyApi.rulesets.get(rulesetId, request),
        versions.get(id, request),
        versions.getDocument(id, request),
      ])
      const previousId = version.status === 'DRAFT' ? ruleset.published_version_id : null
      const previous = previousId ? await versions.get(previousId, request) : undefined
      return { ruleset, version, document: document as Record<string, unknown>, previous }
    },
    ['ruleset_version'],
    [companyApi, rulesetId, id, options.onBehalfOf],
  )
  if (!loaded.data) return <Unavailable of={loaded} words={text.gone} href={hrefOf(`${path}/company/rulesets`)} />
  return <Editor loaded={loaded.data} reload={loaded.reload} notice={notice} />
}
