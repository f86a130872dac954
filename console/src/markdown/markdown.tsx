import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Render = (source: string) => ComponentChildren

let loading: Promise<Render> | undefined

/** A text in Markdown. The parser is loaded with the first one; until then the source is shown. */
export function Markdown({ source }: { source: string }) {
  const [render, setRender] = useState<Render>()
  useEffect(() => {
    loading ??= import('./render-markdown.tsx').then((module) => module.renderMarkdown)
    loading.then((loaded) => setRender(() => loaded))
  }, [])
  return <div class="markdown">{render ? render(source) : <p>{source}</p>}</div>
}
