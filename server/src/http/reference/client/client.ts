import { VERSION } from '../../../core/version.ts'
import type { Operation } from '../../operation.ts'
import { openapi } from '../openapi.ts'
import { type Handle, type Placement, placementsOf } from './placement.ts'
import { asInput, declarationOf, docOf, exclusive, type JsonSchema, objectOf, typeOf, withLimits } from './types.ts'

/** The parts of the OpenAPI document that the client is generated from. */
interface Described {
  tags: string[]
  summary: string
  description: string
  deprecated?: true
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, Reply>
}
interface Parameter {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: JsonSchema
}
interface Reply {
  description?: string
  content?: Record<string, { schema: JsonSchema }>
}
type Document = ReturnType<typeof openapi>

const pascal = (name: string) => (name[0] as string).toUpperCase() + name.slice(1)
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const handleType = (handle: Handle | undefined) => (handle ? `${pascal(camel(handle.noun))}Handle` : 'RootHandle')

/** An operation with its place in the client and its description. */
interface Entry extends Placement {
  described: Described
  codes: string[]
  /** The codes of requests that the state or the rules of the game forbid: those that an application expects. */
  ownCodes: string[]
}

const OWN_STATUSES = ['400', '409']

class Generator {
  #document: Document
  entries: Entry[]

  constructor(operations: Operation[]) {
    this.#document = openapi(operations)
    const paths = this.#document.paths as Record<string, Record<string, Described>>
    this.entries = placementsOf(operations).map((placement) => {
      const { path, method } = placement.plan
      const described = paths[`/api/v1${path}`]?.[method.toLowerCase()] as Described
      const own = Object.entries(described.responses).filter(([status]) => OWN_STATUSES.includes(status))
      const ownCodes = this.#codesOf({ ...described, responses: Object.fromEntries(own) })
      return { ...placement, described, codes: this.#codesOf(described), ownCodes }
    })
  }

  /** Follows a reference to a shared parameter, response or schema. */
  resolve<T extends object>(part: T): T {
    if (!('$ref' in part)) return part
    const names = String(part.$ref).slice(2).split('/')
    return this.resolve(names.reduce((node, name) => (node as Record<string, object>)[name] as object, this.#document as object) as T)
  }

  /** The error codes of an operation: those that its problems enumerate, or that the description of its conflicts names. */
  #codesOf({ responses }: Described): string[] {
    const failures = Object.entries(responses).flatMap(([status, reply]) => (Number(status) >= 400 ? [this.resolve(reply)] : []))
    return failures.flatMap(({ description = '', content = {} }) => {
      const enumerated = Object.values(content).flatMap(({ schema }) => this.#enumeratedCodes(schema))
      return enumerated.length ? enumerated : [...description.matchAll(/`(\w+)`: /g)].map(([, code]) => code as string)
    })
  }

  #enumeratedCodes(schema: JsonSchema): string[] {
    const { properties, allOf = [] } = this.resolve(schema)
    const code = properties?.code
    const own = typeof code === 'object' ? this.resolve(code) : {}
    const values = own.enum ?? ('const' in own ? [own.const] : [])
    return [...(values as string[]), ...allOf.flatMap((part) => this.#enumeratedCodes(part))]
  }

  schemas(): string[] {
    const schemas = this.#document.components.schemas as Record<string, JsonSchema>
    const inputs = new Set(this.#namesIn(this.entries.map(({ described }) => this.resolve(described.requestBody ?? {}))))
    // The loop comes to the names that it adds.
    for (const name of inputs) for (const inner of this.#namesIn(schemas[name])) inputs.add(inner)
    return Object.entries(exclusive(schemas)).map(([name, schema]) =>
      declarationOf(name === 'FeedItem' ? 'AnyFeedItem' : name, inputs.has(name) ? asInput(schema) : schema),
    )
  }

  /** The names of the schemas that a part of the document refers to. */
  #namesIn = (part: unknown) => [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name as string)

  aboutTag(tag: string | undefined): string | undefined {
    return this.#document.tags.find(({ name }) => name === tag)?.description
  }

  queryOf({ described, name, group, handles }: Entry): string | undefined {
    const parameters = (described.parameters ?? [])
      .map((parameter) => this.resolve(parameter))
      .filter((parameter) => parameter.in === 'query')
    if (!parameters.length) return undefined
    const properties = Object.fromEntries(
      parameters.map(({ name: key, schema, description }) => [key, withLimits({ ...schema, ...(description && { description }) })]),
    )
    const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name)
    const type = `${pascal(handles.at(-1)?.noun ?? '_').replace('_', '')}${name === 'events' ? 'Events' : pascal(group) + pascal(name)}Query`
    this.queries.set(type, `export interface ${type} ${objectOf({ properties, required })}\n`)
    return `query${required.length ? '' : '?'}: ${type}`
  }

  queries = new Map<string, string>()

  bodyOf({ described }: Entry): { type: string; isRequired: boolean } | undefined {
    if (!described.requestBody) return undefined
    const { content, required = false } = this.resolve(described.requestBody)
    const schema = content['application/json']?.schema as JsonSchema
    return { type: typeOf(schema), isRequired: required }
  }

  replyOf({ described }: Entry): string {
    const reply = Object.entries(described.responses).find(([status]) => status.startsWith('2'))?.[1] as Reply
    const [media] = Object.values(this.resolve(reply).content ?? {})
    return media ? typeOf(media.schema) : 'void'
  }
}

/** The options that a request takes: only some have an Idempotency-Key, or heed If-Match. */
const OPTIONS: Record<string, string> = { A: 'ChangeOptions', U: 'ChangeOptions', D: 'DeleteOptions', B: 'WriteOptions', P: 'WriteOptions' }

/** The sentence about an operation that editors show. */
function commentOf({ plan, described, ownCodes }: Entry, common: Set<string>, indent: string): string {
  const own = ownCodes.filter((code) => !common.has(code))
  const throws = own.length
    ? `\n@throws ApiError with code ${own.map((code) => `\`${code}\``).join(', ')}, or one that many operations have.`
    : ''
  const deprecated = described.deprecated ? '\n@deprecated' : ''
  return docOf(`${described.summary}. ${described.description}\n\n\`${plan.method} /api/v1${plan.path}\`${throws}${deprecated}`, indent)
}

/** The signatures of an operation: one, or with a reply that depends on the body one for each. */
function signaturesOf(generator: Generator, entry: Entry): string[] {
  const { args, kind, name, plan } = entry
  const ids = args.map((arg) => `${camel(arg)}: string`)
  const body = generator.bodyOf(entry)
  const query = generator.queryOf(entry)
  const options = `options?: ${OPTIONS[kind] ?? 'RequestOptions'}`
  const reply = generator.replyOf(entry)
  const signature = (bodyType: string | undefined, type: string) => {
    const bodyArg = bodyType && `body${body?.isRequired ? '' : '?'}: ${bodyType}`
    return `${name}(${[...ids, bodyArg, query, options].filter(Boolean).join(', ')}): ${kind === 'L' ? `List<${type}>` : `Promise<${type}>`}`
  }
  if (!plan.otherReplyTo || !body) return [signature(body?.type, reply)]
  const [usual = '', other = ''] = reply.split(' | ')
  const fields = plan.otherReplyTo
  const without = `{ ${fields.map((field) => `${field}?: undefined`).join('; ')} }`
  const having = fields.map((field) => `{ ${field}: NonNullable<unknown> }`).join(' | ')
  return [signature(`${body.type} & ${without}`, usual), signature(`${body.type} & (${having})`, other), signature(body.type, reply)]
}

/** The interfaces of a handle and its groups, and its row in the table that the client builds handles from. */
function handleOf(generator: Generator, handle: Handle | undefined, children: Handle[], common: Set<string>) {
  const own = generator.entries.filter(({ handles }) => handles.at(-1)?.path === handle?.path)
  const type = handleType(handle)
  const prefix = type.replace(/Handle$/, '')
  const groups = Map.groupBy(
    own.filter(({ kind }) => kind !== 'S'),
    ({ group }) => group,
  )
  const [stream] = own.filter(({ kind }) => kind === 'S')
  const interfaces = [...groups].map(([group, entries]) => {
    const methods = entries.map((entry) =>
      signaturesOf(generator, entry)
        .map((signature) => `${commentOf(entry, common, '  ')}  ${signature}\n`)
        .join(''),
    )
    return `export interface ${prefix}${pascal(group)} {\n${methods.join('')}}\n`
  })
  const members = [...groups].map(
    ([group, [entry]]) => `${docOf(generator.aboutTag(entry?.described.tags[0]), '  ')}  readonly ${group}: ${prefix}${pascal(group)}\n`,
  )
  for (const child of children) {
    const comment =
      child.call === 'as' ? 'Acts as this user: their role decides what they may read and play.' : `Binds the id of a ${child.noun}.`
    members.push(`${docOf(comment, '  ')}  ${child.call}(${camel(child.param)}: string): ${handleType(child)}\n`)
  }
  if (stream) {
    const query = generator.queryOf(stream)?.replace(/^query\??: /, '')
    members.push(`${commentOf(stream, common, '  ')}  events(options?: ${query} & EventsOptions): AsyncGenerator<StreamEvent>\n`)
  }
  interfaces.push(
    `/** Everything that can be done with ${handle ? `a ${handle.noun}` : 'a credential'}. */\nexport interface ${type} {\n${members.join('')}}\n`,
  )
  return { interfaces, row: rowOf(handle, children, groups, stream) }
}

/** The beginning that all paths of a group share, in whole segments. */
const commonPath = (paths: string[]) =>
  paths.reduce((shared, path) => {
    while (path !== shared && !path.startsWith(`${shared}/`)) shared = shared.slice(0, shared.lastIndexOf('/'))
    return shared
  })

function rowOf(handle: Handle | undefined, children: Handle[], groups: Map<string, Entry[]>, stream: Entry | undefined): string {
  const relative = (path: string) => path.slice(handle?.path.length ?? 0).replaceAll(/{\w+}/g, '*')
  const cells = [...groups].map(([group, entries]) => {
    const shared = commonPath(entries.map(({ plan }) => relative(plan.path).replace(/\/\*.*/, '')))
    const operations = entries.map(({ name, kind, plan }) => `${name}:${kind}${relative(plan.path).slice(shared.length)}`)
    return `${group}: '${[shared, ...operations].join(' ')}'`
  })
  for (const child of children) cells.push(`${child.call}: ['${relative(child.path).replace(/\*$/, '')}', ${camel(child.noun)}]`)
  if (stream) cells.push(`events: ['${relative(stream.plan.path)}']`)
  return `${handle ? 'const' : 'export const'} ${handle ? camel(handle.noun) : 'root'}: HandleSpec = {\n  ${cells.join(',\n  ')},\n}\n`
}

const importOf = (file: string, names: string) => `import type { ${names} } from "./${file}.ts"\n`

/**
 * The types of changes: a FeedItem is a union of them, so that its type decides what its resource is. `resourceTypes` has the name of the schema of a resource by its type.
 */
const changesOf = (resourceTypes: Record<string, string>) => `
/** The resources that changes tell of, by their type. */
export interface ResourceTypes {
${Object.entries(resourceTypes)
  .map(([type, name]) => `  ${type}: ${name}\n`)
  .join('')}}
type ResourceTypeOf<Type> = Type extends \`\${infer Kind extends keyof ResourceTypes}.\${string}\` ? Kind : 'company'

/** A change, as one reader is told of it. After \`if (change.type === 'character.updated')\` its resource is a Character, or null. */
export type FeedItem<Type extends FeedType = FeedType> = {
  [Each in Type]: Omit<AnyFeedItem, 'type' | 'data'> & {
    type: Each
    data: Omit<FeedData, 'resource_type' | 'resource'> & {
      resource_type: ResourceTypeOf<Each>
      resource: ResourceTypes[ResourceTypeOf<Each>] | null
    }
  }
}[Type]

/** An event of a stream, with the cursor behind it: store the cursor to go on from there. */
export type StreamEvent<Type extends FeedType = FeedType> = FeedItem<Type> & { cursor: string }
`

/** The text of client/src/generated.ts: types of all schemas, interfaces of all handles, and the table of all operations. */
export function clientSource(operations: Operation[], errorCodes: string[], resourceTypes: Record<string, string>): string {
  const generator = new Generator(operations)
  const { entries } = generator
  const handles = [...new Map(entries.flatMap((entry) => entry.handles).map((handle) => [handle.path, handle])).values()]
  const depth = ({ path }: Handle) => path.split('/').length
  const childrenOf = (parent: Handle | undefined) =>
    handles.filter(({ path }) => {
      const above = handles.filter((other) => path.startsWith(`${other.path}/`)).sort((a, b) => depth(b) - depth(a))[0]
      return above?.path === parent?.path
    })
  // Codes that every write has say nothing about one of them.
  const writes = entries.filter(({ kind }) => 'BU'.includes(kind))
  const common = new Set(writes[0]?.codes.filter((code) => writes.every(({ codes }) => codes.includes(code))))
  // Deepest first: the row of a handle refers to the rows of those below it.
  const ordered = [...handles.sort((a, b) => depth(b) - depth(a)), undefined]
  const built = ordered.map((handle) => handleOf(generator, handle, childrenOf(handle), common))
  const codes = [...new Set([...errorCodes, ...entries.flatMap((entry) => entry.codes)])].sort()
  return [
    '// Generated from the list of operations. Do not edit it: run npm run generate.\n',
    importOf('events', 'EventsOptions'),
    importOf('handle', 'HandleSpec'),
    importOf('list', 'List'),
    importOf('options', 'ChangeOptions, DeleteOptions, RequestOptions, WriteOptions'),
    `\n/** The codes of all errors that this version knows. A newer service may have others. */\nexport type ErrorCode = ${codes.map((code) => `'${code}'`).join(' | ')}\n`,
    `\n/** The version of the service that this client was made for. An older one may lack some of what the client knows. */\nexport const SERVICE_VERSION: string = '${VERSION}'\n`,
    changesOf(resourceTypes),
    ...generator.schemas(),
    ...built.flatMap(({ interfaces }) => interfaces),
    ...generator.queries.values(),
    '\n// Every operation: its name, its kind (see handle.ts) and the rest of its path. A * stands for an argument.\n',
    ...built.map(({ row }) => row),
  ].join('')
}
