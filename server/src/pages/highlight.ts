import { escapeHtml } from './escape.ts'

/** The parts of a language that get a color, each a named group; everything else stays as it is. */
const LANGUAGES: Record<string, RegExp> = {
  json: /(?<name>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\\n]|\\.)*")|(?<value>\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b)|(?<note>…)/g,
  sh: /(?<note>(?<=^|\s)#[^\n]*)|(?<text>'[^']*'|"(?:[^"\\]|\\.)*")|(?<name>\$\{?\w+\}?|(?<=\s)--?[a-zA-Z][\w-]*)/gm,
  ts: /(?<note>\/\/[^\n]*)|(?<text>'[^'\n]*'|`[^`]*`)|(?<name>\b(?:const|let|await|async|for|of|if|return|import|from|new|export|function|throw|try|catch)\b)|(?<value>\b\d+\b)/g,
}
const ALIASES: Record<string, string> = { bash: 'sh', js: 'ts', javascript: 'ts', typescript: 'ts' }

/** Colors a sample of code for reading. This is no parser: a sample that it misreads is only colored differently. */
export function highlight(code: string, language: string): string {
  const pattern = LANGUAGES[ALIASES[language] ?? language]
  if (!pattern) return escapeHtml(code)
  let html = ''
  let end = 0
  for (const match of code.matchAll(pattern)) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['text']
    html += `${escapeHtml(code.slice(end, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`
    end = match.index + match[0].length
  }
  return html + escapeHtml(code.slice(end))
}
