import { type Fault, invalid } from '../../core/problem.ts'
import { fold } from '../../core/text.ts'
import type { TermPatch } from './schema.ts'

/** Spaces and control characters, which a URL parser encodes or drops, would make the stored link another than the one that opens. */
const HTTP_URL = /^https?:\/\/[^\s\p{C}]+$/iu

/** Returns what is wrong with a link; undefined if nothing is. Clients show it to everybody, so no other scheme is accepted. */
export function faultOfLink(link: string): string | undefined {
  if (!HTTP_URL.test(link) || !URL.canParse(link)) return 'must be a URL with http or https, such as https://rules.example.com/armor-class'
  const { username, password } = new URL(link)
  return username || password ? 'must not contain a user name or a password' : undefined
}

const hasEqual = (texts: string[]) => new Set(texts.map((text) => fold(text))).size < texts.length

/** Rejects a link that is not one, and synonyms that are equal. */
export function refuseUnfit({ link, synonyms = [] }: TermPatch): void {
  const faults: Fault[] = []
  const fault = link == null ? undefined : faultOfLink(link)
  if (fault) faults.push({ field: 'link', message: fault })
  if (hasEqual(synonyms)) faults.push({ field: 'synonyms', message: 'must not contain duplicates, ignoring case and accents' })
  if (faults.length) invalid(faults)
}
