import { type Static, Type } from '@guildhall/rules/type'
import { Id, Int } from '../../core/fields.ts'

export const hex = (description: string) =>
  Type.String({
    minLength: 64,
    maxLength: 64,
    description,
    examples: ['630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'],
  })

const fields = {
  id: Id('Seed identifier; the client seed of rolls that name none'),
  commitment: hex('SHA-256 of the server seed, in lowercase hex'),
  next_nonce: Int(1, 2_147_483_647, 'Number of the next roll with this seed'),
}
export const DiceSeed = Type.Object(fields, {
  title: 'DiceSeed',
  description: 'The seed of the next rolls. Its commitment is published before the dice are rolled',
})
export type DiceSeed = Static<typeof DiceSeed>

const Revealed = Type.Object(
  {
    id: Id('Seed identifier'),
    commitment: hex('Commitment that was published before the rolls'),
    server_seed: hex('The server seed; its SHA-256 is the commitment'),
    rolls: Int(0, 2_147_483_647, 'Number of rolls made with the seed', 12),
  },
  { title: 'RevealedSeed', description: 'A retired seed, revealed so that its rolls can be verified' },
)
export const DiceSeedRotated = Type.Object(
  { ...fields, revealed: Revealed },
  { title: 'DiceSeedRotated', description: 'The new seed, and the revealed seed that it replaces' },
)
