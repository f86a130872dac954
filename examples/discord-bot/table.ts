import { ApiError, type Campaign, type CompanyHandle, type User, type UserHandle, type WriteOptions } from '@guildhall/client'
import { type Interaction, optionOf } from './discord.ts'
import { Hint } from './errors.ts'

/** The external id of the bot's own user. Those of people are `discord:` and a number. */
const BOT = 'discord-bot'
/** The metadata of a campaign names its channel here, for other applications. Whoever manages a campaign can write it, so it links nothing. */
const CHANNEL_FIELD = 'discord_channel'
/** Public, private and announcement threads belong to a channel. */
const THREADS = [10, 11, 12]

/** A person who gives a command in a channel. Everything is done in their name, so the service decides what they may see and do. */
export class Table {
  readonly me: UserHandle
  /** For every write. If Discord delivers an interaction again, it still rolls once. */
  readonly once: WriteOptions
  readonly #company: CompanyHandle
  readonly #interaction: Interaction
  readonly #channel: string
  readonly #channelKey: string

  constructor(company: CompanyHandle, userId: string, interaction: Interaction) {
    const { id, channel, channel_id = '' } = interaction
    this.me = company.as(userId)
    this.once = { idempotencyKey: id }
    this.#company = company
    this.#interaction = interaction
    this.#channel = (channel && THREADS.includes(channel.type) && channel.parent_id) || channel_id
    this.#channelKey = `channel_${this.#channel}`
  }

  /** Finds the user of the person, or creates one. */
  static async open(company: CompanyHandle, interaction: Interaction): Promise<Table> {
    const { member } = interaction
    if (!member) throw new Hint('Use the commands in a channel of the server.')
    const { id, global_name, username } = member.user
    const name = [member.nick, global_name, username].find((text) => text?.trim()) ?? id
    const user = await company.users.link(`discord:${id}`, { name }, { idempotencyKey: interaction.id })
    return new Table(company, user.id, interaction)
  }

  option<T extends string | number>(name: string): T | undefined {
    return optionOf<T>(this.#interaction, name)
  }

  /** The campaign of the channel, if it has one that the person may see. */
  async findCampaign(): Promise<Campaign | undefined> {
    const { metadata } = await this.#bot()
    const linked = metadata[this.#channelKey]
    return linked === undefined ? undefined : this.me.campaigns.get(linked).catch(undefinedIfRefused)
  }

  async campaign(): Promise<Campaign> {
    const campaign = await this.findCampaign()
    if (!campaign) throw new Hint('This channel has no campaign that you may see. A storyteller can link one with /link.')
    return campaign
  }

  /** Links the channel with a campaign instead of the former one. */
  async linkCampaign(campaignId: string): Promise<void> {
    const former = await this.findCampaign()
    // In the name of the person, so the service refuses it unless they manage the campaign. Other applications may read it, the bot does not.
    await this.me.campaigns.update(campaignId, { metadata: { [CHANNEL_FIELD]: this.#channel } }, this.once)
    const bot = await this.#bot()
    await this.#company.users.update(bot.id, { metadata: { [this.#channelKey]: campaignId } }, { ...this.once, onBehalfOf: bot.id })
    if (former && former.id !== campaignId && former.metadata[CHANNEL_FIELD] === this.#channel)
      await this.me.campaigns.update(former.id, { metadata: { [CHANNEL_FIELD]: null } }, this.once).catch(undefinedIfRefused)
  }

  /**
   * The user of the bot itself. Its metadata has the campaign of each channel, so that the bot needs no database. Users change no metadata but
   * their own: nobody links a channel except with the bot, or as an admin.
   */
  #bot(): Promise<User> {
    return this.#company.users.link(BOT, { name: 'Discord bot' }, this.once)
  }

  /** The character that the command names, or else the only one that the person plays in the campaign. */
  async findCharacter({ id }: Campaign) {
    const name = this.option<string>('character')
    if (name) return only((await this.me.campaign(id).characters.list({ q: name, limit: 100 })).items, name)
    const { items } = await this.me.characters.list({ campaign_id: id, status: 'ACTIVE', limit: 100 })
    return items.length > 1 ? only(items, '') : items[0]
  }

  async character(campaign: Campaign) {
    const character = await this.findCharacter(campaign)
    if (!character) throw new Hint('You play no character in this campaign. Name one with “character”.')
    return character
  }
}

function undefinedIfRefused(error: unknown): undefined {
  if (!ApiError.is(error, 'not_found', 'forbidden')) throw error
}

/** The one item with this name, or the only item. */
export function only<T extends { name: string }>(items: T[], name: string): T {
  const [item, second] = items.filter((each) => each.name.toLowerCase() === name.toLowerCase())
  const found = item && !second ? item : items.length === 1 ? items[0] : undefined
  if (found) return found
  if (!items.length) throw new Hint(`There is nothing with the name “${name}”.`)
  throw new Hint(`Which one: ${items.map((each) => each.name).join(', ')}?`)
}
