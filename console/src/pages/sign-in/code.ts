/** Takes a value from the fragment of the address, and removes the fragment from the address bar, so that it is not copied or stored with it. */
export function takeFromFragment(name: string): string | undefined {
  const value = new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined
  if (value) history.replaceState(null, '', location.pathname + location.search)
  return value
}

/**
 * Takes the code of a sign-in link from the address (`/console/#code=…`). A fragment is never sent to a server, so that programs that fetch links for a preview do not use it up.
 */
export const takeCode = (): string | undefined => takeFromFragment('code')

/** Loads the page again if a link with a code is opened in a tab that shows the console already: browsers then change the fragment only. */
export function followCodes(): void {
  addEventListener('hashchange', () => {
    if (/^#(code|invite)=/.test(location.hash)) location.reload()
  })
}
