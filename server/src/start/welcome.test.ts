import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../core/config.ts'
import { welcome } from './welcome.ts'

test('the text at a start names the pages that may call the API', () => {
  const shown = (CORS_ORIGINS: string) =>
    welcome(readConfig({ CORS_ORIGINS }, true), 8080, { operatorKey: undefined, empty: false, used: true, keyInFile: true })
  for (const [origins, pages] of [
    ['', 'those of this address only. CORS_ORIGINS names others'],
    ['https://a.example,https://b.example', 'those of this address, and of https://a.example, https://b.example (CORS_ORIGINS)'],
    ['*', 'those of this address, and of all others, with user tokens (CORS_ORIGINS)'],
  ] as const)
    assert.ok(shown(origins).includes(`  Pages that may call  ${pages}\n`), shown(origins))
})
