import { ApiError, type Campaign, type CompanyHandle, type UserHandle, type WriteOptions } from '@guildhall/client'
import { type Interaction, optionOf } from './discord.ts'
import { Hint } from './errors.ts'

/** The metadata of a campaign has the channel under this key, so that the bot needs no database. */
const CHANNEL_KEY = 'discord_channel'
/** Public, private and announcement threads belong to a channel. */
const THREADS = [10, 11, 12]

/** The campaign that a channel had the last time. Always checked, because somebody may have linked another one since. */
const lastCampaigns = new Map<string, string>()

/** A person who gives a command in a channel. Everything is done in their name, so the service decides what they may see and do. */
export class Table {
  readonly me: UserHandle
  /** For every write. If Discord delivers an interaction again, it still rolls once. */
  readonly once: WriteOptions
  readonly #interaction: Interaction
  readonly #channel: string

  constructor(company: CompanyHandle, userId: string, interaction: Interaction) {
    const { id, channel, channel_id = '' } = interaction
    this.me = company.as(userId)
    this.once = { idempotencyKey: id }
    this.#interaction = interaction
    this.#channel = (channel && THREADS.includes(channel.type) && channel.parent_id) || channel_id
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
    const last = lastCampaigns.get(this.#channel)
    const campaign = last && (await this.me.campaigns.get(last).catch(undefinedIfMissing))
    if (campaign && campaign.metadata[CHANNEL_KEY] === this.#channel) return campaign
    const [found] = await this.#linkedCampaigns()
    if (found) lastCampaigns.set(this.#channel, found.id)
    return found
  }

  async campaign(): Promise<Campaign> {
    const campaign = await this.findCampaign()
    if (!campaign) throw new Hint('This channel has no campaign. A storyteller can link one with /link.')
    return campaign
  }

  async #linkedCampaigns(): Promise<Campaign[]> {
    const linked: Campaign[] = []
    for await (const item of this.me.campaigns.list()) {
      // Lists leave large metadata out.
      const campaign = item.truncated ? await this.me.campaigns.get(item.id) : item
      if (campaign.metadata[CHANNEL_KEY] === this.#channel) linked.push(campaign)
    }
    return linked
  }

  /** Links the channel with a campaign, and with no other. The service lets only people who manage a campaign change it. */
  async linkCampaign(campaignId: string): Promise<void> {
    const { metadata } = await this.me.campaigns.get(campaignId)
    // Changes nothing, and is refused like the change: the channel must not lose its campaign to one that it cannot get.
    await this.me.campaigns.update(campaignId, { metadata: { [CHANNEL_KEY]: metadata[CHANNEL_KEY] ?? null } })
    for (const { id } of await this.#linkedCampaigns())
      if (id !== campaignId) await this.me.campaigns.update(id, { metadata: { [CHANNEL_KEY]: null } }, this.once)
    await this.me.campaigns.update(campaignId, { metadata: { [CHANNEL_KEY]: this.#channel } }, this.once)
    lastCampaigns.set(this.#channel, campaignId)
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

function undefinedIfMissing(error: unknown): undefined {
  if (!ApiError.is(error, 'not_found')) throw error
}

/** The one item with this name, or the only item. */
export function only<T extends { name: string }>(items: T[], name: string): T {
  const [item, second] = items.filter((each) => each.name.toLowerCase() === name.toLowerCase())
  const found = item && !second ? item : items.length === 1 ? items[0] : undefined
  if (found) return found
  if (!items.length) throw new Hint(`There is nothing with the name “${name}”.`)
  throw new Hint(`Which one: ${items.map((each) => each.name).join(', ')}?`)
}
