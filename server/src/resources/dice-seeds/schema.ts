import { type Static, Type } from 'typebox'
import { Id, Int } from '../../core/fields.ts'

export const hex = (description: string) =>
  Type.String({
    minLength: 64,
    maxLength: 64,
    description,
    examples: ['630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'],
  })

const fields = {
  id: Id('Seed identifier; the client seed of rolls that bring none of their own'),
  commitment: hex('SHA-256 of the server seed, in lower-case hex'),
  next_nonce: Int(1, 2_147_483_647, 'Number of the next roll under this seed'),
}
export const DiceSeed = Type.Object(fields, { title: 'DiceSeed', description: 'What dice will follow from, committed to before they fall' })
export type DiceSeed = Static<typeof DiceSeed>

const Revealed = Type.Object(
  {
    id: Id('Seed identifier'),
    commitment: hex('What was published of it'),
    server_seed: hex('The seed itself: its SHA-256 is the commitment'),
    rolls: Int(0, 2_147_483_647, 'How many rolls followed from it', 12),
  },
  { title: 'RevealedSeed', description: 'A seed that is used no more, and can be checked' },
)
export const DiceSeedRotated = Type.Object(
  { ...fields, revealed: Revealed },
  { title: 'DiceSeedRotated', description: 'The new seed, and the one it takes the place of' },
)
export type DiceSeedRotated = Static<typeof DiceSeedRotated>
