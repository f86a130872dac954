import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = new URL('../../', import.meta.url).pathname
export const markdownFiles = globSync(
  ['*.md', '.github/*.md', 'docs/**/*.md', 'examples/**/*.md', 'server/src/**/*.md', '{dice,rules,packs}/*.md', 'client/*.md'],
  {
    cwd: root,
  },
).sort()
export const readMarkdown = (file: string) => readFileSync(join(root, file), 'utf8')

/** A fenced block of a Markdown file. */
export interface Block {
  language: string
  text: string
  line: number
  /** Where its text begins and ends in the file. */
  start: number
  end: number
  /** The HTML comment right before the block. */
  comment: string
  /** True if only blank lines and comments separate it from the block before. */
  isAttached: boolean
}

const FENCE = /^(?:<!-- (?<comment>[^\n]*?) -->\n)?```(?<language>\w*)\n(?<text>[\s\S]*?)^```$/gm

export function blocksOf(markdown: string): Block[] {
  let previousEnd = 0
  return [...markdown.matchAll(FENCE)].map((match) => {
    const { comment = '', language = '', text = '' } = match.groups ?? {}
    const between = markdown.slice(previousEnd, match.index)
    const end = match.index + match[0].length - '```'.length
    previousEnd = match.index + match[0].length
    const line = markdown.slice(0, match.index).split('\n').length + (comment ? 1 : 0)
    return { language, text, line, start: end - text.length, end, comment, isAttached: between.trim() === '' }
  })
}

/** A block with commands, and the block with their output below it. */
export interface Sample {
  commands: Block
  output: Block | undefined
  /** The reason why the commands cannot run in a test. */
  notRun: string | undefined
  /** True if the commands need a Citus cluster. */
  isForCluster: boolean
}

const isCommands = ({ language }: Block) => ['sh', 'bash', 'console'].includes(language)
const isOutput = ({ language }: Block) => language === '' || language === 'json'

export function samplesOf(markdown: string): Sample[] {
  const blocks = blocksOf(markdown)
  return blocks.flatMap((commands, i) => {
    if (!isCommands(commands)) return []
    const next = blocks[i + 1]
    const output = next?.isAttached && isOutput(next) ? next : undefined
    const isForCluster = commands.comment === 'on a cluster'
    return [{ commands, output, notRun: /^not run: (.+)$/.exec(commands.comment)?.[1], isForCluster }]
  })
}

/** JSON blocks that no command printed: a sample that no test can compare. */
export const looseJson = (markdown: string): Block[] => {
  const outputs = new Set(samplesOf(markdown).map(({ output }) => output?.line))
  return blocksOf(markdown).filter(({ language, line }) => language === 'json' && !outputs.has(line))
}

const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** The anchors that a page offers, as GitHub makes them. */
export const anchorsOf = (markdown: string) => [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading as string))

/** The targets of relative links. */
export const linksOf = (markdown: string) =>
  [...markdown.replaceAll(FENCE, '').matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(([, target]) => target as string)
