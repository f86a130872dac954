import { type Static, Type } from 'typebox'
import { Excerpt } from '../../core/excerpt.ts'
import { Enum, Id, Int, Metadata, Nullable, Timestamp, Unset } from '../../core/fields.ts'
import { Paged, page, sortByDate } from '../../core/page.ts'
import { TraitName } from '../characters/schema.ts'

const KINDS = ['AWARD', 'SPEND', 'REVERSAL'] as const
const kind = (description: string) => Enum('ExperienceKind', KINDS, description)

/** Far above all real amounts, and low enough that sums stay exact. */
const MAX_AMOUNT = 1_000_000_000
const MAX_AWARD = 10_000
const amount = (maximum: number) => Int(1, maximum, 'Amount of experience', 3)
const reason = Type.String({
  minLength: 1,
  maxLength: 500,
  'x-trim': true,
  description: 'Reason of the entry',
  examples: ['Stood by the door to the end'],
})
const traitValue = (description: string, example: number) => Int(0, 100, description, example)

const TraitChange = Type.Unsafe<null | { name: string; from: number | null; to: number | null }>({
  type: ['object', 'null'],
  properties: {
    name: TraitName,
    from: Nullable(traitValue('Former value; null if the character did not have the trait', 3)),
    to: Nullable(traitValue('New value; null if a reversal removed the trait', 4)),
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
    amount: Int(1, MAX_AMOUNT, 'Amount of experience, always positive', 3),
    delta: Int(-MAX_AMOUNT, MAX_AMOUNT, 'Change of the available experience, which is the sum of all deltas', 3),
    user_id: Id('User whose experience changed'),
    campaign_id: Id('Campaign of the entry'),
    character_id: Nullable(Id('Character that the experience was spent on')),
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
/** A row of the table. `reversed_by` is not stored, but looked up in the entry that reverses it. */
export const EntryRow = Type.Omit(Entry, ['reversed_by'])

export const Award = Type.Object(
  {
    amount: amount(MAX_AWARD),
    reason,
    user_ids: Type.Array(Id('User to award'), {
      minItems: 1,
      maxItems: 100,
      description: 'Users to award. Each user gets the full amount',
    }),
    metadata: Type.Optional(Metadata),
  },
  { title: 'ExperienceAward' },
)
export type Award = Static<typeof Award>

export const Awarded = Type.Object(
  { items: Type.Array(Excerpt(Entry), { maxItems: 100, description: 'The entries, in the order of the users' }) },
  { title: 'ExperienceAwarded' },
)

export const Spend = Type.Object(
  {
    amount: amount(MAX_AMOUNT),
    reason,
    character_id: Type.Optional(Nullable(Id('Character to spend the experience on'))),
    trait: Type.Optional(
      Type.Object(
        { name: TraitName, to: traitValue('New value, above the present one', 4) },
        { title: 'TraitRaise', additionalProperties: false, description: 'Trait of the character to raise' },
      ),
    ),
    user_id: Type.Optional(Id('User whose experience is spent. Default: the acting user')),
    metadata: Type.Optional(Metadata),
  },
  { title: 'ExperienceSpend', examples: [{ amount: 1, reason: 'Learned to listen' }] },
)
export type Spend = Static<typeof Spend>

export const Reverse = Type.Object({ reason, metadata: Type.Optional(Metadata) }, { title: 'ExperienceReverse' })
export type Reverse = Static<typeof Reverse>

export const EntriesQuery = Type.Object({
  ...page,
  ...sortByDate,
  user_id: Type.Optional(Id('Only entries of this user')),
  character_id: Type.Optional(Id('Only entries for this character')),
  kind: Type.Optional(kind('Only entries of this kind')),
  from: Type.Optional(Timestamp('Only entries at this time or later')),
  to: Type.Optional(Timestamp('Only entries before this time')),
})
export type EntriesQuery = Static<typeof EntriesQuery>

const sum = (description: string, example: number) => Int(0, Number.MAX_SAFE_INTEGER, description, example)
const sums = {
  earned: sum('Experience awarded, minus reversed awards', 12),
  spent: sum('Experience spent, minus reversed spends', 9),
  available: sum('Experience available to spend', 3),
}

export const Balance = Type.Object(
  { user_id: Id('User of the balance'), campaign_id: Id('Campaign of the balance'), ...sums },
  { title: 'ExperienceBalance', description: 'The sum of the entries of a user in a campaign' },
)
export type Balance = Static<typeof Balance>

const Lifetime = Type.Object(sums, { title: 'ExperienceLifetime', description: 'The sum over all campaigns' })
export type Lifetime = Static<typeof Lifetime>

const { properties } = Paged(Balance)
export const OwnBalances = Type.Object({ ...properties, lifetime: Lifetime }, { title: 'OwnExperience' })

export const BalancesQuery = Type.Object(page)
