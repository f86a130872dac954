import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface Drag {
  /** The index of the item that is being dragged. */
  dragged: number | undefined
  /** The index that it would get. */
  target: number | undefined
  startDrag: (event: PointerEvent, index: number) => void
}

/** The page scrolls while something is dragged this close to its edge. */
const EDGE_PX = 90
const SCROLL_PX = 14

/** Lets the children of a list be dragged by mouse, pen or finger. Escape lets go of an item where it was. */
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void): Drag {
  const [state, setState] = useState<{ dragged: number; target: number }>()
  const stop = useRef<() => void>(undefined)
  const drop = useRef(onDrop)
  drop.current = onDrop
  useEffect(() => () => stop.current?.(), [])

  const startDrag = (event: PointerEvent, dragged: number) => {
    if (event.button !== 0) return
    stop.current?.()
    const grip = event.currentTarget as HTMLElement
    grip.setPointerCapture(event.pointerId)
    let target = dragged
    const onMove = ({ clientY }: PointerEvent) => {
      target = indexAt(list.current, dragged, clientY)
      if (clientY < EDGE_PX) scrollBy(0, -SCROLL_PX)
      else if (clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX)
      setState({ dragged, target })
    }
    const end = (isDropped: boolean) => {
      grip.removeEventListener('pointermove', onMove)
      grip.removeEventListener('pointerup', onUp)
      grip.removeEventListener('pointercancel', onCancel)
      removeEventListener('keydown', onKey)
      stop.current = undefined
      setState(undefined)
      if (isDropped && target !== dragged) drop.current(dragged, target)
    }
    const onUp = () => end(true)
    const onCancel = () => end(false)
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && end(false)
    grip.addEventListener('pointermove', onMove)
    grip.addEventListener('pointerup', onUp)
    grip.addEventListener('pointercancel', onCancel)
    addEventListener('keydown', onKey)
    stop.current = onCancel
  }
  return { dragged: state?.dragged, target: state?.target, startDrag }
}

/** The index that an item gets if it is dropped at a height of the screen: after all others whose middle is above it. */
function indexAt(list: HTMLElement | null, dragged: number, y: number): number {
  const middles = [...(list?.children ?? [])].map((child) => {
    const { top, height } = child.getBoundingClientRect()
    return top + height / 2
  })
  return middles.filter((middle, index) => index !== dragged && middle < y).length
}
