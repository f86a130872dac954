import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from './escape.ts'
import { highlight } from './highlight.ts'
import { slugs } from './slug.ts'

export interface Heading {
  depth: number
  text: string
  slug: string
}

/** A Markdown file as HTML. */
export interface Rendered {
  html: string
  /** The title of the page, from its first heading. */
  title: string
  headings: Heading[]
}

const LABELS: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  ts: 'TypeScript',
  js: 'JavaScript',
  csharp: 'C#',
  http: 'HTTP',
  sql: 'SQL',
}

/** The text of inline Markdown, without its marks. */
const textOf = (tokens: Token[] = []): string =>
  tokens.map((token) => ('tokens' in token && token.tokens ? textOf(token.tokens) : 'text' in token ? String(token.text) : '')).join('')

/** Code and tables may be wider than the page. They scroll by themselves, also with the keyboard. */
const scrolling = (kind: string, label: string, html: string) =>
  `<div class="${kind}" tabindex="0" role="group" aria-label="${escapeHtml(label)}">${html}</div>\n`

export const codeBlock = (code: string, language: string) => {
  const label = `${LABELS[language] ?? 'Output'} sample`
  return `<div class="code" data-language="${escapeHtml(language)}">${scrolling('scroll', label, `<pre><code>${highlight(code, language)}</code></pre>`)}</div>\n`
}

/**
 * Renders the Markdown of our own documentation. `resolve` returns the address of a link, or undefined if its target is not served. HTML in Markdown is left out: our
 * files use it for comments only.
 */
export function renderMarkdown(markdown: string, resolve: (link: string) => string | undefined): Rendered {
  const headings: Heading[] = []
  const slugFor = slugs()
  const marked = new Marked({
    gfm: true,
    renderer: {
      html: () => '',
      heading({ tokens, depth }: Tokens.Heading) {
        const text = textOf(tokens)
        const slug = slugFor(text)
        headings.push({ depth, text, slug })
        const inline = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${slug}">${inline}</h1>\n`
        const anchor = `<a class="anchor" href="#${slug}" aria-label="Link to ${escapeHtml(text)}">#</a>`
        return `<h${depth} id="${slug}">${inline} ${anchor}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const inline = this.parser.parseInline(tokens)
        const address = resolve(href)
        if (address === undefined) return `<span class="unlinked" title="In the source repository: ${escapeHtml(href)}">${inline}</span>`
        const outside = /^https?:/.test(address) ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(address)}"${outside}>${inline}</a>`
      },
      image({ href, text }: Tokens.Image) {
        const address = resolve(href)
        const alt = escapeHtml(text)
        return address === undefined ? alt : `<img src="${escapeHtml(address)}" alt="${alt}" loading="lazy">`
      },
      code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, lang),
      table(token: Tokens.Table) {
        const cell = (tag: string, { tokens }: Tokens.TableCell) => {
          const inline = this.parser.parseInline(tokens)
          // The corner above the names of rows is no heading.
          const name = inline === '' ? 'td' : tag
          return `<${name}>${inline}</${name}>`
        }
        const row = (cells: Tokens.TableCell[], tag: string) => `<tr>${cells.map((one) => cell(tag, one)).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        const columns = token.header.map(({ tokens }) => textOf(tokens)).join(', ')
        return scrolling('table', `Table: ${columns}`, `<table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table>`)
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, title: headings[0]?.text ?? '', headings }
}
