import { type Static, Type } from 'typebox'
import { Role } from '../../core/access.ts'
import { archivable, Email, Id, Name, Nullable } from '../../core/fields.ts'

/** What a client may write. */
const writable = {
  name: Name('User name', 'Mina Harker'),
  role: Role('What the user may do in the games of the company'),
  email: Nullable(Email('Where the user is reached')),
  external_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The client application's own id of this user; unique in the company",
      examples: ['discord:80351110224678912'],
    }),
  ),
}

export const User = Type.Object(
  { id: Id('User identifier'), company_id: Id('Owning company'), ...writable, ...archivable },
  { title: 'User', description: 'A person who plays; the same one in every client application' },
)
export type User = Static<typeof User>

export const UserPatch = Type.Partial(Type.Object(writable), { title: 'UserPatch' })
export const UserCreate = Type.Object({ ...UserPatch.properties, name: writable.name, role: writable.role }, { title: 'UserCreate' })
