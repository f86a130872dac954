import { planOf } from '../src/http/plan.ts'
import { operations } from '../src/resources/index.ts'

/** The plans of all operations of the API that accept an API key: all but those that sign in to the console, and out of it. */
export const plans = operations.map(planOf).filter(({ acceptsKey }) => acceptsKey)
