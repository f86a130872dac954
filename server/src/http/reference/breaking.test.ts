import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { breakingChanges, unannounced } from './breaking.ts'

const text = readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')
// biome-ignore lint/suspicious/noExplicitAny: a test takes a document apart that has no type.
type Document = any
const edited = (edit: (document: Document) => void) => {
  const document: Document = JSON.parse(text)
  edit(document)
  return document
}
const before = JSON.parse(text)
const USERS = '/api/v1/companies/{company_id}/users'
const USER = `${USERS}/{user_id}`

const BREAKING: [name: string, edit: (document: Document) => void, found: RegExp][] = [
  ['an operation is removed', ({ paths }) => delete paths[USER].delete, /^DELETE .*\/users\/\{\}: removed$/],
  ['an operation has another id', ({ paths }) => (paths[USERS].get.operationId = 'list'), /operationId is now list$/],
  ['a field of a reply is removed', ({ components }) => delete components.schemas.User.properties.name, /200\.name: removed$/],
  [
    'a field of a reply may be missing',
    ({ components: { schemas } }) => (schemas.User.required = schemas.User.required.filter((name: string) => name !== 'name')),
    /200\.name: no longer always there$/,
  ],
  [
    'a field of a reply has another type',
    ({ components }) => (components.schemas.User.properties.name.type = ['string', 'null']),
    /200\.name: may now be null$/,
  ],
  ['a field becomes required', ({ components }) => components.schemas.UserCreate.required.push('email'), /body\.email: now required$/],
  ['a field of a body is removed', ({ components }) => delete components.schemas.UserCreate.properties.email, /body\.email: removed$/],
  ['a limit is lowered', ({ components }) => (components.schemas.UserCreate.properties.name.maxLength = 50), /name: maxLength is now 50$/],
  ['a value is no longer accepted', ({ components }) => components.schemas.Role.enum.shift(), /role: no longer accepts PLAYER$/],
  ['a parameter is removed', ({ paths }) => (paths[USERS].get.parameters = []), /^GET .*\/users query parameter limit: removed$/],
  [
    'a parameter is new and required',
    ({ paths }) => paths[USERS].get.parameters.push({ name: 'x', in: 'query', required: true, schema: { type: 'string' } }),
    /query parameter x: now required$/,
  ],
  [
    'a body becomes required',
    ({ paths }) => (paths[`${USER}/restore`].post.requestBody = { required: true }),
    /restore body: now required$/,
  ],
  ['a status is removed', ({ paths }) => delete paths[USERS].post.responses[201], /^POST .*\/users 201: removed$/],
  [
    'a field of one way to fill in a body is removed',
    ({ components: { schemas } }) => delete schemas.DiceRollCreateNotation.properties.notation,
    /dice-rolls body\.notation: removed$/,
  ],
]
for (const [name, edit, found] of BREAKING)
  test(`breaking: ${name}`, () => {
    const changes = breakingChanges(before, edited(edit))
    assert.ok(
      changes.some((change) => found.test(change)),
      changes.join('\n'),
    )
  })

const ADDITIONS: [name: string, edit: (document: Document) => void][] = [
  ['nothing', () => {}],
  ['an operation', ({ paths }) => (paths['/api/v1/new'] = paths[USERS])],
  ['an optional parameter', ({ paths }) => paths[USERS].get.parameters.push({ name: 'x', in: 'query', schema: { type: 'string' } })],
  ['a field of a reply', ({ components }) => (components.schemas.User.properties.x = { type: 'string' })],
  ['an optional field of a body', ({ components }) => (components.schemas.UserCreate.properties.x = { type: 'string' })],
  ['a value', ({ components }) => components.schemas.Role.enum.push('GUEST')],
  ['a raised limit', ({ components }) => (components.schemas.UserCreate.properties.name.maxLength = 500)],
]
for (const [name, edit] of ADDITIONS) test(`not breaking: ${name}`, () => assert.deepEqual(breakingChanges(before, edited(edit)), []))

test('changes that the changelog names are announced, and no others', () => {
  const changelog =
    '## [Unreleased]\n\n### Breaking\n\n- `POST */users body.*: removed`: not needed.\n\n### Added\n\n- `GET /x: removed` is no such item.\n'
  const changes = ['POST /api/v1/users body.email: removed', 'GET /x: removed']
  assert.deepEqual(unannounced(changes, changelog), ['GET /x: removed'])
})
