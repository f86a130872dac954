/** A file name without characters that a system may refuse. */
const fileName = (name: string) =>
  `${
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 64) || 'ruleset'
  }.json`

/** Saves a document as a file of the person's computer, with the bytes of the API: they are the ones that its SHA-256 is of. */
export function downloadDocument(name: string, document: Record<string, unknown>): void {
  const address = URL.createObjectURL(new Blob([JSON.stringify(document)], { type: 'application/json' }))
  const link = Object.assign(window.document.createElement('a'), { href: address, download: fileName(name) })
  link.click()
  // The browser has begun to read the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
