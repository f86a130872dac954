import type { Form } from './form.ts'
import { Problem } from './problem.tsx'

/** The part of a form that sends it, without its values. */
export type Submittable = Pick<Form<object>, 'run' | 'busy' | 'unshownProblem'>

/** Sends a form in place of the browser. */
export const submit = (form: Submittable) => (event: Event) => {
  event.preventDefault()
  form.run()
}

/** Shows the problem of a form that none of its fields shows. It comes after the fields. */
export function FormProblem({ of }: { of: Submittable }) {
  const problem = of.unshownProblem()
  return problem === undefined ? null : <Problem error={problem} />
}
