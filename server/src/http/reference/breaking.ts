type Json = Record<string, unknown>

/** A JSON Schema with its references resolved and its unions merged into one object. */
interface Shape {
  types: Set<string>
  enum?: unknown[]
  properties: Record<string, Json>
  required: Set<string>
  items?: Json
  limits: Record<string, number>
}

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const
/** Limits of which a greater value accepts more, and those of which a smaller one does. */
const UPPER = ['maxLength', 'maximum', 'maxItems', 'maxProperties']
const LOWER = ['minLength', 'minimum', 'minItems', 'minProperties']

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** An OpenAPI document whose references can be followed. */
class Api {
  readonly document: Json
  constructor(document: Json) {
    this.document = document
  }
  follow(node: unknown): Json {
    if (!isObject(node)) return {}
    if (typeof node.$ref !== 'string') return node
    const found = node.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, step) => (value as Json)[step.replaceAll('~1', '/')], this.document)
    return this.follow(found)
  }
  /** The operations by method and path. A path parameter has no name here: renaming it breaks nobody. */
  operations(): Map<string, Json> {
    const paths = Object.entries(this.document.paths as Record<string, Json>)
    return new Map(
      paths.flatMap(([path, item]) =>
        METHODS.filter((method) => method in item).map((method): [string, Json] => {
          const own = item[method] as Json
          return [
            `${method.toUpperCase()} ${path.replaceAll(/{\w+}/g, '{}')}`,
            { ...own, parameters: [...objects(item.parameters), ...objects(own.parameters)] },
          ]
        }),
      ),
    )
  }
  parameters(operation: Json): Map<string, Json> {
    const all = objects(operation.parameters).map((one) => this.follow(one))
    return new Map(all.filter((one) => one.in !== 'path').map((one) => [`${one.in} parameter ${one.name}`, one]))
  }
  body(operation: Json): Json | undefined {
    if (!operation.requestBody) return undefined
    return this.follow(operation.requestBody)
  }
  /** The parts of an `allOf` together, and what the members of a union have in common: fields of any of them, required by all of them. */
  shape(node: Json): Shape {
    const schema = this.follow(node)
    const limits = Object.fromEntries(
      [...UPPER, ...LOWER].flatMap((name) => (typeof schema[name] === 'number' ? [[name, schema[name]]] : [])),
    )
    const shape: Shape = {
      types: new Set([schema.type ?? []].flat() as string[]),
      properties: { ...((schema.properties ?? {}) as Record<string, Json>) },
      required: new Set((schema.required ?? []) as string[]),
      limits: limits as Record<string, number>,
      ...(Array.isArray(schema.enum) && { enum: schema.enum }),
      ...(isObject(schema.items) && { items: schema.items }),
    }
    for (const part of objects(schema.allOf).map((one) => this.shape(one))) {
      for (const type of part.types) shape.types.add(type)
      for (const name of part.required) shape.required.add(name)
      // The last part is the narrowest.
      for (const [name, field] of Object.entries(part.properties)) shape.properties[name] = field
      if (part.enum) shape.enum = part.enum
    }
    const members = [...objects(schema.oneOf), ...objects(schema.anyOf)].map((one) => this.shape(one))
    if (members.length === 0) return shape
    for (const { types, properties } of members) {
      for (const type of types) shape.types.add(type)
      for (const [name, field] of Object.entries(properties)) {
        const other = shape.properties[name]
        shape.properties[name] = other ? { anyOf: [other, field] } : field
      }
    }
    const filled = members.filter(({ types }) => !types.has('null'))
    for (const name of filled[0]?.required ?? []) if (filled.every(({ required }) => required.has(name))) shape.required.add(name)
    const enums = filled.flatMap((member) => member.enum ?? [])
    if (enums.length) shape.enum = [...(shape.enum ?? []), ...enums, ...(shape.types.has('null') ? [null] : [])]
    const items = filled.find((member) => member.items)?.items
    if (items && !shape.items) shape.items = items
    return shape
  }
}

type Direction = 'request' | 'reply'

/** Compares the schemas of a request or a reply, and reports what a client of the old one cannot cope with. */
function compareSchemas(
  old: Api,
  now: Api,
  [from, to]: [Json, Json],
  where: string,
  direction: Direction,
  report: (text: string) => void,
): void {
  const seen = new Set<string>()
  const walk = (a: Json, b: Json, path: string): void => {
    const pair = `${a.$ref ?? ''} ${b.$ref ?? ''} ${path}`
    if (seen.has(pair) || path.split('.').length > 12) return
    seen.add(pair)
    const [x, y] = [old.shape(a), now.shape(b)]
    const [given, accepted] = direction === 'request' ? [x, y] : [y, x]
    const fits = (type: string) => accepted.types.has(type) || (type === 'integer' && accepted.types.has('number'))
    if (accepted.types.size)
      for (const type of given.types)
        if (!fits(type)) report(`${path}: ${direction === 'request' ? 'no longer accepts' : 'may now be'} ${type}`)
    // A new value in a reply is an addition: clients must expect values that they do not know.
    if (direction === 'request' && x.enum && y.enum)
      for (const value of x.enum) if (!y.enum.includes(value)) report(`${path}: no longer accepts ${String(value)}`)
    if (direction === 'request')
      for (const [name, limit] of Object.entries(y.limits)) {
        const before = x.limits[name]
        const isStricter = before === undefined || (UPPER.includes(name) ? limit < before : limit > before)
        if (isStricter) report(`${path}: ${name} is now ${limit}`)
      }
    for (const [name, field] of Object.entries(x.properties)) {
      const other = y.properties[name]
      if (!other) report(`${path}.${name}: removed`)
      else walk(field, other, `${path}.${name}`)
    }
    if (direction === 'request') for (const name of y.required) if (!x.required.has(name)) report(`${path}.${name}: now required`)
    if (direction === 'reply') for (const name of x.required) if (!y.required.has(name)) report(`${path}.${name}: no longer always there`)
    if (x.items && y.items) walk(x.items, y.items, `${path}[]`)
  }
  walk(from, to, where)
}

const contentOf = (part: Json) => (part.content ?? {}) as Record<string, { schema: Json }>

/** Returns what would break a client of the old document: what was removed, renamed, became required or accepts less. Additions are none of this. */
export function breakingChanges(before: object, after: object): string[] {
  const [old, now] = [new Api(before as Json), new Api(after as Json)]
  const found: string[] = []
  const report = (text: string) => void found.push(text)
  const operations = now.operations()
  for (const [name, operation] of old.operations()) {
    const next = operations.get(name)
    if (!next) {
      report(`${name}: removed`)
      continue
    }
    if (operation.operationId !== next.operationId) report(`${name}: operationId is now ${next.operationId}`)
    const [parameters, nextParameters] = [old.parameters(operation), now.parameters(next)]
    for (const [key, parameter] of parameters) {
      const other = nextParameters.get(key)
      if (!other) report(`${name} ${key}: removed`)
      else compareSchemas(old, now, [parameter.schema as Json, other.schema as Json], `${name} ${key}`, 'request', report)
    }
    for (const [key, parameter] of nextParameters)
      if (parameter.required && !parameters.get(key)?.required) report(`${name} ${key}: now required`)
    const [body, nextBody] = [old.body(operation), now.body(next)]
    if (body) {
      if (!body.required && nextBody?.required) report(`${name} body: now required`)
      for (const [type, { schema }] of Object.entries(contentOf(body))) {
        const other = nextBody && contentOf(nextBody)[type]
        if (!other) report(`${name} body ${type}: removed`)
        else if (type === 'application/json') compareSchemas(old, now, [schema, other.schema], `${name} body`, 'request', report)
      }
    } else if (nextBody?.required) report(`${name} body: now required`)
    for (const [status, response] of Object.entries(operation.responses as Json)) {
      if (!status.startsWith('2')) continue
      const other = (next.responses as Json)[status]
      if (!other) {
        report(`${name} ${status}: removed`)
        continue
      }
      const nextContent = contentOf(now.follow(other))
      for (const [type, { schema }] of Object.entries(contentOf(old.follow(response)))) {
        const reply = nextContent[type]
        if (!reply) report(`${name} ${status} ${type}: removed`)
        else compareSchemas(old, now, [schema, reply.schema], `${name} ${status}`, 'reply', report)
      }
    }
  }
  return [...new Set(found)]
}

const BREAKING = /^### Breaking\n([\s\S]*?)(?=^##|(?![\s\S]))/gm

/** The changes that the changelog does not name. Below "### Breaking", an item begins with a pattern in backticks, in which `*` stands for any text. */
export function unannounced(changes: string[], changelog: string): string[] {
  const sections = [...changelog.matchAll(BREAKING)].map(([, text]) => text).join('\n')
  const patterns = [...sections.matchAll(/^- `([^`]+)`/gm)].map(
    ([, pattern = '']) =>
      new RegExp(
        `^${pattern
          .split('*')
          .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      ),
  )
  return changes.filter((change) => !patterns.some((pattern) => pattern.test(change)))
}
