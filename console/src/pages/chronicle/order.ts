import { useRef, useState } from 'preact/hooks'
import { noticeEnd } from '../../data/load.ts'
import { tellProblem } from '../../ui/toast.tsx'

/** Something with a place in an order. */
export interface Ordered {
  id: string
  name: string
}

interface Order<T> {
  items: T[]
  /** Moves an item to an index. */
  move: (id: string, index: number) => void
  /** The present index of an item. */
  indexOf: (id: string) => number
}

/** The items with one of them at another index. */
function withMoved<T extends Ordered>(items: readonly T[], id: string, index: number): T[] {
  const moved = items.find((item) => item.id === id)
  if (!moved) return [...items]
  const others = items.filter((item) => item.id !== id)
  return [...others.slice(0, index), moved, ...others.slice(index)]
}

/**
 * The order of items that a person moves. The new order is shown at once; the moves are sent one after another, so that several quick presses of a key all count. After the last one,
 * and after a failure, the order is that of the service.
 */
export function useOrder<T extends Ordered>(
  items: readonly T[],
  send: (id: string, number: number) => Promise<unknown>,
  reload: () => Promise<void>,
): Order<T> {
  const [, render] = useState({})
  const wanted = useRef<string[] | undefined>(undefined)
  const queue = useRef<Promise<void>>(Promise.resolve())
  const open = useRef(0)
  const latest = useRef(items)
  latest.current = items
  /** The items that were shown when the last move was sent. They do not contain it yet. */
  const outdated = useRef<readonly T[]>(undefined)

  if (open.current === 0 && items !== outdated.current) wanted.current = undefined
  const ordered = () => (wanted.current ? inOrder(latest.current, wanted.current) : [...latest.current])
  const move = (id: string, index: number) => {
    wanted.current = withMoved(ordered(), id, index).map((item) => item.id)
    open.current++
    render({})
    queue.current = queue.current.then(async () => {
      try {
        await send(id, index + 1)
      } catch (error) {
        noticeEnd(error)
        tellProblem(error)
      }
      if (--open.current) return
      outdated.current = latest.current
      await reload()
    })
  }
  // Keys may be pressed faster than the page renders, so that the index of the last rendering is not the present one.
  return { items: ordered(), move, indexOf: (id) => ordered().findIndex((item) => item.id === id) }
}

/** Items in the order of these ids; others, which came in the meantime, are last. */
function inOrder<T extends Ordered>(items: readonly T[], ids: readonly string[]): T[] {
  const place = (id: string) => {
    const index = ids.indexOf(id)
    return index < 0 ? ids.length : index
  }
  return [...items].sort((a, b) => place(a.id) - place(b.id))
}
