import type { TSchema } from '@guildhall/rules/type'
import type { Tx } from '../db/client.ts'
import type { Sql } from '../db/sql.ts'
import type { EventType } from '../events/catalog.ts'
import type { EventDraft } from '../events/record.ts'
import type { Rule } from './rule.ts'

/**
 * A resource that paths lead through, as {name_id}. It is looked up in the statement that identifies the caller. If it does not exist, or
 * the acting user must not see it, the pipeline answers 404 before the handler runs, so that no resource can forget to check.
 */
export interface PathResource<Name extends string = string, Row = unknown> {
  name: Name
  /** The name of its id in the path, if that is not {name_id}. */
  param?: string
  /** It is part of the company, and is found without an acting user. */
  ofCompany?: true
  /** Its table, if it can be archived: its row is locked, and so stays live, while something is written below it. */
  table?: string
  /**
   * Joins it to the acting user `u`; yields no row if the user must not see it. Every table in it is compared with the company id itself, so that a
   * distributed database knows where to look.
   */
  join(id: string, company_id: string): Sql
  /** The fields that rules and handlers read, as a JSON object. */
  row: JsonOf<Row>
  /** The rule for all writes below it, besides that of each operation, and what every such write entails. Operations with `needs.outsiders` are exempt. */
  writers?: Writers
}

export interface Writers {
  may: Rule
  /** The events of its own changes. */
  emits: readonly EventType[]
  /** Runs in the transaction of the write. Returns the events of its own changes. */
  enter(tx: Tx, context: never): Promise<EventDraft[]>
}

/** An SQL expression that yields a JSON object of this type. */
type JsonOf<Row> = Sql & { readonly rowType?: Row }
export const jsonOf = <Row>(expression: Sql): JsonOf<Row> => expression

/** The fields of a path resource that the pipeline itself reads. */
export interface PathRow {
  id?: string
  archived?: boolean
  visibility?: string
  author_id?: string | null
}

export type PathResources = readonly PathResource<string, unknown>[]

/** The rows of path resources, by their names. */
export type PathRows<Through extends PathResources> = {
  [R in Through[number] as R['name']]: NonNullable<R['row']['rowType']> & PathRow
}

/** A parameter of a path that is a text, which the client chose, instead of an id. */
interface TextParam {
  /** The resource that it names, as in `Tracker not found`. */
  noun: string
  schema: TSchema
}

/** A path below /api/v1, with its ids as {name_id}, and the resources it leads through. */
export interface Path<Template extends string = string, Through extends PathResources = PathResources> {
  readonly template: Template
  readonly through: Through
  /** The parameters that are texts, by their names. All others are ids. */
  readonly textParams?: Record<string, TextParam>
}

type Joined<Segments extends readonly string[]> = Segments extends readonly [
  infer First extends string,
  ...infer Rest extends readonly string[],
]
  ? `/${First}${Joined<Rest>}`
  : ''

/** The path of these segments below another path. */
export const below = <Template extends string, Through extends PathResources, const Segments extends readonly string[]>(
  path: Path<Template, Through>,
  ...segments: Segments
): Path<`${Template}${Joined<Segments>}`, Through> => ({
  ...path,
  template: [path.template, ...segments].join('/') as `${Template}${Joined<Segments>}`,
})

/** The path of a resource below a collection that is addressed by a text instead of an id. */
export const belowText = <Template extends string, Through extends PathResources, Name extends string>(
  collection: Path<Template, Through>,
  name: Name,
  param: TextParam,
) => ({ ...below(collection, `{${name}}`), textParams: { ...collection.textParams, [name]: param } })

/** Adds a path resource that no segment of the path names. */
export const withLookup = <Template extends string, Through extends PathResources, Resource extends PathResource>(
  path: Path<Template, Through>,
  resource: Resource,
): Path<Template, readonly [...Through, Resource]> => ({ ...path, through: [...path.through, resource] })

/** Declares a path resource, and the path to it: everything below that path leads through the resource. */
export function pathResource<Template extends string, Through extends PathResources, Segment extends string, Name extends string, Row>(
  parent: Path<Template, Through>,
  segment: Segment,
  resource: PathResource<Name, Row>,
) {
  const template = `${parent.template}/${segment}/{${resource.name}_id}` as const
  const path: Path<typeof template, readonly [...Through, PathResource<Name, Row>]> = {
    ...parent,
    template,
    through: [...parent.through, resource],
  }
  return { ...resource, path }
}

export const ROOT: Path<'', readonly []> = { template: '', through: [] }
export const COMPANY = below(ROOT, 'companies', '{company_id}')
/** The path of the acting user: below it, the path's user acts. */
export const USER = below(COMPANY, 'users', '{user_id}')
