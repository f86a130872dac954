import { parentPort } from 'node:worker_threads'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

// Scalar's package contains its script as a text in a module of 4 MB. It is loaded in a thread of its own, which then ends, so that the service neither waits for it
// nor keeps it twice.

/** Texts of the script that no option changes, and what replaces them. docs-browser.test.ts looks at the result, so that a new version cannot undo them unnoticed. */
const REPLACEMENTS: [string, string][] = [
  // The placeholder of a key is a joke that looks like a key.
  ['QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', 'Paste your key or token'],
  // The overview of a group lists paths that all begin alike and are cut off; it lists the summaries instead.
  ['`path`in e.operation?e.operation.path:e.operation.title', 'e.operation.title'],
]

const app = Fastify()
app.register(reference, { routePrefix: '/scalar', configuration: { url: '/' } })
const { body } = await app.inject('/scalar/js/scalar.js')
const script = Buffer.from(REPLACEMENTS.reduce((text, [from, to]) => text.replaceAll(from, to), body))
parentPort?.postMessage(script)
