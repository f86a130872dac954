import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { REASONS } from '../src/core/denial.ts'
import { formatJson } from '../src/http/reference/format.ts'
import { openapi } from '../src/http/reference/openapi.ts'
import { operations } from '../src/resources/index.ts'

interface Node {
  [key: string]: unknown
  $ref?: string
  anyOf?: Node[]
  description?: string
  properties?: Record<string, Node>
}
interface Documented {
  operationId: string
  description: string
  security: Record<string, unknown>[]
  requestBody?: { required: boolean }
  responses: Record<string, { content?: Record<string, { examples?: object }> }>
}

const document = openapi(operations)
const paths = document.paths as unknown as Record<string, Record<string, Documented>>

test('openapi.json equals the document generated from the operations', () => {
  const file = new URL('../../openapi.json', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), `${formatJson(JSON.parse(JSON.stringify(document)))}\n`)
})

test('every field of every schema is described and has an example', () => {
  const walk = (node: Node, path: string): void => {
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      const fieldPath = `${path}.${name}`
      if (field.$ref) continue
      assert.ok(field.description, `${fieldPath} has no description`)
      assert.ok('examples' in field || 'default' in field || field.properties || field.items || field.anyOf, `${fieldPath} has no example`)
      walk(field, fieldPath)
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas as Record<string, Node>)) walk(schema, name)
})

/** A document without references to shared parts. The schema of a parameter need not repeat its description. */
function resolved(from: ReturnType<typeof openapi>): unknown {
  const components = from.components as unknown as Record<string, Record<string, Node>>
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    const node = value as Node
    const [, kind = '', name = ''] = /^#\/components\/(parameters|examples|responses)\/(.+)$/.exec(node.$ref ?? '') ?? []
    if (name) return walk(components[kind]?.[name])
    const { description, ...schema } = (node.schema ?? {}) as Node
    const isRepeated = 'in' in node && description === node.description
    return Object.fromEntries(Object.entries(isRepeated ? { ...node, schema } : node).map(([key, item]) => [key, walk(item)]))
  }
  return walk(from.paths)
}

test('shared parts say the same as if they stood everywhere', () => {
  const nothing = () => ({ parameters: {}, examples: {}, responses: {} })
  const whole = openapi(operations, nothing)
  assert.deepEqual(resolved(document), resolved(whole))
  assert.ok(JSON.stringify(document).length < 0.75 * JSON.stringify(whole).length)
})

test('every named enumeration is a component, and nullable ones refer to it', () => {
  const schemas = document.components.schemas as Record<string, Node>
  assert.deepEqual(schemas.Role?.enum, ['PLAYER', 'STORYTELLER', 'ADMIN'])
  const text = JSON.stringify(document)
  assert.ok(!text.includes('"x-enum"'))
  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) assert.ok(name && name in schemas, name)
  for (const [name, { description }] of Object.entries(schemas)) assert.ok(description, `${name} has a description`)
})

test('an object that may be null, or whose fields have names of their own, is a component, too', () => {
  const schemas = document.components.schemas as Record<string, Node>
  assert.deepEqual(schemas.DiceRoll?.properties?.pool?.anyOf, [{ $ref: '#/components/schemas/RolledPool' }, { type: 'null' }])
  assert.deepEqual(schemas.Character?.properties?.traits?.anyOf, [{ $ref: '#/components/schemas/CharacterTraits' }, { type: 'null' }])
  assert.equal(schemas.User?.properties?.metadata?.$ref, '#/components/schemas/Metadata')
  const inline = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).flatMap(([field, { type, properties: fields }]) =>
      [type].flat().includes('null') && fields ? [`${name}.${field}`] : [],
    ),
  )
  assert.deepEqual(inline, [])
})

test('every operation has a description, its security, and a schema and an example for every status', () => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const { operationId, description, security, responses } of Object.values(methods)) {
      assert.ok(description.length > 10, operationId)
      const usual = path.startsWith('/api/v1/admin') ? 'OperatorKey' : 'ApiKey'
      const first = { consoleSession_create: [], consoleSession_preview: [], consoleSession_delete: ['ConsoleSession'] }[operationId] ?? [
        usual,
      ]
      assert.deepEqual(Object.keys(security[0] ?? {}), first, operationId)
      const session = path.startsWith('/api/v1/admin/') ? { OperatorSession: [] } : { ConsoleSession: [] }
      assert.deepEqual(security.at(-1), first.length ? session : undefined, operationId)
      for (const [status, response] of Object.entries(responses)) {
        if (status === '204' || status === '304' || '$ref' in response) continue
        for (const media of Object.values(response.content ?? {})) assert.ok(media.examples, `${operationId} ${status}`)
        assert.ok(response.content, `${operationId} ${status}`)
      }
    }
  }
})

test('a parameter that is a text has the schema of the text, all others are ids', () => {
  type Parameter = { name: string; in: string; schema: { format?: string; maxLength?: number } }
  const path = '/api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/trackers/{key}'
  const { parameters = [] } = (resolved(document) as Record<string, { get: { parameters: Parameter[] } }>)[path]?.get ?? {}
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  assert.deepEqual(
    inPath.map(({ name, schema }) => [name, schema.format, schema.maxLength]),
    [
      ['company_id', 'uuid', 36],
      ['user_id', 'uuid', 36],
      ['campaign_id', 'uuid', 36],
      ['key', undefined, 64],
    ],
  )
})

test('every rule of an operation is documented with a sentence', () => {
  for (const { id, needs } of operations) if (needs.may) assert.match(needs.may.sentence, /^[A-Z].*\.$/, id)
})

test('every tag has a description', () => {
  for (const { name, description } of document.tags) assert.notEqual(name, description)
  assert.equal(document.tags.length, new Set(operations.flatMap(({ about = {} }) => Object.keys(about))).size)
})

test('a body of which a client chooses one way is a union, and every body that is never empty is required', () => {
  const schemas = document.components.schemas as Record<string, Node>
  const waysOf = (name: string) =>
    (schemas[name]?.oneOf as Node[] | undefined)?.map(({ $ref = '' }) => schemas[$ref.split('/').at(-1) ?? ''])
  const fields = waysOf('DiceRollCreate')?.map((way) =>
    ['notation', 'pool', 'rolls', 'target', 'manual'].filter((name) => name in (way?.properties ?? {})),
  )
  assert.deepEqual(fields, [['notation', 'target', 'manual'], ['pool', 'target', 'manual'], ['rolls']])
  assert.deepEqual(
    waysOf('ExperienceAward')?.map((way) => way?.required),
    [
      ['reason', 'user_ids', 'amount'],
      ['reason', 'awards'],
      ['reason', 'to', 'amount'],
    ],
  )
  const bodies = Object.fromEntries(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId, requestBody }) => [operationId, requestBody?.required]),
    ),
  )
  assert.deepEqual(
    [bodies.diceRolls_create, bodies.dice_odds, bodies.experience_award, bodies.characterTrackers_reset],
    [true, true, true, false],
  )
})

test('a field of a body says its default in words, because generators require fields with the keyword', () => {
  const schemas = document.components.schemas as Record<string, Node>
  assert.match(schemas.CampaignCreate?.properties?.danger?.description ?? '', /\. Default: 0$/)
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const [field, schema] of Object.entries(properties)) assert.ok(!('default' in schema), `${name}.${field}`)
  assert.deepEqual((document.components.parameters as Record<string, { schema: Node }>).limit?.schema.default, 10)
})

test('each response of an operation names the codes of its problems', () => {
  type Media = { schema: { allOf: [Node, { properties: { code: { enum: string[] } } }] } }
  const codesOf = (id: string, status: number) => {
    const whole = Object.values(resolved(document) as Record<string, Record<string, Documented>>).flatMap((methods) =>
      Object.values(methods),
    )
    const response = whole.find(({ operationId }) => operationId === id)?.responses[status]
    const media = response?.content?.['application/problem+json'] as Media | undefined
    return media?.schema.allOf[1].properties.code.enum ?? []
  }
  assert.deepEqual(codesOf('users_update', 409).slice(0, 2), ['duplicate', 'last_admin'])
  assert.ok(codesOf('experience_award', 400).includes('experience_per_character'))
  assert.ok(codesOf('changes_list', 429).includes('too_many_waits'))
  assert.ok(codesOf('users_list', 503).includes('read_timeout'))
})

test('every operationId is one word, and no two operations share one', () => {
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  for (const id of ids) assert.match(id, /^[a-zA-Z]+_[a-zA-Z]+$/)
  assert.equal(new Set(ids).size, ids.length)
})

test('docs/errors.md lists exactly the error codes in the code', () => {
  const src = new URL('../src/', import.meta.url)
  const code = (readdirSync(src, { recursive: true }) as string[])
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .map((file) => readFileSync(new URL(file, src), 'utf8'))
    .join('\n')
  const used = [...code.matchAll(/(?:Problem\(\s*\d{3},|fail\(\s*\d{3},|conflict\(|unavailable\()\s*'([a-z_]+)'/g)].map(
    ([, name]) => name as string,
  )
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| \d{3} \| ([^|]+) \|/gm)].flatMap(([, cell]) =>
    [...(cell as string).matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
  )
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(used)].sort())
})

test('docs/errors.md lists exactly the reasons for 403', () => {
  const page = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| Reason | Meaning |\n|---|---|\n')
  const rows = Object.entries(REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`)
  assert.deepEqual(table.slice(0, table.indexOf('\n\n')).split('\n'), rows)
})
