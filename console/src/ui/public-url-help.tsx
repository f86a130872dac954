import { text } from '../text.ts'

/** Leads to the page of the documentation that says how the address for links is set. */
export function PublicUrlHelp() {
  return (
    <a href="/docs/operating#the-console" target="_blank" rel="noopener">
      {text.publicUrlHelp}
    </a>
  )
}
