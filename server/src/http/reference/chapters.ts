/** The chapters of the API reference: first what an application needs, last the things of operators. */
const CHAPTERS: Record<string, string[]> = {
  Start: ['Companies', 'Me', 'Account', 'Keys', 'Console session', 'Options'],
  People: ['Users', 'Tokens', 'Sign in links', 'Grants'],
  Campaign: ['Campaigns', 'Members', 'Invites', 'Campaign trackers', 'Campaign secret metadata', 'Books', 'Chapters', 'Search'],
  Rules: ['Packs', 'Rulesets', 'Ruleset versions', 'Campaign rulesets', 'Conditions', 'Sheet rolls', 'Terms'],
  Characters: ['Characters', 'Creations', 'Character trackers', 'Character secret metadata', 'Inventory', 'History'],
  Notes: ['Notes', 'Campaign notes', 'Book notes', 'Chapter notes', 'Character notes'],
  Dice: [
    'Dice rolls',
    'Quick rolls',
    'Character quick rolls',
    'Campaign quick rolls',
    'Dice',
    'Statistics',
    'Dice seeds',
    'Campaign dice seeds',
    'Secret dice seeds',
  ],
  Experience: ['Experience', 'Experience entries', 'Costs'],
  Live: ['Changes', 'Streams', 'Webhooks', 'Webhook deliveries'],
  Operate: ['Audit logs', 'Admin developers', 'Admin keys'],
}

/** The name of the chapter of tags that no chapter lists yet. */
const OTHERS = 'More'

/** Groups tags into chapters, as `x-tagGroups`. Each tag is in one chapter, and a chapter without tags is left out. */
export function chaptersOf(tags: string[]): { name: string; tags: string[] }[] {
  const listed = new Set(Object.values(CHAPTERS).flat())
  const chapters = { ...CHAPTERS, [OTHERS]: tags.filter((tag) => !listed.has(tag)) }
  return Object.entries(chapters)
    .map(([name, members]) => ({ name, tags: members.filter((tag) => tags.includes(tag)) }))
    .filter((chapter) => chapter.tags.length > 0)
}
