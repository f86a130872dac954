import { characterSchema } from '@guildhall/rules/ruleset/character-schema'
import type { Ruleset } from '@guildhall/rules/ruleset/compile'
import { type GlossaryEntry, glossaryOf } from '@guildhall/rules/ruleset/glossary'
import { MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { conflict } from '../../core/problem.ts'
import { fold } from '../../core/text.ts'
import type { Db } from '../../db/client.ts'
import { checkDocument } from '../rulesets/check.ts'
import { publishedRuleset } from './compiled.ts'
import { getDocument, getVersion } from './queries.ts'
import type { TermsQuery } from './terms-schema.ts'

type Scope = Parameters<typeof getVersion>[1]

/** Returns a version of a ruleset, ready to be used. A draft is compiled each time, because it can change. */
async function rulesetOf(db: Db, scope: Scope): Promise<Ruleset> {
  const { status } = await getVersion(db, scope)
  if (status !== 'DRAFT') return publishedRuleset(db, scope)
  const { ruleset } = checkDocument(await getDocument(db, scope))
  return ruleset ?? conflict('ruleset_faulty', 'The draft has faults. `validate` lists them.')
}

export const schemaOf = async (db: Db, scope: Scope) => characterSchema(await rulesetOf(db, scope))

/** How well an entry fits a search: the beginning of the term first, then a part of it or of a synonym, then its definition. */
function rankOf({ term, synonyms, definition }: GlossaryEntry, wanted: string): number {
  // A lone accent folds to nothing, and is in no word.
  if (wanted === '') return Number.POSITIVE_INFINITY
  const names = [term, ...synonyms].map((name) => fold(name))
  if (names.some((name) => name.startsWith(wanted))) return 0
  if (names.some((name) => name.includes(wanted))) return 1
  return fold(definition ?? '').includes(wanted) ? 2 : Number.POSITIVE_INFINITY
}

/** An entry as lists show it. */
function excerptOf(entry: GlossaryEntry) {
  const letters = [...(entry.definition ?? '')]
  const truncated = letters.length > MAX_LISTED_TEXT
  return { ...entry, definition: truncated ? letters.slice(0, MAX_LISTED_TEXT).join('') : entry.definition, truncated }
}

export async function listTerms(db: Db, scope: Scope, { q, kind, limit, offset }: TermsQuery) {
  const ofKind = glossaryOf((await rulesetOf(db, scope)).document).filter((entry) => kind === undefined || entry.kind === kind)
  const wanted = q === undefined ? undefined : fold(q.trim())
  // Without a search, the order is that of the document. The sort is stable.
  const ranked = ofKind
    .map((entry) => ({ entry, rank: wanted === undefined ? 0 : rankOf(entry, wanted) }))
    .filter(({ rank }) => Number.isFinite(rank))
    .sort((a, b) => a.rank - b.rank)
  return { items: ranked.slice(offset, offset + limit).map(({ entry }) => excerptOf(entry)), limit, offset, total: ranked.length }
}
