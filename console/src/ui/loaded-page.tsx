import type { ComponentChildren } from 'preact'
import type { Loaded } from '../data/load.ts'
import { Page, Show } from './page.tsx'

interface LoadedPageProps<T> {
  /** The title until the data has arrived. */
  title: string
  above?: ComponentChildren
  of: Loaded<T>
  /** The page that shows the data. */
  children: (data: T) => ComponentChildren
}

/** A page whose title is part of the data that is loaded first. */
export function LoadedPage<T>({ title, above, of, children }: LoadedPageProps<T>) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  return (
    <Page title={title} above={above}>
      <Show of={of}>{() => null}</Show>
    </Page>
  )
}
