import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The distance from the end, in pixels, within which the list counts as scrolled to its end. */
const NEAR_PX = 60

export interface Stick {
  /** Number of entries that came while the reader was further up. */
  unseen: number
  toEnd: () => void
}

interface StickOptions {
  /** True on a small screen, where the page scrolls, and not the list. */
  isPage: boolean
  /** False while another part of the page is in place of the list. The list begins at its end when it is shown again. */
  isShown: boolean
}

/** Keeps a list at its end while entries are added, unless the reader has scrolled up: then they are counted. Entries that are added in front do not move what is read. */
export function useStick(list: RefObject<HTMLElement | null>, keys: readonly string[], { isPage, isShown }: StickOptions): Stick {
  const [unseen, setUnseen] = useState(0)
  const isAtEnd = useRef(true)
  const lastTop = useRef(0)
  const before = useRef<{ first: string | undefined; last: string | undefined; height: number }>({
    first: undefined,
    last: undefined,
    height: 0,
  })
  const scroller = () => (isPage ? document.scrollingElement : list.current)
  const toEnd = () => {
    const element = scroller()
    if (element) {
      element.scrollTop = element.scrollHeight
      lastTop.current = element.scrollTop
    }
    isAtEnd.current = true
    setUnseen(0)
  }

  useEffect(() => {
    if (!isShown) return
    const target: EventTarget | null = isPage ? window : list.current
    const onScroll = () => {
      const element = scroller()
      if (!element) return
      const isNear = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX
      // Only a reader who scrolls up leaves the end. The content may have grown since the list was scrolled to it.
      isAtEnd.current = isNear || (isAtEnd.current && element.scrollTop >= lastTop.current)
      lastTop.current = element.scrollTop
      if (isNear) setUnseen(0)
    }
    target?.addEventListener('scroll', onScroll, { passive: true })
    // When the tray below the list grows, for example with the odds, the list becomes lower, or the page higher.
    const resized = new ResizeObserver(() => isAtEnd.current && toEnd())
    const changing = isPage ? document.body : list.current
    if (changing) resized.observe(changing)
    return () => {
      target?.removeEventListener('scroll', onScroll)
      resized.disconnect()
    }
  }, [isPage, isShown])

  useLayoutEffect(() => {
    if (isPage && isShown) toEnd()
  }, [isPage, isShown])

  useLayoutEffect(() => {
    const element = scroller()
    const { first, last, height } = before.current
    const [nextFirst, nextLast] = [keys[0], keys.at(-1)]
    if (element && isShown) {
      if (isAtEnd.current) toEnd()
      else {
        if (first !== nextFirst && first !== undefined && keys.includes(first)) element.scrollTop += element.scrollHeight - height
        const added = last === undefined ? 0 : keys.length - 1 - keys.lastIndexOf(last)
        if (last !== nextLast && added > 0 && keys.includes(last as string)) setUnseen((count) => count + added)
      }
    }
    before.current = { first: nextFirst, last: nextLast, height: element?.scrollHeight ?? 0 }
  }, [keys.length, keys[0], keys.at(-1), isPage])
  return { unseen, toEnd }
}
