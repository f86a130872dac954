import { localUrl } from '../core/loopback.ts'
import { CONSOLE_LINK_SECONDS, findGlobalAdmin, newConsoleLink } from '../start/console-link.ts'
import { type Command, refuseUsage } from './command.ts'
import { findDeveloper, refuse, withDatabase } from './database.ts'
import { printDone } from './output.ts'

const SECONDS = { s: 1, m: 60, h: 3600 }
const MAX_SECONDS = 86_400

function secondsOf(text: string): number {
  const [, count, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
  if (!(seconds >= SECONDS.m && seconds <= MAX_SECONDS))
    refuseUsage(`--expires-in is '${text}'. Expected a time from 1m to 24h, such as 90s, 15m or 2h.`)
  return seconds
}

export const consoleLink: Command[] = [
  {
    words: 'console-link',
    flags: {
      developer: { type: 'string', value: 'NAME_OR_ID', help: 'whom the link signs in (default: the first global admin)' },
      'expires-in': { type: 'string', value: 'TIME', help: 'how long the link works, from 1m to 24h (default 15m)' },
    },
    help: 'Creates a link that signs a developer in to the console, once, and prints it',
    examples: ['guildhall console-link', 'guildhall console-link --developer "Night Club Bot" --expires-in 1h'],
    run: async ({ flags, config }) => {
      const seconds = flags['expires-in'] === undefined ? CONSOLE_LINK_SECONDS : secondsOf(String(flags['expires-in']))
      if (!config.console) refuse('There is no console: CONSOLE is off.')
      if (!config.publicUrl && config.port === 0)
        refuse('The address of the service is not known, because PORT is 0. Set PUBLIC_URL or PORT.')
      await withDatabase(config, async (db) => {
        const developer_id = flags.developer === undefined ? await findGlobalAdmin(db) : await findDeveloper(db, String(flags.developer))
        if (!developer_id)
          return refuse('There is no global admin. Create one: guildhall developers create operator --global-admin --issue-key')
        const link = await newConsoleLink(db, developer_id, config.publicUrl ?? localUrl(config.host, config.port), seconds)
        const note = config.publicUrl ? '' : '\nIt works on this machine only, because PUBLIC_URL is not set.'
        printDone(flags.json, `${link.url}\nIt signs in once, until ${link.date_expires}. Give it to nobody.${note}`, link)
      })
    },
  },
]
