import type { Command } from './command.ts'
import { printDone } from './output.ts'
import type { SampleTable } from './sample-table.ts'
import { addressOf, keyOf } from './service.ts'

function textOf({ company, company_id, campaign, people }: SampleTable): string {
  const lines = people.map(
    ({ name, plays, url, user_id }) => `${name}, ${plays ? `who plays ${plays}` : 'the storyteller'}\n  ${url ?? user_id}`,
  )
  const links = people.some(({ url }) => url) ? ['', 'Each link signs one person in to the console, once, within a day.'] : []
  return [`The table is ready: '${campaign}', in the company '${company}' (${company_id}).`, '', ...lines, ...links].join('\n')
}

export const demo: Command[] = [
  {
    words: 'demo',
    flags: { service: { type: 'string', value: 'URL', help: 'the service (default: the one on this machine)' } },
    help: 'Sets up a table on the running service: a company, a storyteller, three players and a short adventure. Prints a sign-in link for each',
    examples: ['guildhall demo', 'GUILDHALL_API_KEY=glh_… guildhall demo --service https://play.example'],
    run: async ({ flags, config }) => {
      // Loaded for this command only: it brings the client and the adventure.
      const { makeSampleTable } = await import('./sample-table.ts')
      const table = await makeSampleTable(addressOf(config, flags.service), keyOf(config))
      printDone(flags.json, textOf(table), table)
    },
  },
]
