import { ApiError, ConnectionError } from '@guildhall/client'

/** Something that the person can put right, in a sentence for them. */
export class Hint extends Error {}

const BUSY = 'Guildhall does not answer right now. Please try again in a minute.'
const FAULT = 'The bot has a problem. Please tell the person who runs it.'

const REASONS: Record<string, string> = {
  role: 'Only storytellers may do that.',
  not_a_storyteller: 'Only the storytellers of this campaign may do that.',
  not_a_member: 'You are not a member of this campaign. Ask its storyteller for an invite.',
  not_the_owner: 'Only the owner and the storytellers of the campaign may do that.',
  not_your_character: 'That is not your character.',
  hidden_sheet: 'The sheet of this character is hidden from you.',
  campaign_settings: 'The settings of this campaign do not allow that.',
}

/** The sentence for an error. Faults of the bot and its settings go to the log, with the id under which the service has the request. */
export function explain(error: unknown): string {
  if (error instanceof Hint) return error.message
  if (error instanceof ConnectionError) return BUSY
  if (!(error instanceof ApiError)) {
    console.error(error)
    return FAULT
  }
  const { code, status, reason = '', detail, faults, requestId } = error
  if (status === 429 || status >= 502) return BUSY
  if (code === 'forbidden' && REASONS[reason]) return REASONS[reason]
  if (code === 'validation_failed' && faults.length) return faults.map(({ field, message }) => `${field}: ${message}`).join('\n')
  if (code === 'user_archived') return 'Your user or that of the bot is archived. Ask an admin to restore it.'
  if (code === 'out_of_range') return `That is out of range. ${detail}`
  if (status === 404 || status === 409) return detail
  console.error(`${error.message} (${reason} ${requestId})`)
  return FAULT
}
