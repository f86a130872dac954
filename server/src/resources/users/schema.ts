import { type Static, Type } from 'typebox'
import { Role } from '../../core/access.ts'
import { archivable, Email, Id, Name, Nullable } from '../../core/fields.ts'

/** The fields that a client may write. */
const writable = {
  name: Name('User name', 'Mina Harker'),
  role: Role("The user's role in the company"),
  email: Nullable(Email('Email address of the user')),
  external_id: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The id of the user in the client application. Unique in the company',
      examples: ['discord:80351110224678912'],
    }),
  ),
}

export const User = Type.Object(
  { id: Id('User identifier'), company_id: Id('Owning company'), ...writable, ...archivable },
  { title: 'User', description: 'A person who plays. Several client applications can share the same user' },
)
export type User = Static<typeof User>

export const UserPatch = Type.Partial(Type.Object(writable), { title: 'UserPatch' })
export const UserCreate = Type.Object({ ...UserPatch.properties, name: writable.name, role: writable.role }, { title: 'UserCreate' })
