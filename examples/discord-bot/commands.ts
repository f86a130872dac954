import type { Campaign, ExperienceAward, PoolRequest } from '@guildhall/client'
import { type Interaction, optionOf, plain, type Reply } from './discord.ts'
import { Hint } from './errors.ts'
import { only, type Table } from './table.ts'

const TEXT = 3
const WHOLE_NUMBER = 4
const MANAGE_CHANNELS = '16'

const text = (name: string, description: string, required = false) => ({ type: TEXT, name, description, required, max_length: 500 })
const number = (name: string, description: string, required = false) => ({ type: WHOLE_NUMBER, name, description, required })
const character = text('character', 'Name of the character. Default: your own')
const comment = text('comment', 'What the roll is for')
const secret = {
  ...text('secret', 'Who sees the result. Default: everyone'),
  choices: [
    { name: 'me and the storytellers', value: 'STORYTELLER' },
    { name: 'only the storytellers', value: 'BLIND' },
  ],
}

interface Command {
  description: string
  options?: object[]
  /** The Discord permission that the command needs. */
  default_member_permissions?: string
  /** True if the answer is private whatever happens, so that it is deferred as a private one. */
  isPrivate?(interaction: Interaction): boolean
  run(table: Table): Promise<Reply>
}

const open = (text: string): Reply => ({ text, isPrivate: false })
const hidden = (text: string): Reply => ({ text, isPrivate: true })

const isSecret = (interaction: Interaction) => optionOf(interaction, 'secret') !== undefined

/** True if everyone in the campaign sees the character with its sheet. What only the caller may see is not for the channel. */
const isOpen = (who: { visibility: string; sheet_visibility: string }) => who.visibility === 'OPEN' && who.sheet_visibility === 'EVERYONE'

async function roll(table: Table, dice: { notation: string } | { pool: PoolRequest }): Promise<Reply> {
  const campaign = await table.findCampaign()
  const who = campaign && (await table.findCharacter(campaign))
  // The service keeps the rolls of an NPC secret that players do not see.
  const visibility = table.option<'STORYTELLER' | 'BLIND'>('secret') ?? (who?.visibility === 'STORYTELLER' ? 'STORYTELLER' : 'PUBLIC')
  const rolled = await table.me.diceRolls.create(
    { ...dice, visibility, campaign_id: campaign?.id, character_id: who?.id, comment: table.option<string>('comment') },
    table.once,
  )
  if (visibility !== 'PUBLIC') return hidden(rolled.text_markdown)
  if (!who || isOpen(who)) return open(rolled.text_markdown)
  // The roller sees the traits of a hidden sheet in the text. The channel sees the dice and the result.
  const { comment, net, total, outcome } = rolled
  const faces = rolled.dice.map(({ value }) => value).join(' ')
  const result = `${net === null ? `= ${total}` : `: net ${net}`}${outcome ? `, ${outcome}` : ''}`
  return open(plain(`${who.name}${comment ? ` (${comment})` : ''}: ${faces} … ${result}`))
}

function poolOf(table: Table): PoolRequest {
  const given = String(table.option('dice')).trim().toLowerCase()
  const dice = /^\d{1,9}$/.test(given) ? { dice: Number(given) } : { traits: given.match(/[^\s,+]+/g) ?? [] }
  const [difficulty, modifier, desperation_dice] = ['difficulty', 'modifier', 'desperation'].map((name) => table.option<number>(name))
  return { ...dice, difficulty, modifier, desperation_dice }
}

async function award(table: Table, campaign: Campaign, amount: number): Promise<Reply> {
  const reason = table.option<string>('reason')
  if (!reason) throw new Hint('Give a “reason” for the award.')
  const who = table.option('character') === undefined ? undefined : await table.character(campaign)
  let body: ExperienceAward = { reason, amount, to: 'MEMBERS' }
  if (who && campaign.experience_per === 'CHARACTER') body = { reason, awards: [{ character_id: who.id, amount }] }
  else if (who?.user_id) body = { reason, amount, user_ids: [who.user_id] }
  else if (who) throw new Hint(`${who.name} has no player.`)
  const { items } = await table.me.campaign(campaign.id).experience.award(body, table.once)
  const told = plain(`${amount} experience for ${who?.name ?? `everyone (${items.length})`}: ${reason}`)
  return who && !isOpen(who) ? hidden(told) : open(told)
}

const range = ({ label, value, maximum }: { label: string; value: number | null; maximum: number | null }) =>
  `${label} ${value ?? '?'}${maximum === null ? '' : ` / ${maximum}`}`

export const commands: Record<string, Command> = {
  link: {
    description: 'Link this channel with a campaign',
    options: [text('campaign', 'Name of the campaign', true)],
    default_member_permissions: MANAGE_CHANNELS,
    async run(table) {
      const name = table.option<string>('campaign') ?? ''
      const campaign = only((await table.me.campaigns.list({ q: name, limit: 100 })).items, name)
      await table.linkCampaign(campaign.id)
      return open(`This channel plays **${plain(campaign.name)}** now.`)
    },
  },
  roll: {
    description: 'Roll dice',
    options: [text('dice', 'Such as 2d6+3, 4d6kh3 or 1d20+{wits}', true), comment, character, secret],
    isPrivate: isSecret,
    run: (table) => roll(table, { notation: String(table.option('dice')) }),
  },
  pool: {
    description: 'Roll a pool of ten-sided dice',
    options: [
      text('dice', 'A number of dice, or traits such as: strength brawl', true),
      number('difficulty', 'Lowest face that counts as a success'),
      number('modifier', 'Dice to add; negative to take away'),
      number('desperation', 'Desperation dice to add'),
      comment,
      character,
      secret,
    ],
    isPrivate: isSecret,
    run: (table) => roll(table, { pool: poolOf(table) }),
  },
  sheet: {
    description: 'Show the sheet of a character, to you alone',
    options: [character],
    isPrivate: () => true,
    async run(table) {
      const campaign = await table.campaign()
      const { id } = await table.character(campaign)
      const who = await table.me.campaign(campaign.id).characters.get(id, { include: ['trackers', 'experience'] })
      const traits = Object.entries(who.traits ?? {}).map(([name, value]) => `${name} ${value}`)
      const lines = [
        `**${plain(who.name)}** (${who.status.toLowerCase()})`,
        plain(who.concept ?? ''),
        who.traits ? plain(traits.join(' · ')) : 'The sheet is hidden from you.',
        plain(who.trackers?.map(range).join(' · ') ?? ''),
      ]
      return hidden(lines.filter(Boolean).join('\n'))
    },
  },
  adjust: {
    description: 'Change a tracker or a trait of a character',
    options: [
      text('name', 'Such as hit_points', true),
      number('by', 'Amount to add; negative to subtract', true),
      character,
      text('reason', 'Why'),
    ],
    async run(table) {
      const campaign = await table.campaign()
      const name = (table.option<string>('name') ?? '')
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, '_')
      const [by, reason] = [table.option<number>('by') ?? 0, table.option<string>('reason')]
      const { id } = await table.character(campaign)
      const { characters } = table.me.campaign(campaign.id)
      const { traits, trackers = [] } = await characters.get(id, { include: ['trackers'] })
      const isTrait = Object.hasOwn(traits ?? {}, name)
      if (traits && !isTrait && !trackers?.some(({ key }) => key === name))
        throw new Hint(`There is no tracker or trait “${name}” on the sheet.`)
      const amounts = isTrait ? { traits: { [name]: by } } : { trackers: { [name]: by } }
      const who = await characters.adjust(id, { ...amounts, reason }, table.once)
      const [tracker] = who.trackers
      const changed = tracker ? range(tracker) : `${name} ${who.traits?.[name]}`
      const told = `**${plain(who.name)}**: ${plain(changed)} (${by < 0 ? by : `+${by}`})`
      return isOpen(who) && (!tracker || tracker.visibility === 'OPEN') ? open(told) : hidden(told)
    },
  },
  xp: {
    description: 'Show your experience, or award some',
    options: [number('award', 'Amount to award'), text('reason', 'What the award is for'), character],
    isPrivate: (interaction) => optionOf(interaction, 'award') === undefined,
    async run(table) {
      const campaign = await table.campaign()
      const amount = table.option<number>('award')
      if (amount !== undefined) return award(table, campaign, amount)
      const balances = (await table.me.experience.list().all()).filter(({ campaign_id }) => campaign_id === campaign.id)
      if (!balances.length) return hidden('You have no experience in this campaign yet.')
      const { items } = await table.me.characters.list({ campaign_id: campaign.id, limit: 100 })
      const names = new Map(items.map(({ id, name }) => [id, name]))
      const lines = balances.map(({ character_id, available, earned }) => {
        const name = character_id === null ? 'You' : (names.get(character_id) ?? 'A former character')
        return `**${plain(name)}**: ${available} to spend, ${earned} earned`
      })
      return hidden(lines.join('\n'))
    },
  },
  recap: {
    description: 'Tell what happened last in the campaign',
    async run(table) {
      const { id } = await table.campaign()
      const { name, in_game_date, danger, desperation, latest_chapter } = await table.me.campaigns.get(id, { include: ['latest_chapter'] })
      const lines = [
        `**${plain(name)}**${in_game_date ? `, ${plain(in_game_date)}` : ''} · danger ${danger} · desperation ${desperation}`,
        latest_chapter ? `*${plain(latest_chapter.name)}*\n${plain(latest_chapter.description ?? '')}` : 'The story has no chapter yet.',
      ]
      return open(lines.join('\n'))
    },
  },
}

/** The command that an interaction names. Every object also has names such as `constructor`, which are no commands. */
export function commandOf({ data }: Interaction): Command | undefined {
  return data && Object.hasOwn(commands, data.name) ? commands[data.name] : undefined
}
