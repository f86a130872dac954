import type { ReplyFile } from '../../http/request/headers.ts'

const nameOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** A file name without characters that a system may refuse. */
const slugOf = (name: string) =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64) || 'ruleset'

/** The name and the license of an exported document, which may be a faulty draft. A license of one's own has no public page. */
export function documentFile(document: Record<string, unknown>): ReplyFile {
  const { license } = (document.source ?? {}) as { license?: unknown }
  const id = nameOf(license)
  const isPublic = /^[A-Za-z0-9.+-]{1,64}$/.test(id) && !id.startsWith('LicenseRef-')
  return { name: `${slugOf(nameOf(document.name))}.json`, license: isPublic ? `https://spdx.org/licenses/${id}.html` : null }
}
