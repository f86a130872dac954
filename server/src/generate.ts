import { readFileSync, writeFileSync } from 'node:fs'
import { openapi } from './http/reference/openapi.ts'
import { about, operations } from './resources/index.ts'

// Writes openapi.json from the operations; with --check, only tells whether the committed one is what they say.
const file = new URL('../../openapi.json', import.meta.url)
const text = `${JSON.stringify(openapi(operations, about), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('openapi.json is stale: run npm run generate.')
  process.exitCode = 1
}
