import { type Static, Type } from '@guildhall/rules/type'
import { TrackersByKey } from '../trackers/schema.ts'
import { CharacterCreate } from './schema.ts'

/** A new character with its trackers. */
export const WithTrackers = Type.Object(
  {
    ...CharacterCreate.properties,
    trackers: Type.Optional({ ...TrackersByKey, description: 'The trackers of the character by key, in the order in which it lists them' }),
  },
  { title: 'CharacterCreate' },
)
export type WithTrackers = Static<typeof WithTrackers>
