import { escapeHtml } from './escape.ts'
import type { DocPage } from './library.ts'
import type { Heading } from './markdown.ts'

/** Stands for the nonce of a response in the HTML of a page, which is made once. */
export const NONCE = '__NONCE__'

/** The addresses of our own styles, scripts and icon, which have the hash of their content. */
export interface AssetUrls {
  css: string
  script: string
  search: string
  icon: string
}

export interface PageParts {
  /** The path of the page, to mark it in the navigation. */
  path: string
  title: string
  description: string
  /** The content of `main`. */
  html: string
  headings: Heading[]
  /** The address of the page as Markdown, if it has one. */
  markdown?: string
  previous?: { path: string; title: string } | undefined
  next?: { path: string; title: string } | undefined
}

const LOGO =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><path d="M16 2 28 9v14L16 30 4 23V9z" fill="currentColor"/><path d="M16 7.5 23.5 20h-15zM16 2v5.5M4 9l4.5 11M28 9l-4.5 11M4 23l4.5-3M28 23l-4.5-3M16 30l-7.5-10M16 30l7.5-10" fill="none" stroke="var(--page)" stroke-width="1.4" stroke-linejoin="round"/></svg>'

/** Marks the link to the page that is shown, or to the list that it belongs to. */
const current = (path: string, shown: string) =>
  path === shown ? ' aria-current="page"' : path !== '/docs' && shown.startsWith(`${path}/`) ? ' aria-current="true"' : ''

/** The pages by group, with the start page and the reference, which the index of the repository does not list. */
function navigation(pages: DocPage[], shown: string): string {
  const link = (path: string, title: string) => `<li><a href="${path}"${current(path, shown)}>${escapeHtml(title)}</a></li>`
  const groups = Map.groupBy(
    pages.filter(({ path }) => path !== '/docs'),
    ({ group }) => group,
  )
  const lists = [...groups].map(
    ([group, listed]) => `<h2>${group}</h2><ul>${listed.map(({ path, title }) => link(path, title)).join('')}</ul>`,
  )
  return `<ul>${link('/docs', 'Start')}${link('/docs/reference', 'API reference')}</ul>${lists.join('')}`
}

/** The search, which needs its script to be shown. */
const SEARCH = `<form class="search" role="search" data-index="/docs/search.json" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search: press /" autocomplete="off" spellcheck="false">
<p role="status"></p>
<ul aria-label="Results"></ul>
</form>`

const step = (to: PageParts['next'], label: string, side: string) =>
  to ? `<a class="${side}" href="${to.path}"><span>${label}</span>${escapeHtml(to.title)}</a>` : ''

/** The sections of a long page. A short one needs no list of them. */
function contents(headings: Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2)
  if (sections.length < 2) return ''
  const items = sections.map(({ slug, text }) => `<li><a href="#${slug}">${escapeHtml(text)}</a></li>`)
  return `<aside class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></aside>`
}

/** The beginning of every page, within its head. */
export const headOf = ({ title, description, icon, css }: { title: string; description: string; icon: string; css: string }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${css}">`

/** The whole HTML of a page, with a placeholder for the nonce. */
export function layout(pages: DocPage[], assets: AssetUrls, parts: PageParts): string {
  const { path, title, description, html, headings, markdown, previous, next } = parts
  const steps =
    previous || next
      ? `<nav class="steps" aria-label="Previous and next page">${step(previous, 'Previous', 'previous')}${step(next, 'Next', 'next')}</nav>`
      : ''
  return `${headOf({ ...assets, description, title: title === 'Guildhall' ? 'Guildhall documentation' : `${title} · Guildhall` })}
${markdown ? `<link rel="alternate" type="text/markdown" href="${markdown}">\n` : ''}<script nonce="${NONCE}" src="${assets.script}" defer></script>
<script nonce="${NONCE}" src="${assets.search}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/docs">${LOGO}<span>Guildhall</span></a>
<nav class="links" aria-label="Main"><a href="/docs/reference">Reference</a><a href="/docs/errors"${current('/docs/errors', path)}>Errors</a><a href="/docs/changelog"${current('/docs/changelog', path)}>Changelog</a></nav>
<button class="menu" type="button" popovertarget="pages">Menu</button>
</header>
<div class="frame">
<nav class="pages" id="pages" popover aria-label="Pages">${SEARCH}${navigation(pages, path)}</nav>
<main id="content" tabindex="-1">
<article>
${html}
</article>
${steps}
</main>
${contents(headings)}
</div>
<footer><a href="/llms.txt">llms.txt</a><a href="/openapi.json">OpenAPI</a>${markdown ? `<a href="${markdown}">This page as Markdown</a>` : ''}</footer>
</body>
</html>
`
}
