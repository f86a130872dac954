import { text } from './text.ts'

/** The license of a game. One that is public leads to its text. */
export function License({ of }: { of: string }) {
  const isPublic = !of.startsWith('LicenseRef-')
  return (
    <p class="license">
      <span class="quiet">{text.license}</span>{' '}
      {isPublic ? (
        <a href={`https://spdx.org/licenses/${encodeURIComponent(of)}.html`} target="_blank" rel="noopener">
          {of}
        </a>
      ) : (
        of
      )}
    </p>
  )
}

/** The sentence that names the authors, which the license asks to be shown. */
export function Attribution({ of }: { of: string | null }) {
  return of ? <p class="attribution quiet">{of}</p> : null
}
