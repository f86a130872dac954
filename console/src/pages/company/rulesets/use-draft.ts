import { ApiError } from '@guildhall/client'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useActing } from '../../../data/acting.ts'
import { useRights } from '../rights.ts'
import { formatDocument } from './format.ts'
import { readSource } from './source.ts'
import { text as all } from './text.ts'
import type { LoadedVersion } from './version.tsx'

const text = all.editor

/** A text that somebody types. */
interface Typed {
  source: string
  /** The version number of the draft that the text was written onto. */
  onto: number
  /** The document that the draft had then, on one line. */
  base: string
}

/** Texts by the id of their draft. Those that are not saved wait here while somebody looks at another page. */
const kept = new Map<string, Typed>()

/** True if a text has other values than the document that it was written onto. Spaces make no difference. */
function differs({ source, base }: Typed): boolean {
  const read = readSource(source)
  return 'fault' in read || JSON.stringify(read.document) !== base
}

/** The text of a draft while it is edited. */
export interface Draft {
  source: string
  isChanged: boolean
  /** True if somebody else has saved the draft since the text was begun. */
  isConflict: boolean
  type: (source: string) => void
  /** Drops what is not saved. */
  discard: () => void
  /** Saves the text; with `isForced` also over what somebody else has saved. */
  save: (options?: { isForced?: boolean }) => Promise<void>
}

/** Keeps the text of a draft, and saves it onto the version that it was begun with. */
export function useDraft({ version, document }: LoadedVersion, reload: () => Promise<void>): Draft {
  const { companyApi } = useActing()
  const { options } = useRights()
  const { id } = version
  const [typed, setTyped] = useState<Typed | undefined>(kept.get(id))
  const latest = useRef(typed)
  const saved = useMemo(() => formatDocument(document), [document])
  const isChanged = useMemo(() => typed !== undefined && differs(typed), [typed])
  // A text without changes gives way to what somebody else has saved.
  const isShown = typed !== undefined && (isChanged || typed.onto >= version.version)

  const keep = (next: Typed | undefined) => {
    if (next) kept.set(id, next)
    else kept.delete(id)
    latest.current = next
    setTyped(next)
  }
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])

  const save = async ({ isForced = false } = {}) => {
    if (!typed || !isChanged) return
    const read = readSource(typed.source)
    if ('fault' in read) throw new Error(text.saveFirst(all.syntax.at(read.fault.line, read.fault.column)))
    const ifMatch = { version: isForced ? version.version : typed.onto }
    try {
      const { versions } = companyApi.ruleset(version.ruleset_id)
      const after = await versions.replace(id, { document: read.document }, { ...options, ifMatch })
      // Somebody may have typed on in the meantime.
      const { source } = latest.current ?? typed
      keep({ source, onto: after.version, base: JSON.stringify(read.document) })
      await reload()
    } catch (error) {
      if (!ApiError.is(error, 'precondition_failed')) throw error
      // The page then shows that there is a conflict.
      await reload()
      throw new Error(text.conflict.title)
    }
  }
  return {
    source: isShown ? typed.source : saved,
    isChanged,
    isConflict: isChanged && (typed?.onto ?? 0) < version.version,
    type: (source) => keep(isShown ? { ...typed, source } : { source, onto: version.version, base: JSON.stringify(document) }),
    discard: () => keep(undefined),
    save,
  }
}
