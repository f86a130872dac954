import { ArchivedDetails, type ArchivedItem } from '../../archived/archived-rows.tsx'
import { useLiveLoad } from '../../data/live-load.ts'

interface ArchivedPartProps {
  /** Reads the resources that the acting user may restore. */
  load: (signal: AbortSignal) => PromiseLike<ArchivedItem[]>
  /** The type of the resources in events. */
  type: string
  characterId: string
  title: (count: number) => string
  restore: (id: string) => Promise<unknown>
}

/** The archived resources of one type on the sheet. An event removes what was restored. */
export function ArchivedPart({ load, type, characterId, title, restore }: ArchivedPartProps) {
  const archived = useLiveLoad(load, [type], [characterId])
  return <ArchivedDetails title={title(archived.data?.length ?? 0)} items={archived.data} restore={restore} />
}
