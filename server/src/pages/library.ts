import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { lexer, type Tokens } from 'marked'
import { type Rendered, renderMarkdown } from './markdown.ts'

/** The root of the repository, or of the folder that an image copies it to. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const INDEX = 'docs/README.md'

/** Files with another address than their path. The index of the repository and the start page are one page here. */
const ADDRESSES: Record<string, string> = {
  [INDEX]: '/docs',
  'docs/start.md': '/docs',
  'CHANGELOG.md': '/docs/changelog',
  'SECURITY.md': '/docs/security-policy',
  'openapi.json': '/docs/reference',
}

/** A page of the documentation. */
export interface DocPage {
  path: string
  file: string
  title: string
  /** The question that it answers. */
  answers: string
  group: string
}

/** The folder of the pictures. They keep their paths as addresses. */
const IMAGES = 'docs/images'
const listImages = () => readdirSync(join(ROOT, IMAGES)).map((name) => `${IMAGES}/${name}`)

/** Reads the pictures of the documentation, by address. */
export const readImages = () => new Map(listImages().map((file) => [`/${file}`, readFileSync(join(ROOT, file))]))

export const readDoc = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const addressOf = (file: string) => ADDRESSES[file] ?? `/${file.replace(/\.md$/, '')}`

/** The parts of the index that users of a service need. The last part, for those who change the service, is for readers of the repository. */
const GROUPS: Record<string, (file: string) => string> = {
  'Use it': (file) => (file.startsWith('docs/guides/') || file === 'docs/start.md' ? 'Guides' : 'Look it up'),
  'Run it': () => 'Operate',
}

/** Reads the pages from the tables of docs/README.md, in its order: a page that is listed there is served here. */
export function readIndex(): DocPage[] {
  let section = ''
  const pages: DocPage[] = []
  for (const token of lexer(readDoc(INDEX))) {
    if (token.type === 'heading') section = (token as Tokens.Heading).text
    const groupOf = GROUPS[section]
    if (token.type !== 'table' || !groupOf) continue
    for (const [name, answers] of (token as Tokens.Table).rows) {
      const link = name?.tokens.find((part): part is Tokens.Link => part.type === 'link')
      if (!link) continue
      const file = normalize(join(dirname(INDEX), link.href))
      pages.push({ path: addressOf(file), file, title: link.text, answers: answers?.text ?? '', group: groupOf(file) })
    }
  }
  // Guides come first, operators' pages last.
  const order = ['Guides', 'Look it up', 'Operate']
  return pages.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
}

/** Returns the function that finds the address of a link in a file: of a page or a picture, of another host, or none if the file is not served. */
export function resolver(pages: DocPage[], file: string, extension = ''): (link: string) => string | undefined {
  const served = new Set([INDEX, 'openapi.json', ...listImages(), ...pages.map((page) => page.file)])
  return (link) => {
    if (/^[a-z]+:/.test(link) || link.startsWith('/')) return link
    const [path = '', anchor] = link.split('#')
    if (path === '') return link
    const target = normalize(join(dirname(file), path))
    if (!served.has(target)) return undefined
    const address = addressOf(target)
    return `${address}${target.endsWith('.md') ? extension : ''}${anchor === undefined ? '' : `#${anchor}`}`
  }
}

export const renderPage = (pages: DocPage[], { file }: DocPage): Rendered => renderMarkdown(readDoc(file), resolver(pages, file))

/** Replaces the addresses of links in Markdown; without an address, only the text stays. Code blocks stay as they are. */
export const linkMarkdown = (markdown: string, resolve: (link: string) => string | undefined) =>
  markdown
    .split(/^(```[\s\S]*?^```$)/m)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, text: string, link: string) => {
            const address = resolve(link)
            return address === undefined ? text : `[${text}](${address})`
          }),
    )
    .join('')

/** The Markdown of a page, for programs: with links that lead to the Markdown of other pages. */
export const markdownOf = (pages: DocPage[], { file }: DocPage): string => linkMarkdown(readDoc(file), resolver(pages, file, '.md'))
