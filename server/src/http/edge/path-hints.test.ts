import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pathHints } from './path-hints.ts'

test('a path that does not exist gets the one that was most likely meant', () => {
  const user = '/companies/{company_id}/users/{user_id}'
  const templates = [
    `${user}/campaigns/{campaign_id}/characters/{character_id}`,
    '/companies',
    '/companies/{company_id}/campaigns',
    `${user}/campaigns`,
    `${user}/campaigns/{campaign_id}`,
    `${user}/campaigns/{campaign_id}/notes`,
    `${user}/notes`,
    user,
  ]
  const known = templates.map((template) => new RegExp(`^/api/v1${template.replaceAll(/{\w+}/g, '[^/]+')}$`))
  const hint = pathHints(templates, (path) => known.some((shape) => shape.test(path)))
  const cases: [string, string | undefined][] = [
    ['/companies', 'Use /api/v1/companies.'],
    ['/api/companies', 'Use /api/v1/companies.'],
    ['/v1/companies', 'Use /api/v1/companies.'],
    ['/api/v2/companies', 'Use /api/v1/companies.'],
    ['/v2/companies/1/users/2', 'Use /api/v1/companies/1/users/2.'],
    ['/api/v1/characters/1', `Did you mean /api/v1${user}/campaigns/{campaign_id}/characters/{character_id}?`],
    ['/api/v1/companies/1/characters/2', `Did you mean /api/v1${user}/campaigns/{campaign_id}/characters/{character_id}?`],
    ['/api/v1/companies/1/campaigns/2', `Did you mean /api/v1${user}/campaigns/{campaign_id}?`],
    ['/api/v1/companies/1/notes', `Did you mean /api/v1${user}/notes?`],
    ['/api/v1/campaigns', 'Did you mean /api/v1/companies/{company_id}/campaigns?'],
    ['/api/v1/users/1', `Did you mean /api/v1${user}?`],
    // No list of characters is among these paths.
    ['/api/v1/characters', undefined],
    ['/api/v1/nonsense', undefined],
    ['/api/v1/companies/1/nonsense', undefined],
    ['/api/v1/companies/1/users/2/nonsense/', undefined],
    ['/api/v1/notes/', undefined],
    ['/nonsense', undefined],
    ['/api', undefined],
    ['/', undefined],
    ['*', undefined],
    ['/apiary/companies', undefined],
    ['/API/v1/companies', undefined],
    ['/api/v1/constructor/__proto__', undefined],
  ]
  for (const [path, expected] of cases) assert.equal(hint(path), expected, path)
})
