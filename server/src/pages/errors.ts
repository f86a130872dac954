import { STATUS_CODES } from 'node:http'
import { lexer, type Tokens } from 'marked'
import { needsRole, REASONS, whyDenied } from '../core/denial.ts'
import { pageOf } from '../core/problem.ts'
import { escapeHtml } from './escape.ts'
import { type DocPage, readDoc, resolver } from './library.ts'
import { codeBlock, type Heading, type Rendered, renderMarkdown } from './markdown.ts'
import type { OperationLink } from './operations.ts'
import { slugOf } from './slug.ts'

const FILE = 'docs/errors.md'

/** A row of docs/errors.md. A code may have several: `too_many_streams` is 429 for a user and 503 for the process. */
export interface ErrorRow {
  code: string
  status: number
  /** Markdown. */
  when: string
  todo: string
}

/** Reads the codes from the table of docs/errors.md. */
export function readErrors(): ErrorRow[] {
  const table = lexer(readDoc(FILE)).find((token): token is Tokens.Table => token.type === 'table')
  return (table?.rows ?? []).flatMap(([status, codes, when, todo]) =>
    [...(codes?.text ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]) => ({
      code: code as string,
      status: Number(status?.text),
      when: when?.text ?? '',
      todo: todo?.text ?? '',
    })),
  )
}

/** In the list of all codes, each one leads to its page. */
export const linkCodes = (html: string) =>
  html.replaceAll(
    /(<td>\d{3}<\/td><td>)(<code>([a-z_]+)<\/code>)/g,
    (_, before: string, code: string, name: string) => `${before}<a href="${pageOf(name)}">${code}</a>`,
  )

/** 499 is no response: the client is gone. */
const isInLogOnly = ({ status }: ErrorRow) => status === 499

/** The further fields of the problems that have some. */
const DETAILS: Record<string, object> = {
  validation_failed: {
    detail: 'Validation failed for one or more fields.',
    invalid_parameters: [{ field: 'name', message: 'must not be empty' }],
  },
  forbidden: {
    detail: 'No rights to access this resource',
    reason: 'role',
    why: whyDenied(needsRole('STORYTELLER')),
    needs: { role: 'STORYTELLER' },
  },
  duplicate: { id: '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01' },
  user_archived: { id: '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01' },
  not_enough_experience: { detail: 'Only 6 experience is available. Spend at most that much.', available: 6 },
  award_spent: { available: 6 },
  insufficient_quantity: { available: 6 },
  desperation_too_low: { available: 2 },
}

const sample = ({ code, status }: ErrorRow) =>
  JSON.stringify(
    {
      type: pageOf(code),
      status,
      title: STATUS_CODES[status],
      detail: '…',
      instance: '/api/v1/…',
      code,
      request_id: 'req_Yk3xT0c9mQe8Xw1Z',
      ...DETAILS[code],
    },
    null,
    2,
  )

/** The reasons that a problem of the code may have, as a table. Only a 403 has one. */
export const reasonsOf = ({ code }: ErrorRow): string | undefined =>
  code === 'forbidden'
    ? ['| Reason | Meaning |', '|---|---|', ...Object.entries(REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`)].join(
        '\n',
      )
    : undefined

const statusOf = ({ status }: ErrorRow) => `Error ${status}${STATUS_CODES[status] ? ` · ${STATUS_CODES[status]}` : ''}`

/** The page of one code: what happened, what to do, and which operations answer with it. */
export function renderError(pages: DocPage[], rows: [ErrorRow, ...ErrorRow[]], operations: OperationLink[]): Rendered {
  const resolve = resolver(pages, FILE)
  const inline = (markdown: string) =>
    renderMarkdown(markdown, (link) => (link.startsWith('#') ? `/docs/errors${link}` : resolve(link))).html
  const headings: Heading[] = []
  const heading = (text: string) => {
    const slug = slugOf(text)
    headings.push({ depth: 2, text, slug })
    return `<h2 id="${slug}">${text}</h2>`
  }
  const list = operations.map(({ address, method, path, summary }) => {
    const name = `<a href="${escapeHtml(address)}">${escapeHtml(summary)}</a>`
    return `<li>${name} <code class="path">${method} ${escapeHtml(path)}</code></li>`
  })
  const [first] = rows
  const sections = rows.flatMap((row) => {
    const suffix = rows.length > 1 ? ` (${row.status})` : ''
    return [heading(`What happened${suffix}`), inline(`${row.when}.`), heading(`What to do${suffix}`), inline(`${row.todo}.`)]
  })
  const reasons = reasonsOf(first)
  const html = [
    `<p class="eyebrow">${rows.map(statusOf).join(', ')}</p>`,
    `<h1><code>${first.code}</code></h1>`,
    ...sections,
    ...(reasons ? [heading('Reasons'), inline(reasons)] : []),
    ...(isInLogOnly(first) ? [] : [heading('Response'), codeBlock(sample(first), 'json')]),
    ...(list.length > 0
      ? [heading('Operations'), '<p>These operations can answer with it:</p>', `<ul class="operations">${list.join('\n')}</ul>`]
      : []),
    '<p><a href="/docs/errors">All errors</a></p>',
  ].join('\n')
  return { html, title: first.code, headings }
}
