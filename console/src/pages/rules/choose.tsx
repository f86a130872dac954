import type { RulesetMode, RulesetVersionListItem } from '@guildhall/client'
import { useState } from 'preact/hooks'
import { useActing, useCampaign } from '../../data/acting.ts'
import { useLoad } from '../../data/load.ts'
import { hrefOf } from '../../router.ts'
import type { PlayedRuleset } from '../../rules/use-ruleset.ts'
import { Choice } from '../../ui/choice.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { useForm } from '../../ui/form.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Show } from '../../ui/page.tsx'
import { tell } from '../../ui/toast.tsx'
import { Report } from './report.tsx'
import { text } from './text.ts'

const words = text.form

interface Values {
  ruleset: string
  /** Empty for the newest version of the ruleset. */
  version: string
  mode: RulesetMode
  isAccepted: boolean
}

/** The versions that a campaign may choose, newest first: published ones, and the one that it has. */
const chosenFrom = (versions: readonly RulesetVersionListItem[], present: string | undefined) =>
  versions.filter(({ id, status }) => status === 'PUBLISHED' || id === present).sort((a, b) => (b.number ?? 0) - (a.number ?? 0))

/** Chooses the version of a ruleset for the campaign. Before that, it says what would become of the characters. */
export function ChooseRuleset({ played, onClose }: { played: PlayedRuleset | undefined; onClose: () => void }) {
  const { companyApi, user, path } = useActing()
  const { api, campaign, reload } = useCampaign()
  const [present] = useState<Values>({
    ruleset: played?.version.ruleset_id ?? '',
    version: played?.version.id ?? '',
    mode: campaign.ruleset_mode ?? 'STRICT',
    isAccepted: false,
  })
  const options = { onBehalfOf: user.id }
  const rulesets = useLoad(
    async (signal) => {
      const all = await companyApi.rulesets.list({ sort: 'name' }, { ...options, signal }).all()
      return all.filter(({ id, published_version_id }) => published_version_id !== null || id === present.ruleset)
    },
    [companyApi, user.id],
  )
  const form = useForm<Values>(present, async ({ values }) => {
    if (!versionId) return
    await api.rulesets.set({ version_id: versionId, mode: values.mode, accept_faults: values.isAccepted })
    tell(words.done(rulesets.data?.find(({ id }) => id === values.ruleset)?.name ?? words.ruleset))
    onClose()
    await reload()
  })
  const { ruleset, mode, isAccepted } = form.values
  const versions = useLoad(
    async (signal) => {
      if (!ruleset) return []
      const all = await companyApi
        .ruleset(ruleset)
        .versions.list({ sort: '-date_created' }, { ...options, signal })
        .all()
      return chosenFrom(all, played?.version.id)
    },
    [companyApi, user.id, ruleset],
  )
  const versionId = versions.data?.find(({ id }) => id === form.values.version)?.id ?? versions.data?.[0]?.id
  const report = useLoad(
    async (signal) => (versionId ? (await api.rulesets.set({ version_id: versionId, dry_run: true }, { signal })).report : null),
    [api, versionId],
  )
  // Faults are accepted after they were read, and those of another version were not.
  const choose = (name: 'ruleset' | 'version') => (id: string) => {
    form.set(name)(id)
    form.set('isAccepted')(false)
  }
  const isUnfit = (report.data?.unfit ?? 0) > 0
  return (
    <FormDialog
      title={words.title}
      action={words.submit}
      of={form}
      isDisabled={!versionId || !report.data || (isUnfit && !isAccepted)}
      onClose={onClose}
      class="choose-ruleset"
    >
      <Show of={rulesets}>
        {(all) =>
          all.length ? (
            <div class="form-row">
              <Select
                label={words.ruleset}
                options={[...(ruleset ? [] : [['', words.pick] as const]), ...all.map(({ id, name }) => [id, name] as const)]}
                value={ruleset}
                onChange={choose('ruleset')}
              />
              {versions.data && versions.data.length > 0 && (
                <Select
                  label={words.version}
                  value={versionId ?? ''}
                  options={versions.data.map(({ id, number }) => [id, text.version(number)] as const)}
                  onChange={choose('version')}
                  error={form.errorOf('version_id')}
                />
              )}
            </div>
          ) : (
            <p>
              {words.noRulesets} <a href={hrefOf(`${path}/company/rulesets`)}>{words.addOne}</a>
            </p>
          )
        }
      </Show>
      {ruleset && versions.data?.length === 0 && <p class="notice">{words.noVersions}</p>}
      <Choice label={text.mode} value={mode} options={text.modes} onChange={form.set('mode')} />
      {versionId && <Show of={report}>{(found) => found && <Report of={found} />}</Show>}
      {versionId && isUnfit && <Checkbox label={words.accept} checked={isAccepted} onChange={form.set('isAccepted')} />}
    </FormDialog>
  )
}
