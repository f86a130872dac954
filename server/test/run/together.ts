import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

// The test files that share this process: their paths are the arguments.
const paths = process.argv.slice(2)
let loaded = () => {}
// It runs first, and ends when all files are loaded: the hooks that close the database run as soon as no test is left.
test('all files of the process are loaded', () => new Promise<void>((resolve) => (loaded = resolve)))
for (const path of paths) await import(pathToFileURL(path).href)
loaded()
