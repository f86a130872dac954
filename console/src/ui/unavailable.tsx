import { isGone, type Loaded } from '../data/load.ts'
import { ButtonLink } from './button.tsx'
import { Empty, Page, Show } from './page.tsx'

interface UnavailableProps<T> {
  of: Loaded<T>
  words: { title: string; text: string; action: string }
  /** The address to go to instead. */
  href: string
}

/** In place of the pages of something that is still loading, that failed to load, or that the user cannot see: then it leads elsewhere, because trying again does not help. */
export function Unavailable<T>({ of, words, href }: UnavailableProps<T>) {
  if (!isGone(of.error))
    return (
      <div class="page">
        <Show of={of}>{() => null}</Show>
      </div>
    )
  return (
    <Page title={words.title}>
      <Empty
        title={words.text}
        action={
          <ButtonLink href={href} look="primary">
            {words.action}
          </ButtonLink>
        }
      />
    </Page>
  )
}
