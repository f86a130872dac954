import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TObject } from '@guildhall/rules/type'
import { openapi } from '../src/http/reference/openapi.ts'
import { operations } from '../src/resources/index.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, assertProblem, call } from './harness.ts'
import { plans } from './plans.ts'

const namesIn = (schema: unknown) => Object.keys((schema as TObject | undefined)?.properties ?? {})

/** Fields of resources that have the name of a parameter of the path: they are named by the specification of the resource. */
const FIELDS = [
  'campaigns.transfer user_id',
  'characters.create user_id',
  'characters.generate user_id',
  'characters.update user_id',
  'creations.create user_id',
  'experience.spend user_id',
]

test('no operation has two parameters of one name, and a body repeats one only if the resource has the field', () => {
  const twice = plans.flatMap(({ id, params, query, formerly = {} }) => {
    const names = [...params.map(({ name }) => name), ...namesIn(query)]
    const repeated = names.filter((name, i) => names.indexOf(name) !== i)
    // An earlier name may be that of the path, but not of another parameter of the query.
    const shadowed = Object.values(formerly).filter((name) => namesIn(query).includes(name))
    return [...repeated, ...shadowed].map((name) => `${id} ${name}`)
  })
  assert.deepEqual(twice, [])
  const inBodies = plans.flatMap(({ id, params, query, body }) => {
    const names = new Set([...params.map(({ name }) => name), ...namesIn(query)])
    return namesIn(body).flatMap((name) => (names.has(name) ? [`${id} ${name}`] : []))
  })
  assert.deepEqual(inBodies.sort(), FIELDS)
})

test('the reference documents the present names only', () => {
  type Parameter = { $ref?: string; name?: string; in?: string }
  const { paths, components } = openapi(operations) as unknown as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>
    components: { parameters: Record<string, Parameter> }
  }
  const resolved = (one: Parameter) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1) as string] : one)
  const renamed = plans.filter(({ formerly }) => formerly)
  assert.equal(renamed.length, 7)
  for (const { id, method, path, formerly = {} } of renamed) {
    const parameters = paths[`/api/v1${path}`]?.[method.toLowerCase()]?.parameters?.map(resolved)
    const names = parameters?.filter((one) => one?.in === 'query').map((one) => one?.name)
    for (const [name, earlier] of Object.entries(formerly))
      assert.deepEqual([names?.includes(name), names?.includes(earlier)], [true, false], id)
  }
})

test('a filter is accepted by its earlier name, not by both, and its faults name the one that was sent', async () => {
  const { base, key, teller, player, campaign_id, C } = await newGameTable()
  await player.make(`${C}/characters`, { name: 'Hero' })
  await teller.make(`${C}/characters`, { name: 'Rival' })
  for (const person of [teller, player]) await person.make('/dice-rolls', { notation: '1d6', campaign_id })
  await teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids: [teller.id, player.id] })
  await player.make('/campaigns', { name: "Player's" })
  const lists: [path: string, name: string][] = [
    [`/users/${teller.id}/campaigns`, 'owner_id'],
    ['/campaigns', 'owner_id'],
    [`/users/${teller.id}${C}/characters`, 'player_id'],
    ['/characters', 'player_id'],
    [`/users/${teller.id}/dice-rolls`, 'roller_id'],
    ['/dice-rolls', 'roller_id'],
    [`/users/${teller.id}${C}/experience/entries`, 'player_id'],
  ]
  for (const [path, name] of lists) {
    const get = (query: string) => call('GET', `${base}${path}?${query}`, { key })
    const refused = async (query: string, fields: string[]) => {
      const answer = await get(query)
      assertProblem(answer, 400)
      assert.deepEqual(
        answer.body.invalid_parameters.map(({ field }) => field),
        fields,
        `${path}?${query}`,
      )
    }
    const total = ({ status, text, body }: Answer) => (status === 200 ? body.total : text)
    assert.equal(total(await get('')), 2, path)
    for (const one of [name, 'user_id']) {
      assert.equal(total(await get(`${one}=${player.id}`)), 1, `${path} by ${one}`)
      assert.equal(total(await get(`${one}=${player.id.toUpperCase()}`)), 1, `${path} by ${one}`)
      assert.equal(total(await get(`${one}=${campaign_id}`)), 0, `${path} by ${one}`)
      for (const bad of ['', 'me', `${player.id}&${one}=${player.id}`]) await refused(`${one}=${bad}`, [one])
    }
    await refused(`${name}=${player.id}&user_id=${player.id}`, ['user_id'])
    await refused(`user_id=${player.id}&nonsense=1`, ['nonsense'])
  }
  // A cursor does not depend on the name that was used.
  const second = await player.make('/dice-rolls', { notation: '1d6' })
  const rolls = (query: string) => call('GET', `${base}/dice-rolls?limit=1&${query}`, { key })
  const { next_cursor } = (await rolls(`roller_id=${player.id}`)).body
  assert.equal((await rolls(`user_id=${player.id}&after=${next_cursor}`)).body.items[0]?.id, second)
})
