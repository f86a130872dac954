import { readFileSync } from 'node:fs'
import { rulesetSchema } from '@guildhall/rules/ruleset/document-schema'
import { type ErrorRow, linkCodes, readErrors, reasonsOf, renderError } from './errors.ts'
import { layout, type PageParts } from './layout.ts'
import { type DocPage, linkMarkdown, markdownOf, readImages, readIndex, renderPage } from './library.ts'
import { llmsText } from './llms.ts'
import { type OperationLink, operationsByCode } from './operations.ts'
import { searchIndex } from './search-index.ts'
import { renderStart } from './start-page.ts'
import { StaticFile } from './static-file.ts'

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

const MARKDOWN = 'text/markdown; charset=utf-8'

const staticFile = (name: string) =>
  new StaticFile(TYPES[name.split('.').at(-1) as string] as string, readFileSync(new URL(`./static/${name}`, import.meta.url)))

/** All pages and files of the documentation. Each page is rendered when it is first requested, in a few milliseconds, and kept. */
export class Site {
  readonly pages: DocPage[] = readIndex()
  readonly #assets = new Map<string, StaticFile>()
  readonly #images = new Map([...readImages()].map(([path, content]) => [path, new StaticFile('image/png', content)]))
  readonly icon = staticFile('favicon.svg')
  readonly llms: StaticFile
  readonly #document: () => object
  #openapi: StaticFile | undefined
  #rulesetSchema: StaticFile | undefined
  #searchIndex: StaticFile | undefined
  #operations: Map<string, OperationLink[]> | undefined
  readonly #rendered = new Map<string, string>()
  readonly #markdown = new Map<string, StaticFile>()
  readonly #errors = Map.groupBy(readErrors(), ({ code }) => code) as Map<string, [ErrorRow, ...ErrorRow[]]>

  constructor(document: () => object) {
    this.#document = document
    this.llms = new StaticFile('text/plain; charset=utf-8', llmsText(this.pages))
    for (const name of ['docs.css', 'docs.js', 'search.js', 'reference.css', 'reference.js', 'favicon.svg'])
      this.#assets.set(name, staticFile(name))
  }

  /** The index of the search, which is made when somebody first searches. */
  get searchIndex(): StaticFile {
    const entries = () => searchIndex(this.pages, [...this.#errors.values()].flat(), this.#document())
    this.#searchIndex ??= new StaticFile('application/json; charset=utf-8', JSON.stringify(entries()))
    return this.#searchIndex
  }

  /** The JSON Schema of rulesets, for editors. */
  get rulesetSchema(): StaticFile {
    this.#rulesetSchema ??= new StaticFile('application/schema+json; charset=utf-8', JSON.stringify(rulesetSchema()))
    return this.#rulesetSchema
  }

  /** The OpenAPI document, which is made when it is first requested. */
  get openapi(): StaticFile {
    this.#openapi ??= new StaticFile('application/json; charset=utf-8', JSON.stringify(this.#document()))
    return this.#openapi
  }

  asset(name: string): StaticFile | undefined {
    return name === 'openapi.json' ? this.openapi : this.#assets.get(name)
  }

  /** A picture of the documentation; undefined if there is none at this path. */
  imageAt(path: string): StaticFile | undefined {
    return this.#images.get(path)
  }

  /** The address of an asset, with the hash of its content: `/docs/assets/docs.<hash>.css`. */
  urlOf(name: string, file = this.asset(name) as StaticFile): string {
    const [base, extension] = name.split('.')
    return `/docs/assets/${base}.${file.hash}.${extension}`
  }

  /** The HTML of a page, with a placeholder for the nonce; undefined if there is none at this path. */
  htmlOf(path: string): string | undefined {
    const known = this.#rendered.get(path)
    if (known !== undefined) return known
    const parts = this.#partsOf(path)
    const html = parts && this.render(parts)
    if (html !== undefined) this.#rendered.set(path, html)
    return html
  }

  /** The page for a path at which there is nothing. */
  notFound(): string {
    const html =
      '<p class="eyebrow">Error 404</p><h1>There is no such page</h1><p>It may have moved. Begin at the <a href="/docs">start page</a>, or look for an operation in the <a href="/docs/reference">API reference</a>.</p>'
    return this.render({ path: '', title: 'Not found', description: 'There is no such page', html, headings: [] })
  }

  render(parts: PageParts): string {
    const assets = {
      css: this.urlOf('docs.css'),
      script: this.urlOf('docs.js'),
      search: this.urlOf('search.js'),
      icon: this.urlOf('favicon.svg'),
    }
    return layout(this.pages, assets, parts)
  }

  /** A page as Markdown. It is kept, so that it is compressed once. */
  markdownOf(path: string): StaticFile | undefined {
    const known = this.#markdown.get(path)
    if (known) return known
    const text = this.#markdownTextOf(path)
    if (text === undefined) return undefined
    const file = new StaticFile(MARKDOWN, text)
    this.#markdown.set(path, file)
    return file
  }

  #markdownTextOf(path: string): string | undefined {
    const page = this.pages.find((one) => one.path === path)
    if (page) return markdownOf(this.pages, page)
    const rows = this.#errors.get(this.#codeIn(path))
    if (!rows) return undefined
    const sections = rows.map(
      ({ status, when, todo }) => `Status ${status}.\n\n## What happened\n\n${when}.\n\n## What to do\n\n${todo}.\n`,
    )
    const reasons = reasonsOf(rows[0])
    if (reasons) sections.push(`## Reasons\n\n${reasons}\n`)
    // The links of the rows are written for their own file.
    return linkMarkdown(`# ${rows[0].code}\n\n${sections.join('\n')}`, (link) => (link.startsWith('#') ? `/docs/errors.md${link}` : link))
  }

  #codeIn = (path: string) => /^\/docs\/errors\/([a-z_]+)$/.exec(path)?.[1] ?? ''

  #partsOf(path: string): PageParts | undefined {
    const position = this.pages.findIndex((one) => one.path === path)
    const page = this.pages[position]
    if (!page) return this.#errorAt(path)
    const rendered = path === '/docs' ? renderStart(this.pages) : renderPage(this.pages, page)
    const html = path === '/docs/errors' ? linkCodes(rendered.html) : rendered.html
    const [previous, next] = [this.pages[position - 1], this.pages[position + 1]]
    return { ...rendered, html, path, description: page.answers, markdown: `${path}.md`, previous, next }
  }

  #errorAt(path: string): PageParts | undefined {
    const rows = this.#errors.get(this.#codeIn(path))
    if (!rows) return undefined
    const [{ code, when }] = rows
    this.#operations ??= operationsByCode(this.#document(), [...this.#errors.keys()])
    const operations = this.#operations.get(code) ?? []
    return { ...renderError(this.pages, rows, operations), path, description: when, markdown: `${path}.md` }
  }
}
