import { readConfig } from '../src/core/config.ts'
import { serveForever } from '../src/main.ts'
import { operations } from '../src/resources/index.ts'
import { streaming } from './streaming.ts'

// The service with the operations of streaming.ts, for tests of streams in a process of their own.
await serveForever(readConfig(), 1, [...operations, ...streaming])
