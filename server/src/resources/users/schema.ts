import { type Static, type TSchema, Type } from '@guildhall/rules/type'
import { Role } from '../../core/access.ts'
import { applicationFields, applicationPatch, archivable, Email, ExternalId, Id, Name, Nullable } from '../../core/fields.ts'

/**
 * Marks a field of a user that only the user, ADMINs and keys without an acting user see. The pipeline replaces it with null for everyone else, in
 * every reply that contains a user.
 */
const Private = <S extends TSchema>(schema: S): S => ({
  ...schema,
  'x-private': true,
  description: `${(schema as { description?: string }).description}. Null for acting users other than the user and ADMINs`,
})

const { external_id, metadata } = applicationFields('user')

/** The fields that a client may write. */
const writable = {
  name: Name('User name', 'Mina Harker'),
  role: Role("The user's role in the company"),
  email: Private(Nullable(Email('Email address of the user'))),
  external_id: Private({ ...external_id, examples: ['discord:80351110224678912'] }),
  metadata,
}

export const User = Type.Object(
  { id: Id('User identifier'), company_id: Id('Owning company'), ...writable, ...archivable },
  { title: 'User', description: 'A person who plays. Several client applications can share the same user' },
)
export type User = Static<typeof User>

export const UserPatch = Type.Partial(Type.Object({ ...writable, ...applicationPatch }), { title: 'UserPatch' })
export const UserCreate = Type.Object(
  { ...Type.Partial(Type.Object(writable)).properties, name: writable.name, role: writable.role },
  { title: 'UserCreate', examples: [{ name: 'Mina Harker', role: 'PLAYER', external_id: 'discord:80351110224678912' }] },
)

/** The external id in the path of a user who is linked. */
export const LinkedId = ExternalId('The id of the user in the client application, percent-encoded', 'discord:80351110224678912')
export const UserLink = Type.Object(
  {
    name: writable.name,
    role: Type.Optional(Role("The user's role if the user is new. Default: the company setting `default_user_role`")),
  },
  { title: 'UserLink', examples: [{ name: 'Mina Harker' }] },
)
export type UserLink = Static<typeof UserLink>
