// The whole API. Routes may import any resource; all other files of a resource import only resources listed before it.

import { admin } from './admin/routes.ts'
import { auditLogs } from './audit-logs/routes.ts'
import { books } from './books/routes.ts'
import { campaigns } from './campaigns/routes.ts'
import { chapters } from './chapters/routes.ts'
import { characters } from './characters/routes.ts'
import { companies } from './companies/routes.ts'
import { developers } from './developers/routes.ts'
import { dice } from './dice/routes.ts'
import { diceRolls } from './dice-rolls/routes.ts'
import { diceSeeds } from './dice-seeds/routes.ts'
import { experience } from './experience/routes.ts'
import { grants } from './grants/routes.ts'
import { history } from './history/routes.ts'
import { inventory } from './inventory/routes.ts'
import { keys } from './keys/routes.ts'
import { members } from './members/routes.ts'
import { notes } from './notes/routes.ts'
import { options } from './options/routes.ts'
import { quickRolls } from './quick-rolls/routes.ts'
import { search } from './search/routes.ts'
import { statistics } from './statistics/routes.ts'
import { users } from './users/routes.ts'

const resources = [
  ...developers,
  ...keys,
  ...admin,
  ...companies,
  ...grants,
  ...diceSeeds,
  ...users,
  ...auditLogs,
  ...campaigns,
  ...members,
  ...characters,
  ...inventory,
  ...books,
  ...chapters,
  ...notes,
  ...search,
  ...diceRolls,
  ...quickRolls,
  ...dice,
  ...statistics,
  ...experience,
  ...history,
]

export const operations = [...resources, ...options(resources)]

/** What each part of the API is about, for its reference. */
export const about = {
  Me: 'Who you are: the developer behind the API key',
  Keys: 'Your API keys: see, rotate and revoke them',
  'Admin developers': 'For operators: the accounts of the service',
  'Admin keys': 'For operators: the API keys of those accounts',
  Companies: 'The tenants: a company owns its users, campaigns and everything of them',
  Grants: 'Which developers reach a company, and what they may do there',
  Users: 'The people who play; link each user of your application to one',
  'Audit logs': 'What was changed in a company, by whom, from what to what',
  Campaigns: 'The games: who owns and tells them, where they stand, how dangerous they are',
  Members: 'Who is in a campaign, as storyteller or as player',
  Characters: 'Who is in a campaign: characters of players, and NPCs, some of them hidden',
  Inventory: 'What a character has',
  Books: 'What happened in a campaign, in order',
  Chapters: 'The parts of a book, in order',
  Notes: 'The notebook of a user, for nobody else',
  'Campaign notes': 'Notes on a campaign, open or secret',
  'Book notes': 'Notes on a book, open or secret',
  'Chapter notes': 'Notes on a chapter, open or secret',
  'Character notes': 'Notes on a character, open or secret',
  Search: 'Everything of a company, found by its name or its text',
  'Dice seeds': 'What your dice outside campaigns follow from, committed to before they fall',
  'Campaign dice seeds': 'The same for the open rolls of a campaign',
  'Secret dice seeds': 'The same for its secret rolls, for its storytellers',
  'Dice rolls': 'Dice: rolled by the server, structured to the last die, and open to proof',
  'Quick rolls': 'Pools that a user rolls often, by name',
  Dice: 'The odds of a roll, exactly',
  Statistics: 'What the dice did: outcomes, luck, favourite traits, day by day',
  Experience: 'A ledger: who earned what, who spent it on what, and how to take it back',
  'Experience entries': 'The lines of that ledger: never changed, but taken back by another',
  History: 'What became of a character, change by change',
  Options: 'Every enumerated value the API accepts',
}
