import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../../resources/index.ts'
import { clientSource } from './client.ts'
import { placementsOf } from './placement.ts'
import { declarationOf, docOf, type JsonSchema, typeOf, withLimits } from './types.ts'

const compact = (text: string) => text.replaceAll(/\s+/g, ' ')

const TYPES: [schema: JsonSchema | boolean, type: string][] = [
  [true, 'unknown'],
  [false, 'never'],
  [{}, 'unknown'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['A', 'B', null] }, '"A" | "B" | null'],
  [{ const: 'A' }, '"A"'],
  [{ $ref: '#/components/schemas/Role' }, 'Role'],
  [{ anyOf: [{ $ref: '#/components/schemas/Role' }, { type: 'null' }] }, 'Role | null'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  [{ type: ['object', 'null'], additionalProperties: true }, 'Record<string, unknown> | null'],
  [{ allOf: [{ $ref: '#/A' }, { $ref: '#/B' }] }, 'A & B'],
  [{ oneOf: [{ $ref: '#/A' }, { type: 'array', items: { $ref: '#/B' } }] }, 'A | B[]'],
  [
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': { type: 'boolean', description: 'Text' } }, required: ['a'] },
    '{ a: string /** Text */ "b-c"?: boolean | undefined }',
  ],
  [
    // Either of two fields, of which the other is forbidden.
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      oneOf: [
        { required: ['a'], not: { required: ['b'] } },
        { required: ['b'], properties: { a: false } },
      ],
    },
    '({ a?: string | undefined b?: number | undefined }) & ({ a: string b?: never } | { a?: never b: number })',
  ],
  [
    { type: 'object', properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }, { not: { required: ['a'] } }] },
    '({ a?: string | undefined }) & ({ a: string } | { a?: never })',
  ],
]
for (const [schema, type] of TYPES) {
  test(`the type of ${JSON.stringify(schema)} is ${type}`, () => assert.equal(compact(typeOf(schema)), type))
}

test('a schema with alternatives is a type, and any other object an interface', () => {
  const properties = { a: { type: 'string' } }
  assert.match(declarationOf('One', { type: 'object', properties }), /^export interface One \{/)
  assert.match(declarationOf('Two', { type: 'object', properties, oneOf: [{ required: ['a'] }] }), /^export type Two = /)
})

test('the comment of a field says its default and its limits', () => {
  const comment = (schema: JsonSchema) => (withLimits({ description: 'Its name.', ...schema }) as JsonSchema).description
  assert.equal(comment({ type: 'string', minLength: 1, maxLength: 100 }), 'Its name. 1 to 100 characters')
  assert.equal(comment({ type: 'string', minLength: 0, maxLength: 2000, default: '' }), 'Its name. Default: "". At most 2,000 characters')
  assert.equal(comment({ type: 'integer', minimum: 0, maximum: 5, default: 0 }), 'Its name. Default: 0. 0 to 5')
  assert.equal(comment({ type: 'array', maxItems: 20 }), 'Its name. At most 20 items')
  assert.equal(comment({ type: 'string', format: 'uuid', maxLength: 36 }), 'Its name')
  assert.equal(comment({ enum: ['A', 'B'], default: null }), 'Its name')
})

test('a doc comment cannot be closed by its text', () => {
  assert.equal(docOf('a */ b'), '/** a *\\/ b */\n')
  assert.equal(docOf('a\n\nb', '  '), '  /**\n   * a\n   *\n   * b\n   */\n')
  assert.equal(docOf(undefined), '')
})

const places = new Map(
  placementsOf(operations).map(({ plan, handles, group, name, args }) => [
    plan.id,
    `${handles.map(({ call }) => `${call}().`).join('')}${plan.streams ? '' : `${group}.`}${name}(${args.join()})`,
  ]),
)
for (const [id, place] of Object.entries({
  'companies.get': 'companies.get(company_id)',
  'users.link': 'company().users.link(external_id)',
  'users.restore': 'company().users.restore(user_id)',
  'characters.create': 'company().as().campaign().characters.create()',
  'characters.listOwn': 'company().as().characters.list()',
  'characters.listInCompany': 'company().characters.list()',
  'characterTrackers.adjust': 'company().as().campaign().character().trackers.adjust(key)',
  'experience.listOwn': 'company().as().experience.list()',
  'experience.spend': 'company().as().campaign().experience.spend()',
  'members.join': 'company().as().campaign().members.join()',
  'chapterNotes.get': 'company().as().campaign().book().chapter().notes.get(note_id)',
  'statistics.ofUser': 'company().as().statistics.get()',
  'streams.openInCampaign': 'company().as().campaign().events()',
})) {
  test(`${id} is ${place}`, () => assert.equal(places.get(id), place))
}

test('every operation has a comment with its path, and every type a name of its own', () => {
  const source = clientSource(operations, [], {})
  for (const { method, path } of operations) assert.ok(source.includes(` * \`${method} /api/v1${path.template}\``), path.template)
  const names = [...source.matchAll(/^export (?:interface|type|const) (\w+)/gm)].map(([, name]) => name)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
})
