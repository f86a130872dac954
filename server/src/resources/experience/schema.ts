import { type Static, Type } from 'typebox'
import { Enum, Id, Int, Nullable, Timestamp, Unset } from '../../core/fields.ts'
import { Paged, page, sortByDate } from '../../core/page.ts'
import { TraitName } from '../characters/schema.ts'

const KINDS = ['AWARD', 'SPEND', 'REVERSAL'] as const
const kind = (description: string) => Enum('ExperienceKind', KINDS, description)

/** Far more than anybody earns, and few enough that sums stay exact. */
const MOST = 1_000_000_000
const amount = (most: number) => Int(1, most, 'How much', 3)
const reason = Type.String({ minLength: 1, maxLength: 500, 'x-trim': true, description: 'Why', examples: ['Stood by the door to the end'] })
const value = (description: string, example: number) => Int(0, 100, description, example)

const TraitMoved = Type.Unsafe<null | { name: string; from: number | null; to: number | null }>({
  type: ['object', 'null'],
  properties: {
    name: TraitName,
    from: Nullable(value('What it was; null if the character did not have it', 3)),
    to: Nullable(value('What it became; null where a reversal took it away', 4)),
  },
  required: ['name', 'from', 'to'],
  description: 'The trait that it moved; null where none was named',
  examples: [null],
})

export const Entry = Type.Object(
  {
    id: Id('Entry identifier'),
    company_id: Id('Owning company'),
    kind: kind('What it was'),
    amount: Int(1, MOST, 'How much, as it was asked', 3),
    delta: Int(-MOST, MOST, 'The same with its sign: what is available is the sum of these', 3),
    user_id: Id('Whose experience it is'),
    campaign_id: Id('Campaign it belongs to'),
    character_id: Nullable(Id('Character it was spent on')),
    trait: TraitMoved,
    reason,
    awarded_by: Id('Who wrote the entry'),
    reverses: Unset(Id('Entry that this one takes back')),
    reversed_by: Unset(Id('Entry that takes this one back')),
    date_created: Timestamp('When'),
  },
  { title: 'ExperienceEntry', description: 'A line of the ledger: never changed, never deleted' },
)
export type Entry = Static<typeof Entry>
/** As it is stored: that it was reversed, another entry tells. */
export const EntryRow = Type.Omit(Entry, ['reversed_by'])

export const Award = Type.Object(
  {
    amount: amount(10_000),
    reason,
    user_ids: Type.Array(Id('A user'), {
      minItems: 1,
      maxItems: 100,
      description: 'Who earned it. Each gets the amount; if one cannot, nobody does',
    }),
  },
  { title: 'ExperienceAward' },
)
export type Award = Static<typeof Award>

export const Awarded = Type.Object(
  { items: Type.Array(Entry, { maxItems: 100, description: 'The entries, in the order of the users' }) },
  { title: 'ExperienceAwarded' },
)

export const Spend = Type.Object(
  {
    amount: amount(MOST),
    reason,
    character_id: Type.Optional(Nullable(Id('Character it is spent on'))),
    trait: Type.Optional(
      Type.Object(
        { name: TraitName, to: value('The new value, higher than the present one', 4) },
        { title: 'TraitRaise', additionalProperties: false, description: 'A trait of the character to raise' },
      ),
    ),
    user_id: Type.Optional(Id('Who spends: the acting user, unless a storyteller says otherwise')),
  },
  { title: 'ExperienceSpend', examples: [{ amount: 1, reason: 'Learnt to listen' }] },
)
export type Spend = Static<typeof Spend>

export const Reverse = Type.Object({ reason }, { title: 'ExperienceReverse' })

export const EntriesQuery = Type.Object({
  ...page,
  ...sortByDate,
  user_id: Type.Optional(Id('Only entries of this user')),
  character_id: Type.Optional(Id('Only what was spent on this character')),
  kind: Type.Optional(kind('Only entries of this kind')),
  from: Type.Optional(Timestamp('Only from this instant on')),
  to: Type.Optional(Timestamp('Only before this instant')),
})
export type EntriesQuery = Static<typeof EntriesQuery>

const sum = (description: string, example: number) => Int(0, Number.MAX_SAFE_INTEGER, description, example)
const sums = {
  earned: sum('Awarded, less what was taken back', 12),
  spent: sum('Spent, less what was taken back', 9),
  available: sum('What is left to spend', 3),
}

export const Balance = Type.Object(
  { user_id: Id('Whose'), campaign_id: Id('In which campaign'), ...sums },
  { title: 'ExperienceBalance', description: 'What the entries of a user in a campaign come to' },
)
export type Balance = Static<typeof Balance>

const Lifetime = Type.Object(sums, { title: 'ExperienceLifetime', description: 'All campaigns together' })
export type Lifetime = Static<typeof Lifetime>

const { properties } = Paged(Balance)
export const OwnBalances = Type.Object({ ...properties, lifetime: Lifetime }, { title: 'OwnExperience' })

export const BalancesQuery = Type.Object(page)
