import type { Operation } from '../../operation.ts'
import { type Plan, planOf } from '../../plan.ts'

/** A handle of the client binds the id of a resource for everything below it, as in `company(id).as(id).campaign(id)`. */
export interface Handle {
  /** The path of the resource, such as `/companies/{company_id}`. */
  path: string
  /** The parameter that the handle binds. */
  param: string
  /** The name of the resource, such as `company`. */
  noun: string
  /** The function that makes the handle: `company`, or `as` for the acting user. */
  call: string
}

/** The place of an operation in the client: `company(id).as(id).campaign(id).characters.create(body)`. */
export interface Placement {
  plan: Plan
  /** The handles that bind the first ids of the path, from left to right. */
  handles: Handle[]
  /** The collection, such as `characters`. */
  group: string
  /** The function, such as `create`; `events` for a stream. */
  name: string
  /** The remaining parameters of the path, which are the first arguments. */
  args: string[]
  kind: Kind
}

/**
 * The kind of a request, from which the client derives its method and arguments: L list, Q read with a query, G read, S stream, B POST with a body, P POST without, C POST that
 * only computes, N such a POST without a body, U PUT, A PATCH, D DELETE.
 */
export type Kind = 'L' | 'Q' | 'G' | 'S' | 'B' | 'P' | 'C' | 'N' | 'U' | 'A' | 'D'

const groupOf = ({ id }: Plan) => id.split('.')[0] as string
const verbOf = ({ id }: Plan) => id.split('.')[1] as string

/** The paths of single resources within a path, from left to right: `/companies/{company_id}`, `/companies/{company_id}/users/{user_id}`. */
const resourcesIn = (path: string) => [...path.matchAll(/}/g)].map(({ index }) => path.slice(0, index + 1))
const paramOf = (path: string) => path.slice(path.lastIndexOf('{') + 1, -1)

/** The group of operations that each single resource belongs to, by its path. */
const ownersOf = (plans: Plan[]) => new Map(plans.filter(({ path }) => path.endsWith('}')).map((plan) => [plan.path, groupOf(plan)]))

/** A resource has a handle if operations of another group lie below it. */
function handlesOf(plans: Plan[], owners: Map<string, string>): Map<string, Handle> {
  const handles = new Map<string, Handle>()
  for (const plan of plans) {
    for (const path of resourcesIn(plan.path)) {
      if (!owners.has(path) || owners.get(path) === groupOf(plan)) continue
      const noun = paramOf(path).replace(/_id$/, '')
      handles.set(path, { path, param: paramOf(path), noun, call: noun === 'user' ? 'as' : noun })
    }
  }
  return handles
}

/** The name of a group at a handle: `campaignNotes` are the `notes` of a campaign. */
function groupNameOf(plan: Plan, handle: Handle | undefined): string {
  const group = groupOf(plan)
  const rest = handle && group.startsWith(handle.noun) ? group.slice(handle.noun.length) : ''
  return /^[A-Z]/.test(rest) ? (rest[0] as string).toLowerCase() + rest.slice(1) : group
}

/** The name of a function. The handle says the rest: `listInCompany` is `company.characters.list`, and `ofUser` is `user.statistics.get`. */
function nameOf(plan: Plan): string {
  if (plan.streams) return 'events'
  return verbOf(plan)
    .replace(/(InCompany|InCampaign|Own)$/, '')
    .replace(/^(of|as)[A-Z]\w*$/, 'get')
}

function kindOf({ id, method, query, body, isList, streams, computes }: Plan): Kind {
  if (method !== 'GET' && query) throw new Error(`${id} has a query and is no GET: the client has no kind for it.`)
  if (method === 'GET') return streams ? 'S' : isList ? 'L' : query ? 'Q' : 'G'
  if (method === 'POST') return computes ? (body ? 'C' : 'N') : body ? 'B' : 'P'
  if (method === 'DELETE') return 'D'
  if (!body) throw new Error(`${id} is a ${method} without a body: the client has no kind for it.`)
  return method === 'PUT' ? 'U' : 'A'
}

/** Places every operation by its own path: all ids of handles are bound, except the one of the resource that the operation itself is about. */
export function placementsOf(operations: Operation[]): Placement[] {
  const plans = operations.map(planOf)
  const owners = ownersOf(plans)
  const all = handlesOf(plans, owners)
  const taken = new Map<string, string>()
  return plans.map((plan) => {
    const paths = resourcesIn(plan.path)
    const handles = paths.flatMap((path) => (owners.get(path) === groupOf(plan) ? [] : (all.get(path) ?? [])))
    const args = paths.slice(handles.length).map(paramOf)
    const placement: Placement = {
      plan,
      handles,
      group: groupNameOf(plan, handles.at(-1)),
      name: nameOf(plan),
      args,
      kind: kindOf(plan),
    }
    const place = `${handles.at(-1)?.path ?? ''} ${plan.streams ? '' : placement.group}.${placement.name}`
    if (taken.has(place)) throw new Error(`${plan.id} and ${taken.get(place)} have the same place in the client: ${place}.`)
    if (handles.some(({ path }, i) => paths[i] !== path)) throw new Error(`${plan.id} binds an id behind one that is an argument.`)
    taken.set(place, plan.id)
    return placement
  })
}
