import type { ComponentChildren } from 'preact'
import { text } from '../text.ts'
import { Button } from './button.tsx'
import type { Form } from './form.ts'
import { FormProblem, type Submittable, submit } from './form-problem.tsx'

interface FormCardProps {
  of: Submittable & Pick<Form<object>, 'isChanged'>
  /** Facts that nobody can change, next to the button. */
  facts?: ComponentChildren
  children: ComponentChildren
}

/** A form on a page. It can be saved once something has changed. */
export function FormCard({ of, facts, children }: FormCardProps) {
  return (
    <form class="form card" noValidate onSubmit={submit(of)}>
      {children}
      <FormProblem of={of} />
      <div class="form-end">
        {facts}
        <Button type="submit" look="primary" busy={of.busy} disabled={!of.isChanged}>
          {text.save}
        </Button>
      </div>
    </form>
  )
}
