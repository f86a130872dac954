import { Marked, type Token } from 'marked'

const marked = new Marked({ gfm: true })

/** A Markdown text as its reader sees it: the text, and the kinds of everything else in it, with the text of each. */
export interface Rendered {
  text: string
  marks: [kind: string, text: string][]
}

/** Plain parts of a text. Everything else is formatting that a reader sees. */
const PLAIN = new Set(['paragraph', 'text', 'escape', 'space'])

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
const textOfHtml = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] as string)

/** Renders a Markdown text with a parser of CommonMark and GitHub's dialect. */
export function rendered(markdown: string): Rendered {
  const marks: Rendered['marks'] = []
  const collect = (tokens: Token[]) =>
    marked.walkTokens(tokens, (token) => {
      if (!PLAIN.has(token.type)) marks.push([token.type, 'text' in token ? token.text : token.raw])
    })
  collect(marked.lexer(markdown))
  return { text: textOfHtml(marked.parse(markdown, { async: false })).trim(), marks }
}

const INVISIBLE = /@\u200b/g

/** The text of Markdown without the characters that keep an @ from notifying people. */
export const withoutGuards = (text: string) => text.replace(INVISIBLE, '@')

/**
 * Patterns that Discord reads in a message besides CommonMark. It finds mentions also behind a backslash, which prevents everything else: addresses, spoilers,
 * headings, subtext, quotes, underlining and emoji.
 */
const ANYWHERE = [/@(everyone|here)\b/, /<@[!&]?\d+>/]
const UNESCAPED = [
  /https?:\/\//,
  /<(#|a?:\w+:|t:|\/|id:)/,
  /^\s*(#{1,3}|-#|>|>>>|[-*]|\d+\.)\s/m,
  /\|\|/,
  /__/,
  /:\w+:/,
  /[*`]/,
  /~~/,
  /\]\(/,
]

/** Everything in a message that Discord would not show as written. Escaped characters are left out before it is searched. */
export const discordMarks = (markdown: string) => {
  const bare = markdown.replace(/\\[^0-9A-Za-z\s]/g, '\ue000')
  return [...ANYWHERE.filter((mark) => mark.test(markdown)), ...UNESCAPED.filter((mark) => mark.test(bare))].map(String)
}
