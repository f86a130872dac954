import { escapeHtml } from './escape.ts'
import { type DocPage, readDoc, resolver } from './library.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'

const card = ({ path, title, answers }: Pick<DocPage, 'path' | 'title' | 'answers'>) =>
  `<li><a href="${path}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(answers.replaceAll('`', ''))}</span></a></li>`

const REFERENCE = { path: '/docs/reference', title: 'API reference', answers: 'Every operation, field and status, to try with your key' }

/** The start page: docs/start.md, and then every other page with the question that it answers. */
export function renderStart(pages: DocPage[]): Rendered {
  const { html, title, headings } = renderMarkdown(readDoc('docs/start.md'), resolver(pages, 'docs/start.md'))
  const groups = Map.groupBy(
    pages.filter(({ path }) => path !== '/docs'),
    ({ group }) => group,
  )
  groups.set('Look it up', [{ ...REFERENCE, file: '', group: '' }, ...(groups.get('Look it up') ?? [])])
  const lists = [...groups].map(([group, listed]) => {
    const slug = group.toLowerCase().replaceAll(' ', '-')
    headings.push({ depth: 2, text: group, slug })
    return `<h2 id="${slug}">${group}</h2>\n<ul class="cards">${listed.map(card).join('\n')}</ul>`
  })
  return { html: `<div class="start">${html}</div>\n${lists.join('\n')}`, title, headings }
}
