// Loaded into the process of each test file: records the CPU time that the process and the ended processes that it started have used.
import { appendFileSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

process.once('exit', () => {
  if (!process.env.TEST_CPU_LOG || process.platform !== 'linux') return
  // Fields 14 to 17 of proc(5), counted after the name in parentheses: user and system time of this process, and of the processes it waited for.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  appendFileSync(process.env.TEST_CPU_LOG, `${JSON.stringify({ paths: process.argv.slice(1), seconds: ticks / TICKS_PER_SECOND })}\n`)
})
