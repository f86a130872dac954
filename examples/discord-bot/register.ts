import { commands } from './commands.ts'
import { discordApi, setting } from './settings.ts'

// Tells Discord the commands of the bot in one server. Run it again after changing them: the list replaces the former one.

const [application, guild, token] = ['DISCORD_APPLICATION', 'DISCORD_GUILD', 'DISCORD_BOT_TOKEN'].map((name) => setting(name))
const list = Object.entries(commands).map(([name, { isPrivate, run, ...definition }]) => ({ name, ...definition }))
const response = await fetch(`${discordApi}/applications/${application}/guilds/${guild}/commands`, {
  method: 'PUT',
  headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(list),
})
if (!response.ok) {
  console.error(`Discord rejects the commands with ${response.status}: ${await response.text()}`)
  process.exit(1)
}
console.log(`Registered ${list.map(({ name }) => `/${name}`).join(', ')}.`)
