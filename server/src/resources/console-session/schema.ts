import { type Static, Type } from '@guildhall/rules/type'
import { alternatives, Enum, Flag, Id, Nullable, stored, Text, Timestamp, WithStatedDefault } from '../../core/fields.ts'

/** A row of the table. It is in no reply: GET /me shows the caller's session. */
export const ConsoleSession = Type.Object(
  {
    id: Id('Session identifier'),
    developer_id: Id('The developer whom the session stands for'),
    key_id: Id('The API key that the session ends with'),
    kind: Enum('ConsoleSessionKind', ['LINK', 'SESSION'], 'LINK until somebody signs in with it', 'SESSION'),
    date_expires: Timestamp('When the link or the session stops working, unless its key ends before'),
    ...stored,
  },
  { title: 'ConsoleSession', description: 'A console session of a developer, or the link to begin one' },
)
export type ConsoleSession = Static<typeof ConsoleSession>

const KEY = 'glh_7Kd2mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B'
const CODE = 'gll_02sK5Q8mZ4tYw1XbR7nVc302sK5QdP9hLfUa6TeJ0gWiM4mQe8Xw1ZbN4vT6yUa3RcP0sLfHx9Qa1B2c'

/** Sample bodies for the API reference: a body has a key or a code. */
export const SIGN_IN_EXAMPLES = {
  key: { summary: 'With an API key', value: { key: KEY } },
  code: { summary: 'With the code of a link', value: { code: CODE, remember: true } },
}

export const ConsoleSessionCreate = Type.Object(
  {
    key: Type.Optional(Text(100, 'An API key, to sign in as its developer', KEY)),
    code: Type.Optional(
      Text(
        100,
        'The code of a sign-in link, to sign in as its user, or of a link of `guildhall console-link`, to sign in as its developer',
        CODE,
      ),
    ),
    remember: WithStatedDefault(Flag('True to stay signed in for 30 days instead of 12 hours. It has no effect for a developer'), false),
  },
  {
    title: 'ConsoleSessionCreate',
    ...alternatives({ Key: { requires: ['key'] }, Code: { requires: ['code'], allows: ['remember'] } }),
  },
)
export type ConsoleSessionCreate = Static<typeof ConsoleSessionCreate>

export const SignInPreviewCreate = Type.Object({ code: Text(100, 'The code of a sign-in link', CODE) }, { title: 'SignInPreviewCreate' })
export type SignInPreviewCreate = Static<typeof SignInPreviewCreate>

export const SignInPreview = Type.Object(
  {
    name: Text(100, 'The name of the user or the developer whom the link signs in', 'Mina Harker'),
    company_name: Nullable(Text(100, 'The name of the company of the user, or null for a developer', 'Blackwood Games')),
    date_expires: Timestamp('When the link stops working, if it is not used before'),
  },
  { title: 'SignInPreview', description: 'The person whom a sign-in link is for' },
)
export type SignInPreview = Static<typeof SignInPreview>
