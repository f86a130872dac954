import { planOf } from '../src/http/plan.ts'
import { operations } from '../src/resources/index.ts'

/** The plans of all operations of the API. */
export const plans = operations.map(planOf)
