import type { Nodes, Parents } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { ComponentChildren } from 'preact'

/** Only these schemes are links. Everything else, such as javascript:, stays text. */
const LINKED = /^(https?:|mailto:)/i

/**
 * Turns Markdown into elements without HTML in between: nothing that a player writes can become a tag, an attribute or a script. HTML in the source is shown as text, and pictures as
 * their description, because loading them would reveal the reader to another server.
 */
export function renderMarkdown(source: string): ComponentChildren {
  const tree = fromMarkdown(source)
  leveled(tree)
  return childrenOf(tree)
}

/** The page has its own first and second headings. */
const FIRST_LEVEL = 3

/** Gives headings the levels of the page, of which none may be skipped: users of screen readers navigate by them. Returns the last level. */
function leveled(node: Parents, last: number = FIRST_LEVEL - 1): number {
  let level = last
  for (const child of node.children) {
    if (child.type === 'heading') {
      level = Math.min(child.depth + FIRST_LEVEL - 1, level + 1, 6)
      child.depth = level as 3
    } else if ('children' in child) level = leveled(child, level)
  }
  return level
}

const childrenOf = (node: Parents): ComponentChildren => node.children.map((child, index) => <Node key={index} node={child} />)

function Node({ node }: { node: Nodes }) {
  switch (node.type) {
    case 'text':
      return node.value
    case 'paragraph':
      return <p>{childrenOf(node)}</p>
    case 'heading': {
      const Heading = `h${node.depth}` as 'h3'
      return <Heading>{childrenOf(node)}</Heading>
    }
    case 'emphasis':
      return <em>{childrenOf(node)}</em>
    case 'strong':
      return <strong>{childrenOf(node)}</strong>
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the keyboard
        <pre tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{childrenOf(node)}</blockquote>
    case 'list':
      return node.ordered ? <ol start={node.start ?? 1}>{childrenOf(node)}</ol> : <ul>{childrenOf(node)}</ul>
    case 'listItem':
      return <li>{childrenOf(node)}</li>
    case 'link':
      return LINKED.test(node.url) ? (
        <a href={node.url} target="_blank" rel="noopener noreferrer">
          {childrenOf(node)}
        </a>
      ) : (
        childrenOf(node)
      )
    case 'image':
      return <em>{node.alt}</em>
    case 'thematicBreak':
      return <hr />
    case 'break':
      return <br />
    case 'html':
      return node.value
    default:
      return 'children' in node ? childrenOf(node as Parents) : null
  }
}
