import { ApiError } from '@guildhall/client'
import { useLayoutEffect } from 'preact/hooks'
import { Store, useStore } from '../data/store.ts'
import { text } from '../text.ts'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import { sentenceOf } from './problem.tsx'

interface Toast {
  id: number
  kind: 'done' | 'problem'
  message: string
  requestId?: string | undefined
}

const toasts = new Store<Toast[]>([])
const SHOWN_MS = 6000
let last = 0

function add(toast: Omit<Toast, 'id'>): number {
  const id = ++last
  toasts.update((shown) => [...shown.slice(-3), { ...toast, id }])
  return id
}

const remove = (id: number) => toasts.update((shown) => shown.filter((toast) => toast.id !== id))

/** Says for a moment that something was done. */
export function tell(message: string): void {
  const id = add({ kind: 'done', message })
  setTimeout(() => remove(id), SHOWN_MS)
}

/** Shows an error until it is closed, with the id under which the operator finds the request. */
export function tellProblem(error: unknown): void {
  add({ kind: 'problem', message: sentenceOf(error), requestId: ApiError.is(error) ? error.requestId : undefined })
}

/** Number of places that pages have for messages. */
const places = new Store(0)

/** The messages at the edge of the window, unless the page has a place for them. */
export function Toasts() {
  return useStore(places) > 0 ? null : <ToastList class="toasts floating" />
}

/** A place in the page for messages. They take space there, and cover nothing. */
export function ToastPlace() {
  useLayoutEffect(() => {
    places.update((count) => count + 1)
    return () => places.update((count) => count - 1)
  }, [])
  return <ToastList class="toasts" />
}

function ToastList({ class: name }: { class: string }) {
  return (
    <section class={name} aria-label={text.messages} aria-live="polite">
      {useStore(toasts).map(({ id, kind, message, requestId }) => (
        <div key={id} class={`toast ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
          <Icon name={kind === 'problem' ? 'alert' : 'check'} />
          <div>
            <p>{message}</p>
            {requestId && <p class="request-id">{text.requestId(requestId)}</p>}
          </div>
          {requestId && <IconButton label={text.copy} icon="copy" onClick={() => navigator.clipboard?.writeText(requestId)} />}
          <IconButton label={text.close} icon="close" onClick={() => remove(id)} />
        </div>
      ))}
    </section>
  )
}
