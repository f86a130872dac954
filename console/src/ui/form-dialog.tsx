import type { ComponentChildren } from 'preact'
import { text } from '../text.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormProblem, type Submittable, submit } from './form-problem.tsx'
import type { IconName } from './icon.tsx'

interface FormDialogProps {
  title: string
  of: Submittable
  /** The words of the button that sends the form. */
  action?: string
  /** The look of that button. */
  look?: 'primary' | 'danger'
  icon?: IconName
  /** True while nothing can be sent. */
  isDisabled?: boolean
  onClose: () => void
  /** The words of the button that closes the dialog, if there is nothing left to cancel. */
  closeWords?: string | undefined
  /** Something else to do, at the other end of the buttons. */
  extra?: ComponentChildren
  class?: string
  isWide?: boolean
  children: ComponentChildren
}

/** A form in a dialog, with a button that sends it and one that closes it. */
export function FormDialog(props: FormDialogProps) {
  const { title, of, action = text.save, look = 'primary', icon, isDisabled = false, onClose, extra, isWide = false, children } = props
  const { closeWords = text.cancel } = props
  return (
    <Dialog title={title} onClose={onClose} isWide={isWide}>
      <form class={props.class ? `form ${props.class}` : 'form'} onSubmit={submit(of)}>
        {children}
        <FormProblem of={of} />
        <footer>
          {extra && <span class="extra">{extra}</span>}
          <Button onClick={onClose}>{closeWords}</Button>
          <Button type="submit" look={look} icon={icon} busy={of.busy} disabled={isDisabled}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
