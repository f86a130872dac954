import type { RulesetSample, RulesetValidate, ValidatedRuleset } from '@guildhall/client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { noticeEnd } from '../../../data/load.ts'
import type { SheetDocument } from '../../../rules/document.ts'
import { useRights } from '../rights.ts'
import { type ReadSource, readSource } from './source.ts'

/** The pause in typing after which the document is checked. */
const PAUSE_MS = 350

export type Sample = NonNullable<RulesetValidate['samples']>[number]

interface Job {
  source: string
  document: Record<string, unknown>
  sample: Sample
}

interface Checked extends Job {
  found: ValidatedRuleset
}

/** A document as far as it is checked. */
export interface Validation {
  /** The document as JSON, or the place where it is none. */
  read: ReadSource
  /** The findings of the last check, which may be of an earlier text. */
  found: ValidatedRuleset | undefined
  /** True while the findings are of another text or sample than the present ones. */
  isPending: boolean
  /** The reason for which the last check failed. */
  error: unknown
  /** The last document without a fault, with its sheet. */
  drawn: { document: SheetDocument; sheet: RulesetSample; isCurrent: boolean } | undefined
}

/** Checks a document while it is typed: after a pause, and with one request at a time. */
export function useValidation(source: string, sample: Sample, previousId: string | undefined): Validation {
  const { companyApi } = useActing()
  const { options } = useRights()
  const read = useMemo(() => readSource(source), [source])
  const [checked, setChecked] = useState<Checked>()
  const [drawn, setDrawn] = useState<Checked>()
  const [error, setError] = useState<unknown>()
  const wanted = useRef<Job>(undefined)
  const isRunning = useRef(false)
  const isGone = useRef(false)

  /** Checks what is wanted until nothing else is. */
  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    while (wanted.current && !isGone.current) {
      const job = wanted.current
      wanted.current = undefined
      const { document, sample: each } = job
      try {
        const body = { document, samples: [each], ...(previousId && { previous_version_id: previousId }) }
        const found = await companyApi.rulesets.validate(body, options)
        if (isGone.current) break
        setError(undefined)
        setChecked({ ...job, found })
        if (found.samples.length) setDrawn({ ...job, found })
      } catch (caught) {
        noticeEnd(caught)
        if (!isGone.current) setError(caught)
      }
    }
    isRunning.current = false
  }

  useEffect(() => {
    if ('fault' in read) {
      wanted.current = undefined
      return
    }
    const timer = setTimeout(
      () => {
        wanted.current = { source, document: read.document, sample }
        void run()
      },
      // The first check has nothing to wait for.
      checked ? PAUSE_MS : 0,
    )
    return () => clearTimeout(timer)
  }, [read, sample])
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])

  const sheet = drawn?.found.samples[0]
  return {
    read,
    found: checked?.found,
    isPending: !('fault' in read) && !error && (checked?.source !== source || checked.sample !== sample),
    error,
    drawn: drawn &&
      sheet && {
        document: drawn.document as unknown as SheetDocument,
        sheet: withSample(sheet, sample),
        isCurrent: drawn.source === source || checked?.source !== source,
      },
  }
}

/** Shows values that were just entered at once, before the service has computed what follows from them. */
function withSample(sheet: RulesetSample, { traits, choices, conditions, trackers, campaign }: Sample): RulesetSample {
  const moved = { ...trackers, ...campaign }
  return {
    ...sheet,
    traits: { ...sheet.traits, ...traits },
    choices: { ...choices },
    conditions: { ...sheet.conditions, ...conditions },
    trackers: Object.fromEntries(
      Object.entries(sheet.trackers).map(([name, tracker]) => [name, { ...tracker, value: moved[name] ?? tracker.value }]),
    ),
  }
}
