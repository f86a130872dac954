// Node runs TypeScript since 22.18. Earlier versions say only that the extension .ts is unknown.
if (!process.features.typescript) {
  console.error(
    `The bot needs Node 22.18 or later, which runs TypeScript. This is ${process.version}: install a later Node, or run npx --yes node@24 bot.ts.`,
  )
  process.exit(1)
}
