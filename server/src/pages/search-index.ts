import { lexer, type Token, type Tokens } from 'marked'
import type { ErrorRow } from './errors.ts'
import { type DocPage, readDoc } from './library.ts'
import { addressPart } from './operations.ts'
import { slugs } from './slug.ts'

/** A part of the documentation that the search of the pages finds: the page, the section, its address and its words. */
export type Entry = [page: string, section: string, address: string, text: string]

const MAX_TEXT = 2000

/** The text of Markdown without its marks, in one line. */
const plain = (markdown: string) =>
  markdown
    .replaceAll(/<!--[\s\S]*?-->|^```\w*$|^\|[-|]+\|$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/[`*|#>]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The sections of a page, each with the text up to the next heading. Titles of code samples and deeper headings belong to their section. */
function sectionsOf({ path, file, title }: DocPage): Entry[] {
  const slugFor = slugs()
  const entries: Entry[] = [[title, '', path, '']]
  for (const token of lexer(readDoc(file)) as Token[]) {
    const last = entries.at(-1) as Entry
    if (token.type !== 'heading') {
      last[3] = `${last[3]} ${plain(token.raw)}`.trim().slice(0, MAX_TEXT)
      continue
    }
    const { depth, text } = token as Tokens.Heading
    const heading = plain(text)
    const slug = slugFor(heading)
    if (depth > 1) entries.push([title, heading, `${path}#${slug}`, ''])
  }
  return entries
}

interface Documented {
  operationId?: string
  tags: string[]
  summary: string
}

/** The operations of the OpenAPI document, which the reference describes. */
function operationsOf(document: object): Entry[] {
  const { paths } = document as { paths: Record<string, Record<string, Documented>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, tags, summary }]): Entry[] =>
      operationId
        ? [
            [
              'API reference',
              summary,
              `/docs/reference#tag/${addressPart(tags[0] ?? '')}/${operationId}`,
              `${method.toUpperCase()} ${path}`,
            ],
          ]
        : [],
    ),
  )
}

/** The index of everything that can be found: sections of pages, error codes and operations. A page loads it when somebody begins to search. */
export const searchIndex = (pages: DocPage[], errors: ErrorRow[], document: object): Entry[] => [
  ...pages.flatMap(sectionsOf),
  ...errors.map(({ code, when, todo }): Entry => ['Error codes', code, `/docs/errors/${code}`, plain(`${when}. ${todo}`)]),
  ...operationsOf(document),
]
