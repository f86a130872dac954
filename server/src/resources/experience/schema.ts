import { type Static, Type } from '@guildhall/rules/type'
import { Excerpt } from '../../core/excerpt.ts'
import { alternatives, Enum, Id, Int, Metadata, Nullable, Timestamp, Unset } from '../../core/fields.ts'
import { Paged, page, sortByDate, walking } from '../../core/page.ts'
import { example } from '../../http/reference/example.ts'
import { TraitName, TraitValue } from '../characters/schema.ts'

const KINDS = ['AWARD', 'SPEND', 'GAIN', 'REVERSAL'] as const
const kind = (description: string) => Enum('ExperienceKind', KINDS, description)

/** Far above all real amounts, and low enough that sums stay exact. */
export const MAX_AMOUNT = 1_000_000_000
const MAX_AWARD = 1_000_000
export const MAX_RECIPIENTS = 100
const amount = (maximum: number) => Int(1, maximum, 'Amount of experience', 3)
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  'x-trim': true,
  description: 'Reason of the entry',
  examples: ['Stood by the door to the end'],
})

const TraitChange = Type.Unsafe<null | { name: string; from: number | null; to: number | null }>({
  title: 'TraitChange',
  type: ['object', 'null'],
  properties: {
    name: TraitName,
    from: Nullable(TraitValue('Former value; null if the character did not have the trait', 3)),
    to: Nullable(TraitValue('New value; null if a reversal removed the trait', 4)),
  },
  required: ['name', 'from', 'to'],
  description: 'The trait that the entry changed; null if it changed none',
  examples: [null],
})

export const Entry = Type.Object(
  {
    id: Id('Entry identifier'),
    company_id: Id('Owning company'),
    kind: kind('Kind of the entry'),
    amount: Int(0, MAX_AMOUNT, 'Amount of experience, never negative. 0 for a raise that costs nothing', 3),
    delta: Int(-MAX_AMOUNT, MAX_AMOUNT, 'Change of the available experience, which is the sum of all deltas', 3),
    price: Unset(
      Int(
        -MAX_AMOUNT,
        MAX_AMOUNT,
        'Price of the raise by the ruleset of the campaign at that time, below 0 for a GAIN. Null without a ruleset or a trait',
        20,
      ),
    ),
    user_id: Id('User whose experience changed. If it belongs to a character: the player of the character at that time'),
    campaign_id: Id('Campaign of the entry'),
    character_id: Nullable(Id('Character that the experience belongs to, or was spent on')),
    trait: TraitChange,
    reason,
    awarded_by: Id('User who wrote the entry'),
    reverses: Unset(Id('Entry that this one reverses')),
    reversed_by: Unset(Id('Entry that reverses this one')),
    metadata: Metadata,
    date_created: Timestamp('When the entry was written'),
  },
  { title: 'ExperienceEntry', description: 'An entry of the ledger. Entries are never changed or deleted' },
)
export type Entry = Static<typeof Entry>
/** An entry, with the user whose experience it is now: the user of the entry, or the present player of its character. */
export type OwnedEntry = Entry & { owner_id: string }
/** A row of the table. `reversed_by` is not stored, but looked up in the entry that reverses it. */
export const EntryRow = Type.Omit(Entry, ['reversed_by'])

const RecipientAward = Type.Object(
  {
    user_id: Type.Optional(Id('User to award. Required where experience belongs to users')),
    character_id: Type.Optional(Id('Player character to award. Required where experience belongs to characters')),
    amount: amount(MAX_AWARD),
  },
  {
    ...alternatives({ User: { requires: ['user_id'] }, Character: { requires: ['character_id'] } }),
    title: 'ExperienceRecipientAward',
    additionalProperties: false,
    description: 'An award to one recipient',
  },
)

export const Award = Type.Object(
  {
    reason,
    amount: Type.Optional(Int(1, MAX_AWARD, 'Amount of experience for each recipient', 3)),
    user_ids: Type.Optional(
      Type.Array(Id('User to award'), {
        minItems: 1,
        maxItems: MAX_RECIPIENTS,
        // Rules check it, and name the duplicates.
        'x-unique': true,
        description: 'Users to award. Each user gets the full amount. Not accepted where experience belongs to characters',
      }),
    ),
    awards: Type.Optional(
      Type.Array(RecipientAward, { minItems: 1, maxItems: MAX_RECIPIENTS, description: 'Recipients, each with an amount of their own' }),
    ),
    to: Type.Optional(
      Enum(
        'ExperienceRecipients',
        ['MEMBERS'],
        `MEMBERS: every member of the campaign, or, where experience belongs to characters, every ACTIVE player character. At most ${MAX_RECIPIENTS}`,
      ),
    ),
    metadata: Type.Optional(Metadata),
  },
  {
    ...alternatives({
      Users: { requires: ['user_ids', 'amount'] },
      Amounts: { requires: ['awards'] },
      Everyone: { requires: ['to', 'amount'] },
    }),
    title: 'ExperienceAward',
    description: 'Experience for users or characters of a campaign',
    examples: [{ amount: 3, reason: 'Stood by the door to the end', user_ids: [example(Id('User to award'))] }],
  },
)
export type Award = Static<typeof Award>

export const Awarded = Type.Object(
  {
    items: Type.Array(Excerpt(Entry), {
      maxItems: MAX_RECIPIENTS,
      description: 'The entries, in the order of the recipients; with `to`, in the order of their ids',
    }),
  },
  { title: 'ExperienceAwarded', description: 'The entries of an award' },
)

export const Spend = Type.Object(
  {
    amount: Type.Optional(
      Int(
        -MAX_AMOUNT,
        MAX_AMOUNT,
        'Amount of experience, 1 or more. Where the campaign has a ruleset and a trait is named, it may be left out: the price of the ruleset is paid. A player who sends it must send that price, as `costs` shows it; storytellers may send any amount of 0 or more, and so may everybody in an ADVISORY campaign',
        3,
      ),
    ),
    reason,
    character_id: Type.Optional(
      Nullable(Id('Character to spend the experience on. Required where experience belongs to characters: it is spent from its balance')),
    ),
    trait: Type.Optional(
      Type.Object(
        { name: TraitName, to: TraitValue('New value, above the present one', 4) },
        { title: 'TraitRaise', additionalProperties: false, description: 'Trait of the character to raise' },
      ),
    ),
    user_id: Type.Optional(
      Id('User whose experience is spent. Default: the acting user. Not accepted where experience belongs to characters'),
    ),
    metadata: Type.Optional(Metadata),
  },
  { dependentRequired: { trait: ['character_id'] }, title: 'ExperienceSpend', examples: [{ amount: 1, reason: 'Learned to listen' }] },
)
export type Spend = Static<typeof Spend>

export const Reverse = Type.Object({ reason, metadata: Type.Optional(Metadata) }, { title: 'ExperienceReverse' })
export type Reverse = Static<typeof Reverse>

export const EntriesQuery = Type.Object({
  ...page,
  ...sortByDate,
  player_id: Type.Optional(Id('Only entries of this user')),
  character_id: Type.Optional(Id('Only entries of this character')),
  kind: Type.Optional(kind('Only entries of this kind')),
  from: Type.Optional(Timestamp('Only entries at this time or later')),
  to: Type.Optional(Timestamp('Only entries before this time')),
})
export type EntriesQuery = Static<typeof EntriesQuery>

const sum = (description: string, example: number) => Int(0, Number.MAX_SAFE_INTEGER, description, example)
const sums = {
  earned: sum('Experience awarded or gained, minus what was reversed', 12),
  spent: sum('Experience spent, minus reversed spends', 9),
  available: sum('Experience available to spend', 3),
}

export const Balance = Type.Object(
  {
    user_id: Id('User of the balance; if it belongs to a character, its present player'),
    campaign_id: Id('Campaign of the balance'),
    character_id: Unset(Id('Character that the balance belongs to; null where experience belongs to users')),
    ...sums,
  },
  { title: 'ExperienceBalance', description: 'The sum of the entries of a user or a character in a campaign' },
)
export type Balance = Static<typeof Balance>

const Lifetime = Type.Object(sums, { title: 'ExperienceLifetime', description: 'The sum over all campaigns' })
export type Lifetime = Static<typeof Lifetime>

const { properties } = Paged(Balance)
export const OwnBalances = Type.Object(
  { ...properties, lifetime: Lifetime },
  { title: 'OwnExperience', description: 'The experience of a user in a campaign' },
)

/** A balance has no id of its own, so that there is no `ids`. */
export const BalancesQuery = Type.Object(walking)
