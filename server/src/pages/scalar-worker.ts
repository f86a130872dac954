import { parentPort } from 'node:worker_threads'
import reference from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

// Scalar's package contains its script as a text in a module of 4 MB. It is loaded in a thread of its own, which then ends, so that the service neither waits for it
// nor keeps it twice.

/** Scalar's sample of a key is a joke that looks like a key. */
const PLACEHOLDER = 'QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT'

const app = Fastify()
app.register(reference, { routePrefix: '/scalar', configuration: { url: '/' } })
const { body } = await app.inject('/scalar/js/scalar.js')
const script = Buffer.from(body.replaceAll(PLACEHOLDER, 'Paste your key or token'))
parentPort?.postMessage(script)
