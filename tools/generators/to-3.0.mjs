// Writes openapi.json as OpenAPI 3.0 without unions, for generators that know no later version:
//   node tools/generators/to-3.0.mjs > openapi-3.0.json
// It says less than the original: a body of which a client chooses one way is one object here, with the fields of all ways. The service still rejects a mixture.
import { readFileSync } from 'node:fs'

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isNull = (schema) => schema.type === 'null'
const follow = (schema) =>
  schema.$ref
    ? schema.$ref
        .slice(2)
        .split('/')
        .reduce((node, name) => node[name], document)
    : schema

/** Keywords of JSON Schema that OpenAPI 3.0 does not have. */
const LATER = ['propertyNames', 'dependentRequired', 'dependentSchemas', 'const', 'prefixItems', '$schema']

/** The members of a union as one object: the fields of all of them, of which those are required that every member requires. */
function merged(members, { description, title }) {
  const shapes = members.map(follow).map((shape) => (shape.oneOf ? merged(shape.oneOf, shape) : shape))
  if (!shapes.every((shape) => shape.properties)) return { description }
  const properties = {}
  for (const shape of shapes)
    for (const [name, field] of Object.entries(shape.properties))
      if (!properties[name] || isNull(properties[name])) properties[name] = field
  const required = (shapes[0].required ?? []).filter((name) => shapes.every((shape) => shape.required?.includes(name)))
  return { title, description, type: 'object', properties, ...(required.length && { required }) }
}

function schemaOf(schema) {
  if (!isObject(schema)) return schema === true ? {} : schema
  const members = (schema.oneOf ?? schema.anyOf)?.filter((one) => !isNull(one))
  // The last part of a problem only lists its codes.
  const target = schema.$ref ?? schema.allOf?.[0].$ref ?? (members?.length === 1 ? members[0].$ref : undefined)
  if (target) return { $ref: target }
  if (members) return schemaOf(merged(members, schema))
  const { examples, ...rest } = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !LATER.includes(keyword)))
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null')
  const isNullable = [schema.type].flat().includes('null')
  const result = { ...rest }
  if (types.length === 1) result.type = types[0]
  else delete result.type
  if (types.length > 1) return { description: schema.description }
  if (schema.const !== undefined) result.enum = [schema.const]
  if (result.enum) result.enum = result.enum.filter((value) => value !== null)
  if (isNullable) result.nullable = true
  if (examples?.[0] !== undefined && examples[0] !== null) result.example = examples[0]
  if (schema.properties)
    result.properties = Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, schemaOf(field)]))
  for (const keyword of ['items', 'additionalProperties']) if (isObject(schema[keyword])) result[keyword] = schemaOf(schema[keyword])
  if (result.type === 'array') result.items ??= {}
  return result
}

/** Rewrites every schema below a part of the document. Examples are left as they are. */
function rewritten(part) {
  if (Array.isArray(part)) return part.map(rewritten)
  if (!isObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).flatMap(([key, value]) => {
      if (key === 'examples') return []
      return [[key, key === 'schema' ? schemaOf(value) : rewritten(value)]]
    }),
  )
}

const { schemas, examples: _, ...components } = document.components
const { summary: __, license, ...info } = document.info
const older = {
  openapi: '3.0.3',
  info: { ...info, license: { name: license.name } },
  servers: document.servers,
  tags: document.tags,
  paths: rewritten(document.paths),
  components: {
    schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schemaOf(schema)])),
    ...rewritten(components),
  },
}
console.log(JSON.stringify(older))
