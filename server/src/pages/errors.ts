import { STATUS_CODES } from 'node:http'
import { lexer, type Tokens } from 'marked'
import { escapeHtml } from './escape.ts'
import { highlight } from './highlight.ts'
import { type DocPage, readDoc, resolver } from './library.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import type { OperationLink } from './operations.ts'

const FILE = 'docs/errors.md'

/** A code of a problem, with its row in docs/errors.md. */
export interface ErrorCode {
  code: string
  status: number
  /** Markdown. */
  when: string
  todo: string
}

export const addressOfError = (code: string) => `/docs/errors/${code}`

/** Reads the codes from the table of docs/errors.md. */
export function readErrors(): ErrorCode[] {
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
    /<td>(<code>([a-z_]+)<\/code>(?:, <code>[a-z_]+<\/code>)*)<\/td>/g,
    (_, cell: string) =>
      `<td>${cell.replaceAll(/<code>([a-z_]+)<\/code>/g, (all, code) => `<a href="${addressOfError(code)}">${all}</a>`)}</td>`,
  )

const sample = ({ code, status }: ErrorCode) =>
  JSON.stringify(
    { status, title: STATUS_CODES[status], detail: '…', instance: '/api/v1/…', code, request_id: 'req_Yk3xT0c9mQe8Xw1Z' },
    null,
    2,
  )

/** The page of one code: what happened, what to do, and which operations answer with it. */
export function renderError(pages: DocPage[], error: ErrorCode, operations: OperationLink[]): Rendered {
  const resolve = resolver(pages, FILE)
  const inline = (markdown: string) =>
    renderMarkdown(markdown, (link) => (link.startsWith('#') ? `/docs/errors${link}` : resolve(link))).html
  const { code, status, when, todo } = error
  const list = operations.map(({ address, method, path, summary }) => {
    const name = `<a href="${escapeHtml(address)}">${escapeHtml(summary)}</a>`
    return `<li>${name} <code class="path">${method} ${escapeHtml(path)}</code></li>`
  })
  const html = [
    `<p class="eyebrow">Error ${status}${STATUS_CODES[status] ? ` · ${STATUS_CODES[status]}` : ''}</p>`,
    `<h1><code>${code}</code></h1>`,
    '<h2 id="what-happened">What happened</h2>',
    inline(`${when}.`),
    '<h2 id="what-to-do">What to do</h2>',
    todo ? inline(`${todo}.`) : '<p>Nothing: this is the answer.</p>',
    ...(status === 499
      ? []
      : [
          '<h2 id="response">Response</h2>',
          `<div class="code" data-language="json"><div class="scroll" tabindex="0" role="group" aria-label="JSON sample"><pre><code>${highlight(sample(error), 'json')}</code></pre></div></div>`,
        ]),
    ...(list.length > 0
      ? [
          '<h2 id="operations">Operations</h2>',
          '<p>These operations can answer with it:</p>',
          `<ul class="operations">${list.join('\n')}</ul>`,
        ]
      : []),
    '<p class="back"><a href="/docs/errors">All errors</a></p>',
  ].join('\n')
  const headings = [...html.matchAll(/<h2 id="([^"]+)">([^<]+)</g)].map(([, slug = '', text = '']) => ({ depth: 2, slug, text }))
  return { html, title: code, headings }
}
