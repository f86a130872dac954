/** Returns a variable of the environment, or ends the program with a sentence that says which one is missing. */
export function setting(name: string, fallback?: string): string {
  const value = process.env[name] || fallback
  if (value !== undefined) return value
  console.error(`${name} is not set. See README.md.`)
  process.exit(1)
}

export const discordApi: string = setting('DISCORD_API', 'https://discord.com/api/v10')
