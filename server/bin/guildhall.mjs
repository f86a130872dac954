#!/usr/bin/env -S node --max-semi-space-size=16
// Plain JavaScript, so that a Node too old for the rest can still say so.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `Guildhall needs Node 22.18 or later, and this is ${process.versions.node}: start it with npm, which brings its own on Linux, or install a newer Node.`,
  )
  process.exit(1)
}
// What was compiled once need not be again: that halves the time of a start. The cache is beside the packages, not where
// others on the machine could write.
const [{ enableCompileCache }, { fileURLToPath }] = await Promise.all([import('node:module'), import('node:url')])
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/guildhall', import.meta.url)))

const { main } = await import('../src/cli/main.ts')
await main(process.argv.slice(2))
