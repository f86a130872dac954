import { ApiError, type Ruleset, type RulesetVersion } from '@guildhall/client'
import { useActing } from '../../../data/acting.ts'
import { navigate } from '../../../router.ts'
import { useAction } from '../../../ui/action.ts'
import { Confirm } from '../../../ui/dialog.tsx'
import { useForm } from '../../../ui/form.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { tell } from '../../../ui/toast.tsx'
import { useRights } from '../rights.ts'
import { text } from './text.ts'

type VersionFacts = Pick<RulesetVersion, 'id' | 'ruleset_id' | 'number' | 'status'>

interface ChangeProps {
  version: VersionFacts
  onClose: () => void
  onChanged: () => Promise<void>
}

/** The name of a version in sentences and labels. */
export const nameOfVersion = ({ number }: Pick<RulesetVersion, 'number'>): string => (number === null ? text.draft : text.version(number))

interface PublishProps extends Omit<ChangeProps, 'onChanged'> {
  /** The number of changes that break with the newest version. */
  breaking?: number
  /** Saves what is not saved yet, before it is published. */
  save?: () => Promise<unknown>
  onPublished: () => Promise<void>
  /** Shows the faults for which the service refused. Without it, the dialog shows them. */
  onRefused?: (error: ApiError) => void
}

export function PublishVersion({ version: { id, ruleset_id }, breaking = 0, save, onClose, onPublished, onRefused }: PublishProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const form = useForm({}, async () => {
    try {
      await save?.()
      const { number } = await companyApi.ruleset(ruleset_id).versions.publish(id, options)
      tell(text.publish.done(number))
      await onPublished()
    } catch (error) {
      if (!onRefused || !ApiError.is(error, 'ruleset_faulty')) throw error
      onRefused(error)
    }
    onClose()
  })
  return (
    <FormDialog title={text.publish.title} action={text.versions.publish} of={form} onClose={onClose}>
      <p>{text.publish.text}</p>
      {breaking > 0 && <p class="notice">{text.publish.breaking(breaking)}</p>}
    </FormDialog>
  )
}

export function RetireVersion({ version, onClose, onChanged }: ChangeProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const name = nameOfVersion(version)
  const { run, busy } = useAction(async () => {
    await companyApi.ruleset(version.ruleset_id).versions.retire(version.id, options)
    tell(text.retire.done(name))
    await onChanged()
  })
  return (
    <Confirm
      title={text.retire.title(name)}
      action={text.versions.retire}
      busy={busy}
      onConfirm={() => void run().then(onClose)}
      onClose={onClose}
    >
      <p>{text.retire.text}</p>
    </Confirm>
  )
}

export function DeleteDraft({ version, onClose, onChanged }: ChangeProps) {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    await companyApi.ruleset(version.ruleset_id).versions.delete(version.id, options)
    tell(text.remove.done)
    await onChanged()
  })
  return (
    <Confirm
      title={text.remove.title}
      action={text.versions.remove}
      busy={busy}
      onConfirm={() => void run().then(onClose)}
      onClose={onClose}
    >
      <p>{text.remove.text}</p>
    </Confirm>
  )
}

export function ArchiveRuleset({ ruleset, onClose }: { ruleset: Ruleset; onClose: () => void }) {
  const { companyApi, path } = useActing()
  const { options } = useRights()
  const { run, busy } = useAction(async () => {
    await companyApi.rulesets.delete(ruleset.id, options)
    tell(text.archive.done(ruleset.name))
    navigate(`${path}/company/rulesets`)
  })
  return (
    <Confirm
      title={text.archive.title(ruleset.name)}
      action={text.archive.action}
      busy={busy}
      onConfirm={async () => {
        if (!(await run())) onClose()
      }}
      onClose={onClose}
    >
      <p>{text.archive.text}</p>
    </Confirm>
  )
}
